import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization

/// The server's end of a wire protocol, for the stubs of tests: it answers by a function and can say things by itself.
final class WireServer: Sendable {
    private struct State {
        var peers: [any WebSocketPeer] = []
        var machines: [any WireMachine] = []
        var heard: [WireSignal] = []
        var connections = 0
    }

    private let wire: SocketWire
    private let state = Mutex(State())
    private let answer: @Sendable (WireSignal, WireServer) -> [WireSignal]

    init(
        _ wire: SocketWire = .json,
        answer: @escaping @Sendable (WireSignal, WireServer) -> [WireSignal] = { signal, _ in WireServer.echo(signal) }
    ) {
        self.wire = wire
        self.answer = answer
    }

    /// What the client has said, in order.
    var heard: [WireSignal] { state.withLock { $0.heard } }
    var connections: Int { state.withLock { $0.connections } }

    /// Repeats the payload of a request, and accepts every join.
    static func echo(_ signal: WireSignal) -> [WireSignal] {
        switch signal {
        case .request(let request):
            guard let id = request.id else { return [] }
            return [.reply(WireReply(id: id, event: request.event, topic: request.topic, .success(request.payload)))]
        case .join(let join): return [.joined(WireJoined(id: join.id, topic: join.topic, payload: join.payload))]
        case .leave(let id, let topic): return [.left(id, topic: topic, nil)]
        default: return []
        }
    }

    var stub: WebSocketStub {
        WebSocketStub("/socket", subprotocols: wire.subprotocols) { [self] peer in
            let index = state.withLock { state in
                state.peers.append(peer)
                state.machines.append(wire.makeMachine(.server))
                state.connections += 1
                return state.peers.count - 1
            }
            while let message = try await peer.receive() {
                let reading = try state.withLock { state in
                    let reading = try state.machines[index].decode(message)
                    state.heard += reading.signals
                    return reading
                }
                for message in reading.answers { try await peer.send(message) }
                for signal in reading.signals {
                    for answer in answer(signal, self) { try await say(answer, on: index) }
                }
            }
        }
    }

    /// Says something on the newest connection.
    func say(_ signal: WireSignal) async throws { try await say(signal, on: state.withLock { $0.peers.count - 1 }) }

    private func say(_ signal: WireSignal, on index: Int) async throws {
        let (peer, messages) = try state.withLock { state in
            (state.peers[index], try state.machines[index].encode(signal))
        }
        for message in messages { try await peer.send(message) }
    }

    /// Ends the newest connection without a closing handshake.
    func drop() async { await state.withLock { $0.peers.last }?.drop() }

    func close(_ code: WebSocketCloseCode) async throws {
        try await state.withLock { $0.peers.last }?.close(code, reason: "")
    }

    func transport() -> MockWebSocketTransport { MockWebSocketTransport([stub]) }

    /// A session with this server, on a clock that stands still until the test advances it.
    func client(
        on clock: TestClock = TestClock(), _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        var configuration = SocketClient.Configuration(wire: wire)
        change(&configuration)
        let sockets = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport())
        return SocketClient("ws://a.test/socket", client: sockets, configuration: configuration)
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

    /// Lets time pass until the session is open again, or the task is cancelled.
    func reopen(on clock: TestClock) async {
        while !state.isOpen, !Task.isCancelled {
            await clock.advance(by: .milliseconds(50))
            await Task.yield()
        }
    }
}

/// Counts from 1.
final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
