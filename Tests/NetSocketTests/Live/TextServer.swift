import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization

/// A server that sends exactly the given texts, for messages that a wire protocol of this package would never write.
final class TextServer: Sendable {
    private struct State {
        var peers: [any WebSocketPeer] = []
        var received: [String] = []
    }

    private let state = Mutex(State())
    private let answer: @Sendable (String) -> [String]

    /// - Parameter answer: Returns the replies to a message.
    init(answer: @escaping @Sendable (String) -> [String] = { _ in [] }) {
        self.answer = answer
    }

    var received: [String] { state.withLock { $0.received } }
    var connections: Int { state.withLock { $0.peers.count } }

    var stub: WebSocketStub {
        WebSocketStub("/socket") { [self] peer in
            state.withLock { $0.peers.append(peer) }
            while let message = try await peer.receive() {
                guard let text = message.text else { continue }
                state.withLock { $0.received.append(text) }
                for answer in answer(text) { try await peer.send(answer) }
            }
        }
    }

    /// Sends a text on the newest connection. Waits for the first one: a client is open shortly before it is served.
    func send(_ text: String) async throws {
        while connections == 0, !Task.isCancelled { await Task.yield() }
        try await state.withLock { $0.peers.last }?.send(text)
    }

    func client(
        on clock: TestClock = TestClock(), _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        SocketClient.over(MockWebSocketTransport([stub]), on: clock, change)
    }
}

extension SocketClient {
    /// Returns a session over a transport, on a clock that advances only when the test does it.
    static func over(
        _ transport: MockWebSocketTransport, on clock: TestClock = TestClock(),
        _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        var configuration = SocketClient.Configuration()
        change(&configuration)
        let sockets = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
        return SocketClient("ws://a.test/socket", client: sockets, configuration: configuration)
    }
}

extension TestClock {
    /// Advances the time in small steps until a condition holds, or the test has exceeded its limit.
    func advance(by step: Duration = .milliseconds(250), until condition: () -> Bool) async {
        while !condition(), !Task.isCancelled {
            await advance(by: step)
            await Task.yield()
        }
    }
}

extension SocketCommandError {
    /// The error of a failed command; nil if the server rejected it.
    var failure: NetError? { if case .failed(let error) = self { error } else { nil } }
}
