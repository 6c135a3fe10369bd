import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization

extension SocketPeer {
    func transport() -> MockWebSocketTransport { MockWebSocketTransport([stub]) }

    /// Returns a session with this peer, on a clock that advances only when the test does it.
    func client(
        on clock: TestClock = TestClock(), _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        .over(transport(), on: clock) { configuration in
            configuration.wire = wire
            change(&configuration)
        }
    }
}

struct Say: SocketCommand {
    static let event = "say"
    struct Response: Codable, Sendable { var text: String }
    var text: String
}

struct Said: SocketPush, Equatable {
    static let event = "said"
    var text: String
}

extension SocketClient {
    /// Waits for a state, whose name is the beginning of its description.
    func wait(for name: String) async throws {
        for try await state in states where "\(state)".hasPrefix(name) { return }
        throw NetError(.unknown, phase: .waiting, message: "the session was never \(name)")
    }

    /// Waits until the session is open and its peer, which runs in another task, has begun to serve it.
    func waitUntilOpen(at peer: SocketPeer) async throws {
        try await wait(for: "open")
        while peer.connections == 0, !Task.isCancelled { await Task.yield() }
    }

    /// Advances the time until the session is open again.
    func reopen(on clock: TestClock) async {
        while !state.isOpen, !Task.isCancelled {
            await clock.advance(by: .milliseconds(50))
            await Task.yield()
        }
    }
}

/// Counts from 1.
final class Counter: Sendable {
    private let last = Mutex(0)

    /// The number of counts so far.
    var count: Int { last.withLock { $0 } }

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
