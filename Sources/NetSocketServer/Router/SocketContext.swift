#if Server
public import NetCore
public import NetSocketCore

/// The context of a command that is being handled.
///
/// The task of a handler is cancelled when the client disconnects or cancels the command, and when its time limit is
/// over. In a session that numbers its messages, the handler keeps running while the client may return, since the
/// command counts as received.
public struct SocketContext<Principal: Sendable>: Sendable {
    let base: CommandContext
    /// The client's principal, as the server's `authenticate` returned it.
    public let principal: Principal

    init(_ base: CommandContext) throws {
        self.base = base
        principal = try base.principal()
    }

    /// The connection.
    public var connection: SocketConnection<Principal> {
        SocketConnection(base.connection, principal, base.era)
    }
    /// The server.
    public var server: SocketServer<Principal> { SocketServer(base.connection.core) }
    /// The channel of the command; nil if it has none.
    public var topic: String? { base.topic }
    /// The client's ID of the command; nil for one that gets no reply.
    public var requestID: SocketID? { base.request }
    /// The time by which the handler must have returned, on the server's clock; nil if it has no time limit.
    public var deadline: Duration? { base.deadline }
}

/// One connection of a client.
///
/// A value belongs to the user that the client had when it was created. Once the client has authenticated as another
/// user, nothing that is pushed or posted with the value is sent; it still closes the connection.
public struct SocketConnection<Principal: Sendable>: Sendable, Identifiable, Hashable {
    let connection: ServerConnection
    /// The client's principal.
    public let principal: Principal
    let era: Int

    init(_ connection: ServerConnection, _ principal: Principal, _ era: Int) {
        self.connection = connection
        self.principal = principal
        self.era = era
    }

    /// A unique ID of this connection: a client that reconnects gets a new one.
    public var id: CallID { connection.id }
    /// The name of the connection's user; nil if its identity has none.
    public var user: String? { connection.identity.user }
    /// The path of its handshake, without the query.
    public var path: String { connection.head.path }
    /// The address of the client, determined by the server's rules for proxies; nil for a link in memory.
    public var address: String? { connection.head.address }
    /// The negotiated subprotocol; nil for none.
    public var subprotocol: String? { connection.head.subprotocol }
    /// The name of the wire protocol.
    public var wire: String { connection.head.wire.name }
    /// The channels that the connection is in, in the order of their names.
    public var topics: [String] { connection.core.channels.topics(of: connection) }
    /// An audience with only this connection, to push to it or close it.
    public var audience: SocketAudience { SocketAudience(connection.core, .connection(connection, era)) }

    public static func == (left: Self, right: Self) -> Bool { left.connection === right.connection }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(connection)) }

    /// Pushes a typed value. See ``SocketAudience/push(_:_:id:except:)``.
    public func push(_ push: some SocketPush) async throws { try await audience.push(push) }

    /// Sends a message unchanged, whatever the wire protocol. Returns immediately; the message waits in the outbox.
    public func post(_ message: WebSocketMessage) { connection.post(message, in: era) }

    /// Closes the connection with a code. Does nothing if it has ended.
    public func close(_ code: CloseFrameCode = .normalClosure, reason: String = "") {
        audience.close(code, reason: reason)
    }
}
#endif
