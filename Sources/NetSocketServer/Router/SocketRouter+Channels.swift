#if Server
internal import NetCore
public import NetSocketCore

extension SocketRouter {
    // MARK: Channels

    /// Sets the rules of the channels that match a pattern, and decides who may join them. Throwing refuses the join.
    /// A channel that matches no pattern can't be joined.
    ///
    /// - Parameters:
    ///   - pattern: The name of a channel, or a prefix and `*`. The longest pattern that matches a name applies.
    ///   - decide: Returns the rules for the channel and the member. Called for each join, including those after a
    ///     reconnect, and without a payload for a member whose connection gets another user.
    public mutating func channel(
        _ pattern: String,
        decide: @escaping @Sendable (SocketJoin<Principal>) async throws -> ChannelRules = { _ in ChannelRules() }
    ) {
        table.setChannel(pattern) { join, context in try await decide(SocketJoin(context, join)) }
    }

    // MARK: Openings

    /// Handles the opening message of wire protocols that have one, such as GraphQL's `connection_init`; its result is
    /// the payload of the reply. Throwing refuses the connection, which is closed with 4401, or with 4403 as GraphQL's
    /// newer protocol requires. Without a handler, each opening is accepted.
    public mutating func onOpening(
        _ handler: @escaping @Sendable (SocketPayload?, SocketContext<Principal>) async throws -> SocketPayload?
    ) {
        table.opening = { payload, context in try await handler(payload, SocketContext(context)) }
    }

    // MARK: Credentials

    /// Authenticates clients by messages: by the payload of a command with this name, or of the opening message of
    /// wires that have one. If `check` returns nil or throws, the connection is closed with 4401.
    ///
    /// A server without `authenticate` authenticates a client by the first such message, which must arrive within
    /// ``SocketServerLimits/firstMessageTime``. Earlier messages are held in order; if there are too many of them, the
    /// connection is closed with 1008. On every server, a client renews its credentials by sending another such
    /// message; later messages wait until they are checked.
    ///
    /// If they are another user's, the closure of each channel that the connection is in is asked again before anything
    /// more is pushed. Channels that refuse the new user are left, and commands of the former one fail with
    /// `user_changed`. Two identities are of the same user if their ``SocketIdentity/user`` is equal, or if neither has
    /// one and their principals are equal.
    ///
    /// - Parameters:
    ///   - event: The name of the command. Default `authenticate`.
    ///   - check: Returns the client's identity.
    public mutating func onCredentials(
        _ event: String = "authenticate",
        check: @escaping @Sendable (SocketPayload?) async throws -> SocketIdentity<Principal>?
    ) {
        table.credentials = (event, { payload, _ in try await check(payload)?.erased })
    }

    // MARK: Subscriptions

    /// Serves the subscriptions of wire protocols that have them, such as an operation of GraphQL. The payload is
    /// passed on as the client wrote it. The subscription completes when the handler returns, and fails when it
    /// throws. Its task is cancelled when the client unsubscribes.
    ///
    ///     var router = SocketRouter<String>()
    ///     router.onSubscription { operation, events in
    ///         for number in 1...3 {
    ///             try await events.send(SocketPayload(json: "{\"data\":{\"count\":\(number)}}"))
    ///         }
    ///     }
    public mutating func onSubscription(
        executor: SocketExecutor = .pool,
        handler: @escaping @Sendable (SocketPayload, SocketEvents<Principal>) async throws -> Void
    ) {
        table.subscription = SubscriptionRoute(executor: executor) { id, payload, context in
            try await handler(payload, SocketEvents(try SocketContext(context), id))
        }
    }
}

/// Sends the events of one subscription.
public struct SocketEvents<Principal: Sendable>: Sendable {
    /// The context of the subscription: its client and its connection.
    public let context: SocketContext<Principal>
    private let id: SocketID

    init(_ context: SocketContext<Principal>, _ id: SocketID) {
        self.context = context
        self.id = id
    }

    /// Sends an event; waits while the connection's outbox is full. Throws `CancellationError` once the client has
    /// disconnected or unsubscribed.
    public func send(_ payload: SocketPayload) async throws {
        try await context.base.connection.say(.event(id, payload), in: context.base.era)
    }

    /// Encodes and sends an event.
    public func send(_ value: some Encodable) async throws { try await send(SocketPayload(value)) }
}
#endif
