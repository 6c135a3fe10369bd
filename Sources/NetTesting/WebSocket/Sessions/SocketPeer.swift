public import NetCore
public import NetSocketCore
internal import Synchronization

/// The server's end of sessions, for testing clients: it uses a wire protocol, responds to commands with handlers or
/// with a function, keeps the history of channels, and continues sessions that number their messages.
///
///     struct SendMessage: SocketCommand {
///         static let event = "chat.send"
///         struct Response: Codable, Sendable { var id: Int }
///         var text: String
///     }
///     let peer = SocketPeer("/chat")
///     peer.on(SendMessage.self) { command in .init(id: command.text.count) }
///     let transport = MockWebSocketTransport([peer.stub])  // or TestServer.start(webSockets: [peer.stub])
///
/// Without handlers, it returns the payload of each command and accepts every join. It keeps each session that numbers
/// its messages until ``forgetSessions()``.
public final class SocketPeer: Sendable {
    /// Returns the peer's signals in response to a client's signal, in order.
    public typealias Respond = @Sendable (_ signal: WireSignal, _ peer: SocketPeer) async throws -> [WireSignal]

    let path: PathTemplate
    package let wire: SocketWire
    let limits: SocketDelivery
    let historyCount: Int
    let respond: Respond
    let state = Mutex(State())
    /// True in a task that responds to a client.
    @TaskLocal static var isAnswering = false

    /// Creates a peer.
    ///
    /// - Parameters:
    ///   - path: The path of the WebSocket. Default `/socket`.
    ///   - wire: The wire protocol. Default ``NetSocketCore/SocketWire/json``.
    ///   - delivery: The limits of sessions that number their messages.
    ///   - history: The number of pushes kept for each channel, at most 1 MiB of them, for clients that reconnect.
    ///     Default 0.
    ///   - respond: Responds to signals without a handler. Default ``echo(_:)``.
    public init(
        _ path: PathTemplate = "/socket", wire: SocketWire = .json, delivery: SocketDelivery = SocketDelivery(),
        history: Int = 0, respond: @escaping Respond = { signal, _ in SocketPeer.echo(signal) }
    ) {
        self.path = path
        self.wire = wire
        self.respond = respond
        limits = delivery
        historyCount = history
    }

    /// Returns the payload of a command or a join.
    public static func echo(_ signal: WireSignal) -> [WireSignal] {
        switch signal {
        case .request(let request):
            guard let id = request.id else { return [] }
            return [.reply(WireReply(id: id, event: request.event, topic: request.topic, .success(request.payload)))]
        case .join(let join): return [.joined(WireJoined(id: join.id, topic: join.topic, payload: join.payload))]
        case .leave(let id, let topic): return [.left(id, topic: topic, nil)]
        default: return []
        }
    }

    /// Responds to a command. A thrown ``NetSocketCore/SocketFailure`` becomes the reply; any other error becomes a
    /// reply with the code `error`.
    public func on<Command: SocketCommand>(
        _ type: Command.Type, handler: @escaping @Sendable (Command) async throws -> Command.Response
    ) {
        state.withLock { state in
            state.handlers[Command.event] = { payload in
                let command = try (payload ?? SocketPayload(json: "{}")).decoded(as: Command.self)
                return try SocketPayload(try await handler(command))
            }
        }
    }

    // MARK: Observing

    /// The signals received from clients, in order, without numbers and acknowledgments; signals sent again aren't
    /// repeated.
    public var received: [WireSignal] { state.withLock { $0.received } }

    /// The number of connections so far.
    public var connections: Int { state.withLock { $0.connections.count } }

    /// The signals that were sent to sessions that are over, and weren't acknowledged, in order.
    public var undelivered: [WireSignal] { state.withLock { $0.undelivered } }

    // MARK: Sending

    /// Sends a signal to the newest client. In a session that numbers its messages, a reply or a push is kept until it
    /// is acknowledged, even while there is no connection; the call waits while too many are kept, except in a handler.
    /// A write that has started isn't cancelled.
    ///
    /// Throws if there was no connection yet, if the client is gone and the message isn't kept, and the wire's error for
    /// a message that it can't encode. A client may be open shortly before its peer begins to serve it, so wait until
    /// ``connections`` isn't 0 before sending the first message.
    public func send(_ signal: WireSignal) async throws { try await send(signal, to: .newest) }

    /// Pushes to every client in a channel, or to the newest client if there is no topic. All clients receive the
    /// pushes of a channel in the same order; a client whose connection has just ended isn't an error.
    public func push(_ push: some SocketPush, to topic: String? = nil) async throws {
        let push = WirePush(event: type(of: push).event, payload: try SocketPayload(push), topic: topic)
        try await send(.push(push), to: topic.map { .channel($0) } ?? .newest)
    }

    /// Ends the newest connection without a closing handshake.
    public func drop() async { await state.withLock { $0.connections.last?.socket }?.drop() }

    /// Closes the newest connection.
    public func close(_ code: WebSocketCloseCode) async throws {
        try await state.withLock { $0.connections.last?.socket }?.close(code, reason: "")
    }

    /// Forgets every session and every channel's history, as a restarted server would, and ends the newest connection.
    public func forgetSessions() async {
        let (socket, waiters) = state.withLock { state in
            state.forgetSessions()
            return (state.connections.last?.socket, state.waiters.releaseAll(with: ()))
        }
        for waiter in waiters { waiter.resume() }
        await socket?.drop()
    }

    /// The WebSocket of this peer.
    public var stub: WebSocketStub {
        WebSocketStub(path, subprotocols: wire.subprotocols) { [self] socket in try await serve(socket) }
    }
}
