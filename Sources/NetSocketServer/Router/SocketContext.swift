#if Server
public import NetCore
public import NetSocketCore

/// What a handler knows of the command that it handles.
///
/// The task of a handler is cancelled when the client goes away or cancels the command, and when its time is over. In a session
/// that numbers its messages, it goes on while the client may come back, since the command counts as received.
public struct SocketContext<Principal: Sendable>: Sendable {
    let base: CommandContext
    /// Who has sent the command: what the server's `authenticate` has returned.
    public let principal: Principal

    init(_ base: CommandContext) throws {
        self.base = base
        principal = try base.principal()
    }

    /// The connection.
    public var connection: SocketConnection<Principal> {
        SocketConnection(base.connection, principal)
    }
    /// The server.
    public var server: SocketServer<Principal> { SocketServer(base.connection.core) }
    /// The channel of the command; nil if it has none.
    public var topic: String? { base.topic }
    /// The client's ID of the command; nil for one that gets no reply.
    public var requestID: SocketID? { base.request }
    /// The time by which the handler must have returned, on the server's clock; nil if it has all the time it needs.
    public var deadline: Duration? { base.deadline }
}

/// One connection of a client.
public struct SocketConnection<Principal: Sendable>: Sendable, Identifiable, Hashable {
    let connection: ServerConnection
    /// Who it belongs to.
    public let principal: Principal

    init(_ connection: ServerConnection, _ principal: Principal) {
        self.connection = connection
        self.principal = principal
    }

    /// Unique, and of a connection only: a client that connects again has another one.
    public var id: CallID { connection.id }
    /// The name of its user; nil if the server's `user` names none.
    public var user: String? { connection.identity.user }
    /// The path of its handshake, without the query.
    public var path: String { connection.head.path }
    /// The address of the client, as the server's rules for proxies find it; nil for a link in memory.
    public var address: String? { connection.head.address }
    /// The subprotocol that both sides have agreed on; nil for none.
    public var subprotocol: String? { connection.head.subprotocol }
    /// The wire protocol.
    public var wire: String { connection.head.wire.name }
    /// The channels that it is in, in the order of their names.
    public var topics: [String] { connection.core.channels.topics(of: connection) }
    /// Says something to this connection, or closes it.
    public var audience: SocketAudience { SocketAudience(connection.core, .connection(connection)) }

    public static func == (left: Self, right: Self) -> Bool { left.connection === right.connection }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(connection)) }

    /// Pushes a typed value. See ``SocketAudience/push(_:)``.
    public func push(_ push: some SocketPush) async throws { try await audience.push(push) }

    /// Sends a message as it is, whatever the wire protocol. Returns at once; the message waits with others in the outbox.
    public func post(_ message: WebSocketMessage) { connection.post(message) }

    /// Closes it with a code. Does nothing if it has ended.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") {
        audience.close(code, reason: reason)
    }
}
#endif
