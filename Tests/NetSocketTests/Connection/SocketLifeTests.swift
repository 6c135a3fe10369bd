#if os(Linux)
import NetCore
import Testing

@testable import NetSocket

/// The beginning and the end of a connection, for the tasks that wait for them.
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
        #expect(life.takeResult() == nil)
        #expect(!life.hasEnded)
        #expect(!life.isCancelled)
        #expect(life.finishOpening(Self.failure("first")) == nil)
        #expect(life.finishOpening(Self.failure("second")) == nil)
        #expect(message(life.takeResult()) == "first")
        #expect(life.takeResult() == nil)
    }

    @Test func onlyWhatIsBeingOpenedCanBeCancelled() {
        var life = SocketLife()
        #expect(life.cancelOpening() == nil)
        #expect(life.isCancelled)
        var opened = SocketLife()
        _ = opened.finishOpening(Self.failure("over"))
        #expect(opened.cancelOpening() == nil)
        #expect(!opened.isCancelled)
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
        #expect(life.hasEnded)
        #expect(life.stream == nil)
        #expect(life.makeWaiter() == nil)
        #expect(life.end().isEmpty)
    }

    @Test func theTaskThatOpensIsResumedOnceItIsKnownHow() async throws {
        let stream = try await DrivenSocket().stream
        for way in ["early", "late", "ended", "cancelled"] {
            var life = SocketLife()
            await withUnsafeContinuation { continuation in
                switch way {
                case "early": #expect(life.finishOpening(Self.failure("x")) == nil)
                case "ended": #expect(life.end().isEmpty)
                case "cancelled": #expect(life.cancelOpening() == nil)
                default: break
                }
                #expect(life.begin(stream, opener: continuation) == (way == "cancelled"), "\(way)")
                #expect((life.stream == nil) == (way == "ended"), "\(way)")
                guard way != "early" else { return }
                if way == "late" {
                    #expect(life.cancelOpening() === stream)
                    #expect(life.isCancelled)
                }
                let opener = life.finishOpening(Self.failure("x"))
                #expect(opener != nil)
                #expect(life.finishOpening(Self.failure("y")) == nil)
                opener?.resume()
            }
        }
    }
}
#endif
