#if os(Linux)
import NetCore
import Testing

@testable import NetSocket

/// The beginning and the end of a connection, for those who wait for them.
@Suite(.timeLimit(.minutes(1)))
struct SocketLifeTests {
    private static func failure(_ message: String) -> Result<SocketOpening, NetError> {
        .failure(NetError(.timeout, phase: .connecting, message: message))
    }

    private func message(_ result: Result<SocketOpening, NetError>?) -> String? {
        if case .failure(let error) = result { error.message } else { nil }
    }

    @Test func howOpeningWentIsToldOnce() {
        var life = SocketLife()
        #expect(life.takeResult() == nil && !life.hasEnded && !life.isCancelled)
        #expect(life.finishOpening(Self.failure("first")) == nil)
        #expect(life.finishOpening(Self.failure("second")) == nil)
        #expect(message(life.takeResult()) == "first")
        #expect(life.takeResult() == nil)
    }

    @Test func onlyWhatIsBeingOpenedCanBeCancelled() {
        var life = SocketLife()
        #expect(life.cancelOpening() == nil && life.isCancelled)
        var opened = SocketLife()
        _ = opened.finishOpening(Self.failure("over"))
        #expect(opened.cancelOpening() == nil && !opened.isCancelled)
    }

    @Test func thoseWhoWaitAreToldOfTheEnd() async {
        var life = SocketLife()
        guard let waiter = life.makeWaiter() else {
            Issue.record("it has ended")
            return
        }
        await withUnsafeContinuation { continuation in
            #expect(life.closers.suspend(waiter, continuation, fallback: ()) == nil)
            let released = life.end()
            #expect(released.count == 1)
            if let first = released.first { first.resume() } else { continuation.resume() }
        }
        #expect(life.hasEnded && life.stream == nil && life.makeWaiter() == nil)
        #expect(life.end().isEmpty)
    }
}
#endif
