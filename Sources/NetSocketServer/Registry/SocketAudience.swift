#if Server
public import NetCore
public import NetSocketCore

/// The receivers of a push: one connection, a user, the members of a channel, or all connections.
///
/// ```text
/// try await server.channel("room:general").push(ChatMessage(from: "ada", text: "hello"))
/// server.user("eve").close(.policyViolation)
/// ```
///
/// A push is encoded once for each wire protocol among its receivers and handed to their event loops. A slow receiver
/// doesn't delay the others (``SocketServerConfiguration/slowClients``).
public struct SocketAudience: Sendable {
    enum Kind: Sendable {
        /// A connection while it has the user of an era.
        case connection(ServerConnection, Int)
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

    /// The number of the audience's connections on this server.
    public var count: Int { receivers.count }
    /// True if the audience has no connections on this server.
    public var isEmpty: Bool { count == 0 }
    /// The IDs of the audience's connections on this server.
    public var connectionIDs: [CallID] { receivers.map(\.id) }

    // MARK: Pushing

    /// Pushes a typed value.
    ///
    /// For a channel, returns once the server's engine has the push, and throws the engine's errors. For a user,
    /// delivers to the connections on this server first, and then to those on other servers that share the engine: if
    /// it throws, those may not have received it. For one connection, waits while that connection's outbox is full. A
    /// connection that ends receives nothing, which isn't an error.
    ///
    /// - Parameters:
    ///   - push: The value.
    ///   - id: For a channel, the ID by which the engine recognizes a push that is sent again, such as the ID that the
    ///     client gave its message. The engine drops a duplicate and returns the position of the first. nil, the
    ///     default, generates a new ID.
    ///   - except: The ID of a connection that doesn't receive it; nil, the default, for none.
    /// - Returns: The position of the push in its channel; nil for other audiences and for a pattern of channels.
    @discardableResult
    public func push<Push: SocketPush>(
        _ push: Push, id: String? = nil, except: CallID? = nil
    ) async throws -> ChannelPosition? {
        try await self.push(Push.event, SocketPayload(push, coding: core.table.coding), id: id, except: except)
    }

    /// Pushes a typed value to all connections except the one that caused it.
    @discardableResult
    public func push<Principal>(
        _ push: some SocketPush, id: String? = nil, except connection: SocketConnection<Principal>
    ) async throws -> ChannelPosition? {
        try await self.push(push, id: id, except: connection.id)
    }

    /// Pushes an event by its name, with an optional payload.
    @discardableResult
    public func push(
        _ event: String, _ payload: SocketPayload? = nil, id: String? = nil, except: CallID? = nil
    ) async throws -> ChannelPosition? {
        let push = WirePush(event: event, payload: payload)
        switch kind {
        case .topics(let pattern):
            guard pattern.hasSuffix("*") else { return try await publish(push, to: pattern, id, except) }
            for topic in core.channels.topics(matching: pattern) { _ = try await publish(push, to: topic, id, except) }
        case .connection(let connection, let era):
            if connection.id == except { return nil }
            try await connection.say(.push(push), in: era)
        case .user(let user):
            await core.deliver(push, to: receivers.filter { $0.id != except }, of: user)
            try await core.users?.publish(push, to: user, except: except)
        case .all: await core.deliver(push, to: receivers.filter { $0.id != except })
        }
        return nil
    }

    private func publish(
        _ push: WirePush, to topic: String, _ id: String?, _ except: CallID?
    ) async throws -> ChannelPosition {
        var push = push
        push.topic = topic
        return try await core.channels.publish(push, to: topic, except: except, id: id)
    }

    /// Sends a message unchanged, whatever the wire protocol. While it waits for a slow client, it can be dropped like
    /// a push.
    public func send(_ message: WebSocketMessage) {
        let frame = SharedFrame(message)
        guard case .topics(let pattern) = kind else {
            core.onLanes(of: receivers) { [self] in if has($0) { $0.send(.shared(frame), key: "", .user) } }
            return
        }
        for topic in core.channels.topics(matching: pattern) {
            core.onLanes(of: core.channels.members(of: topic)) { $0.send(.shared(frame), key: "", .topic(topic)) }
        }
    }

    /// False for a connection that has another user by now. On its lane.
    private func has(_ connection: ServerConnection) -> Bool {
        switch kind {
        case .connection(_, let era): connection.era == era
        case .user(let user): connection.identity.user == user
        case .topics, .all: true
        }
    }

    // MARK: Ending

    /// Closes the audience's connections on this server with a code. Members of a channel stay connected: they are
    /// removed from the channel and notified.
    public func close(_ code: CloseFrameCode = .normalClosure, reason: String = "") {
        if case .topics(let pattern) = kind {
            let failure = code == .normalClosure ? nil : SocketFailure(reason.isEmpty ? "closed" : reason)
            for topic in core.channels.topics(matching: pattern) {
                core.onLanes(of: core.channels.members(of: topic)) { $0.expel(from: topic, failure) }
            }
        } else {
            var user: String?
            if case .user(let name) = kind { user = name }
            core.onLanes(of: receivers) { [user] in
                if user == nil || $0.identity.user == user { $0.close(code.code, reason) }
            }
        }
    }

    // MARK: On all servers

    /// The members on all servers that share the engine, in the order in which they joined: for a channel, those with
    /// presence (``ChannelRules/presence``); for a user, its connections. Empty for other audiences and for a pattern.
    ///
    /// Throws the engine's errors. A connection that has just opened may be missing, and one that has just ended may
    /// still be included.
    public func members() async throws -> [PresenceMember] {
        switch kind {
        case .topics(let topic) where !topic.hasSuffix("*"): try await core.channels.presence(in: topic)
        case .user(let user): try await core.users?.members(of: user) ?? core.localMembers(of: user)
        case .topics, .connection, .all: []
        }
    }

    /// Returns the last pushes of a channel that has a history, at most `count`. Empty for other audiences.
    public func history(last count: Int) async throws -> FanOutHistory {
        guard case .topics(let topic) = kind else {
            return FanOutHistory(position: ChannelPosition(epoch: "", offset: 0))
        }
        return try await core.channels.history(of: topic, last: count)
    }

    /// Returns those of the last `count` pushes of a channel that have the name of a type, decoded. Throws `.decoding`
    /// for one that can't be decoded.
    public func history<Push: SocketPush>(last count: Int, of type: Push.Type) async throws -> [Push] {
        try await history(last: count).pushes.filter { $0.event == Push.event }
            .map { try $0.decoded(as: type, coding: core.table.coding) }
    }

    /// Closes the connections of a user on all servers that share the engine. For other audiences, it does the same as
    /// ``close(_:reason:)``. Throws the engine's errors; then only the connections on this server are closed.
    public func closeEverywhere(_ code: CloseFrameCode = .normalClosure, reason: String = "") async throws {
        close(code, reason: reason)
        if case .user(let user) = kind { try await core.users?.close(user, code, reason) }
    }

    private var receivers: [ServerConnection] {
        switch kind {
        case .connection(let connection, _): [connection]
        case .user(let user): core.connections.connections(of: user)
        case .topics(let pattern): core.channels.topics(matching: pattern).flatMap { core.channels.members(of: $0) }
        case .all: core.connections.all
        }
    }
}
#endif
