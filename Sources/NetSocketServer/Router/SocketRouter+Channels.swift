#if Server
internal import NetCore
public import NetSocketCore

extension SocketRouter {
    // MARK: Channels

    /// Decides who may be in the channels of a pattern, and what holds for them. A throw refuses the join. A channel for which
    /// no pattern was given can't be joined.
    ///
    /// - Parameters:
    ///   - pattern: The name of a channel, or its beginning and `*`. The longest one that fits a name counts.
    ///   - decide: Returns the rules for the channel and the member. Called for each join, those after a reconnect included.
    public mutating func channel(
        _ pattern: String,
        decide: @escaping @Sendable (SocketJoin<Principal>) async throws -> ChannelRules = { _ in ChannelRules() }
    ) {
        table.setChannel(pattern) { join, context in try await decide(SocketJoin(context, join)) }
    }

    // MARK: Openings

    /// Answers the opening message of wire protocols that have one, such as GraphQL's `connection_init`; the reply is its
    /// answer's payload. A throw refuses the connection, which is closed with 4401, or as GraphQL's newer protocol
    /// wants it with 4403. Without it, each opening is accepted.
    public mutating func onOpening(
        _ handler: @escaping @Sendable (SocketPayload?, SocketContext<Principal>) async throws -> SocketPayload?
    ) {
        table.opening = { payload, context in try await handler(payload, SocketContext(context)) }
    }

    // MARK: Credentials

    /// Takes credentials in messages: in the payload of a command of this name, or of the opening message of wires that have
    /// one. nil and every throw refuse them, and the connection is closed with 4401.
    ///
    /// A server without `authenticate` learns who a client is from the first such message; what came before it is held, in
    /// order and bounded, and it must come within ``SocketServerConfiguration/openingTimeout``. On every server, a client renews
    /// its credentials by another one.
    ///
    /// - Parameters:
    ///   - event: The name of the command. Default `authenticate`.
    ///   - check: Returns who the client is.
    public mutating func onCredentials(
        _ event: String = "authenticate",
        check: @escaping @Sendable (SocketPayload?) async throws -> SocketIdentity<Principal>?
    ) {
        table.credentials = (event, { payload, _ in try await check(payload)?.erased })
    }

    // MARK: Subscriptions

    /// Serves the subscriptions of wire protocols that have them, such as an operation of GraphQL: the payload is as the client
    /// wrote it. The subscription is completed when the handler returns, and with a failure when it throws. Its task is
    /// cancelled when the client unsubscribes.
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

/// Where the events of one subscription go.
public struct SocketEvents<Principal: Sendable>: Sendable {
    /// Who has subscribed, and where.
    public let context: SocketContext<Principal>
    private let id: SocketID

    init(_ context: SocketContext<Principal>, _ id: SocketID) {
        self.context = context
        self.id = id
    }

    /// Sends an event; waits while the connection's outbox is full. Throws `CancellationError` once the client has gone or
    /// doesn't want any more.
    public func send(_ payload: SocketPayload) async throws {
        try await context.base.connection.say(.event(id, payload), waits: true)
    }

    /// Encodes and sends an event.
    public func send(_ value: some Encodable) async throws { try await send(SocketPayload(value)) }
}
#endif
