#if Server
public import NetCore
public import NetSocketCore

/// Those whom a server says something to: one connection, a user, the members of a channel, or everybody.
///
/// ```text
/// try await server.channel("room:general").push(ChatMessage(from: "ada", text: "hello"))
/// server.user("eve").close(.policyViolation)
/// ```
///
/// A push is encoded once for each wire protocol among its receivers. It is handed to their event loops and returns; a receiver
/// that reads slowly holds up nobody (``SocketServerConfiguration/slowClients``).
public struct SocketAudience: Sendable {
    enum Kind: Sendable {
        case connection(ServerConnection)
        case user(String)
        case topics(String)
        case all
    }

    private let core: SocketServerCore
    private let kind: Kind

    init(_ core: SocketServerCore, _ kind: Kind) {
        self.core = core
        self.kind = kind
    }

    /// The number of its connections on this server.
    public var count: Int { receivers.count }
    /// Whether nobody on this server belongs to it.
    public var isEmpty: Bool { count == 0 }
    /// The IDs of its connections on this server.
    public var connectionIDs: [CallID] { receivers.map(\.id) }

    // MARK: Pushing

    /// Pushes a typed value.
    ///
    /// To a channel, it returns once the server's engine has it, and throws what the engine throws. To one connection, it waits
    /// while that connection's outbox is full. A connection that ends receives nothing, which isn't an error.
    ///
    /// - Parameters:
    ///   - push: The value.
    ///   - except: The ID of a connection that doesn't receive it; nil, the default, for none.
    public func push<Push: SocketPush>(_ push: Push, except: CallID? = nil) async throws {
        try await self.push(Push.event, SocketPayload(push, coding: core.table.coding), except: except)
    }

    /// Pushes a typed value to all but the connection that has caused it.
    public func push<Principal>(_ push: some SocketPush, except connection: SocketConnection<Principal>) async throws {
        try await self.push(push, except: connection.id)
    }

    /// Pushes an event by its name, with a payload or without.
    public func push(_ event: String, _ payload: SocketPayload? = nil, except: CallID? = nil) async throws {
        let push = WirePush(event: event, payload: payload)
        switch kind {
        case .topics(let pattern):
            for topic in pattern.hasSuffix("*") ? core.channels.topics(matching: pattern) : [pattern] {
                var push = push
                push.topic = topic
                try await core.channels.publish(push, to: topic, except: except)
            }
        case .connection(let connection):
            if connection.id == except { return }
            try await connection.waitForRoom()
            connection.lane.run { connection.say(.push(push)) }
            await connection.lane.settle()
        case .user, .all: await core.deliver(push, to: receivers.filter { $0.id != except })
        }
    }

    /// Sends a message as it is, whatever the wire protocol. One that waits for a slow client is dropped like a push.
    public func send(_ message: WebSocketMessage) {
        let frame = SharedFrame(message)
        core.onLanes(of: receivers) { $0.send(.shared(frame), key: "") }
    }

    // MARK: Ending

    /// Closes its connections with a code. Members of a channel stay connected: they are out of the channel, and told so.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") {
        if case .topics(let pattern) = kind {
            let failure = code == .normalClosure ? nil : SocketFailure(reason.isEmpty ? "closed" : reason)
            for topic in core.channels.topics(matching: pattern) {
                core.onLanes(of: core.channels.members(of: topic)) { $0.expel(from: topic, failure) }
            }
        } else {
            core.onLanes(of: receivers) { $0.close(code, reason) }
        }
    }

    private var receivers: [ServerConnection] {
        switch kind {
        case .connection(let connection): [connection]
        case .user(let user): core.connections.connections(of: user)
        case .topics(let pattern): core.channels.topics(matching: pattern).flatMap { core.channels.members(of: $0) }
        case .all: core.connections.all
        }
    }
}
#endif
