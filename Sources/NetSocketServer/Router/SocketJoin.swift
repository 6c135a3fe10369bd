#if Server
internal import NetCore
public import NetSocketCore

/// A client's request to join a channel.
public struct SocketJoin<Principal: Sendable>: Sendable {
    let base: CommandContext
    let join: WireJoin
    /// The principal of the client that wants to join.
    public let principal: Principal

    init(_ base: CommandContext, _ join: WireJoin) throws {
        self.base = base
        self.join = join
        principal = try base.principal()
    }

    /// The channel.
    public var topic: String { join.topic }
    /// The payload; nil for none.
    public var payload: SocketPayload? { join.payload }
    /// True if the client was in the channel before and requests the pushes that it missed.
    public var isReturning: Bool { join.position != nil }
    /// The connection.
    public var connection: SocketConnection<Principal> { SocketConnection(base.connection, principal, base.era) }
    /// The server.
    public var server: SocketServer<Principal> { SocketServer(base.connection.core) }
}

/// The settings of a channel and of the member that joins it.
public struct ChannelRules: Sendable, Hashable {
    /// The number of pushes that are kept for clients that return. Default 0. A channel without a history has no
    /// positions: a client that returns isn't notified of the pushes that it missed.
    public var history: Int
    /// The time after the last push for which the history is kept. Default 5 minutes.
    public var historyTime: Duration
    /// The key under which the member is shown to the others; nil, the default, if it isn't shown.
    public var presence: String?
    /// Additional data that is shown about the member; nil, the default, if only its key is shown.
    public var details: SocketPayload?
    /// If true, a member receives the last push as soon as it has joined. Default false.
    public var sendsLatest: Bool
    /// The minimum time between two pushes of the channel to its members: of the pushes in between, only the last is
    /// sent. nil, the default, sends all of them. Such a channel has no history.
    public var interval: Duration?
    /// The payload of the reply to the join; nil, the default, for none.
    public var reply: SocketPayload?

    /// Creates rules.
    public init(
        history: Int = 0, historyTime: Duration = .seconds(300), presence: String? = nil,
        details: SocketPayload? = nil, sendsLatest: Bool = false, interval: Duration? = nil,
        reply: SocketPayload? = nil
    ) {
        self.history = history
        self.historyTime = historyTime
        self.presence = presence
        self.details = details
        self.sendsLatest = sendsLatest
        self.interval = interval
        self.reply = reply
    }
}
#endif
