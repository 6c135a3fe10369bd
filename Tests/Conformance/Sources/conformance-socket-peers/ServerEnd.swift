#if Server
import NetCore
import NetSocketCore
import NetTestServer
import NetTesting
import Synchronization

/// Our server side of a wire protocol for a foreign client: a function provides the replies, and messages can be sent
/// at any time.
final class ServerEnd: Sendable {
    /// Returns the replies to a client's signal on a connection.
    typealias Answer = @Sendable (_ signal: WireSignal, _ end: ServerEnd) async throws -> [WireSignal]

    private struct State {
        var peers: [any WebSocketPeer] = []
        var machines: [any WireMachine] = []
        /// The signals of clients, in order, in the words of ``WireSignal/words``.
        var heard: [String] = []
        var problems: [String] = []
    }

    private let wire: SocketWire
    private let path: PathTemplate
    private let answer: Answer
    private let state = Mutex(State())

    init(_ wire: SocketWire, path: PathTemplate = "/socket", answer: @escaping Answer) {
        self.wire = wire
        self.path = path
        self.answer = answer
    }

    /// The signals of clients, in order.
    var heard: [String] { state.withLock { $0.heard } }
    /// The client messages that could not be read, and the replies that could not be written.
    var problems: [String] { state.withLock { $0.problems } }

    /// The WebSocket endpoint, which compresses messages if the client requests it.
    var stub: WebSocketStub {
        var stub = WebSocketStub(path, subprotocols: wire.subprotocols) { [self] peer in
            let (connection, greeting) = state.withLock { state in
                var machine = wire.makeMachine(.server)
                machine.agree(on: peer.subprotocol)
                let greeting = machine.greet(as: "connection-\(state.peers.count)")
                state.peers.append(peer)
                state.machines.append(machine)
                state.heard.append("connection \(peer.request.target)")
                return (state.peers.count - 1, greeting)
            }
            for message in greeting { try await peer.send(message) }
            while let message = try await peer.receive() { try await receive(message, on: connection) }
            state.withLock { $0.heard.append("gone") }
        }
        stub.compression = WebSocketCompression(minimumBytes: 0)
        return stub
    }

    private func receive(_ message: WebSocketMessage, on connection: Int) async throws {
        let reading: WireReading
        do {
            reading = try state.withLock { state in
                let reading = try state.machines[connection].decode(message)
                state.heard += reading.signals.map(\.words)
                return reading
            }
        } catch {
            state.withLock { $0.problems.append("\(error): \(message.text ?? "bytes")") }
            return
        }
        let peer = state.withLock { $0.peers[connection] }
        for message in reading.responses { try await peer.send(message) }
        for signal in reading.signals {
            let answers: [WireSignal]
            do {
                answers = try await answer(signal, self)
            } catch {
                state.withLock { $0.problems.append("\(error)") }
                continue
            }
            for answer in answers { try await say(answer, on: connection) }
        }
    }

    /// Sends a signal on a connection; default the newest one.
    func say(_ signal: WireSignal, on connection: Int? = nil) async throws {
        let found: (any WebSocketPeer, [WebSocketMessage])?
        do {
            found = try state.withLock { state in
                let index = connection ?? state.peers.count - 1
                guard state.peers.indices.contains(index) else { return nil }
                return (state.peers[index], try state.machines[index].encode(signal))
            }
        } catch {
            state.withLock { $0.problems.append("\(error)") }
            return
        }
        guard let (peer, messages) = found else { return }
        for message in messages { try await peer.send(message) }
        // The session of the protocol has ended; the closing handshake follows.
        if case .end(let end) = signal, end.failure != nil { try await Self.close(peer, 1000) }
    }

    /// Ends the newest connection without a closing handshake.
    func cut() async { await state.withLock { $0.peers.last }?.drop() }

    /// Closes the newest connection.
    func close(_ code: UInt16) async throws {
        guard let peer = state.withLock({ $0.peers.last }) else { return }
        try await Self.close(peer, code)
    }

    /// Sends a close frame (RFC 6455 section 5.5.1). The task that receives from the peer gets the client's close frame
    /// and ends; another task must not wait for it.
    private static func close(_ peer: any WebSocketPeer, _ code: UInt16) async throws {
        try await peer.send(raw: [0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)])
    }
}

extension WireSignal {
    /// The signal as scripts look for it: the kind, the topic or ID, the event, the payload.
    var words: String {
        let words: [String?] =
            switch self {
            case .open(let payload): ["open", payload?.json]
            case .heartbeat: ["heartbeat"]
            case .alive: ["alive"]
            case .end: ["end"]
            case .request(let request):
                [request.id == nil ? "notify" : "request", request.topic, request.event, request.payload?.json]
            case .join(let join):
                ["join", join.topic, join.payload?.json, join.position.map { "\($0.epoch)@\($0.offset)" }]
            case .leave(_, let topic): ["leave", topic]
            case .reply(let reply): ["reply", reply.topic, "\(reply.id)", reply.outcome.words]
            case .subscribe(let id, let payload): ["subscribe", "\(id)", payload.json]
            case .unsubscribe(let id): ["unsubscribe", "\(id)"]
            default: ["\(self)"]
            }
        return words.compactMap { $0 }.joined(separator: " ")
    }
}

extension WireReply.Outcome {
    fileprivate var words: String {
        switch self {
        case .success(let payload): "ok \(payload?.json ?? "")"
        case .failure(let failure): "error \(failure)"
        }
    }
}
#endif
