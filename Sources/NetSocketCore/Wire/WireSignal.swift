/// One thing that an end of a connection says to the other, whatever the wire protocol: what one end encodes, the other
/// decodes.
public enum WireSignal: Sendable, Hashable {
    // MARK: The connection

    /// Client: opens the protocol, where it has an opening message.
    case open(SocketPayload?)
    /// Server: the protocol is open.
    case opened(WireOpened)
    /// Either end: ends the protocol; the closing handshake follows.
    case end(WireEnd)
    /// Either end: asks for a sign of life. Most wires answer by themselves (``WireReading/answers``).
    case heartbeat(SocketID?)
    /// The answer to a heartbeat.
    case alive(SocketID?)

    // MARK: Requests and pushes

    /// A command, with or without a reply.
    case request(WireRequest)
    /// The reply to a request.
    case reply(WireReply)
    /// The sender of a request doesn't need the reply any more.
    case cancel(SocketID)
    /// A message that answers no request.
    case push(WirePush)

    // MARK: Channels

    /// Client: joins a channel.
    case join(WireJoin)
    /// Server: the client is in the channel.
    case joined(WireJoined)
    /// Server: the client may not join.
    case joinRefused(SocketID, topic: String, SocketFailure)
    /// Client: leaves a channel.
    case leave(SocketID, topic: String)
    /// Server: the client isn't in the channel any more, after its `leave` (with that ID) or by the server's will.
    case left(SocketID?, topic: String, SocketFailure?)

    // MARK: Subscriptions

    /// Client: subscribes.
    case subscribe(SocketID, SocketPayload)
    /// Server: the subscription has begun, where the wire says so.
    case subscribed(SocketID)
    /// Server: an event of a subscription.
    case event(SocketID, SocketPayload)
    /// Server: no event follows; with a failure if it ended by one.
    case completed(SocketID, SocketFailure?)
    /// Client: ends a subscription.
    case unsubscribe(SocketID)

    // MARK: Delivery

    /// Client: goes on with a session after another connection, or begins one.
    case resume(WireResume)
    /// Server: the answer to ``resume(_:)``.
    case resumed(WireResumed)
    /// Either end: a message with its number, which counts up from 1 within the session.
    indirect case numbered(UInt64, WireSignal)
    /// Either end: everything up to that number has arrived.
    case acknowledge(UInt64)
}

/// A command.
public struct WireRequest: Sendable, Hashable {
    /// The ID that the reply repeats; nil for a request that gets none.
    public var id: SocketID?
    /// The name of the command.
    public var event: String
    /// The payload; nil for none.
    public var payload: SocketPayload?
    /// The channel; nil for none.
    public var topic: String?

    /// Creates a request.
    public init(id: SocketID? = nil, event: String, payload: SocketPayload? = nil, topic: String? = nil) {
        self.id = id
        self.event = event
        self.payload = payload
        self.topic = topic
    }
}

/// The reply to a command.
public struct WireReply: Sendable, Hashable {
    /// What a request led to.
    public enum Outcome: Sendable, Hashable {
        /// It was done.
        case success(SocketPayload?)
        /// The peer refused it, or failed.
        case failure(SocketFailure)
    }

    /// The ID of the request.
    public var id: SocketID
    /// The name of the command; nil if the wire doesn't repeat it.
    public var event: String?
    /// The channel; nil if there is none, or the wire doesn't repeat it.
    public var topic: String?
    /// What it led to.
    public var outcome: Outcome

    /// Creates a reply.
    public init(id: SocketID, event: String? = nil, topic: String? = nil, _ outcome: Outcome) {
        self.id = id
        self.event = event
        self.topic = topic
        self.outcome = outcome
    }
}

/// A message that answers no request.
public struct WirePush: Sendable, Hashable {
    /// The name of a push in place of one that isn't for the client: only its offset counts.
    package static let skipped = "channel.skipped"
    /// The name of a push that says where a channel goes on after pushes were lost (``ChannelGap``).
    package static let gap = "channel.gap"

    /// The name of the event; empty if the wire has no names.
    public var event: String
    /// The payload; nil for none.
    public var payload: SocketPayload?
    /// The channel; nil for none.
    public var topic: String?
    /// The number of the push within its channel, for wires that can recover; nil for others.
    public var offset: UInt64?

    /// Creates a push.
    public init(event: String, payload: SocketPayload? = nil, topic: String? = nil, offset: UInt64? = nil) {
        self.event = event
        self.payload = payload
        self.topic = topic
        self.offset = offset
    }
}

/// A place in the history of a channel: offsets count up within an epoch, and a server that has lost its history starts
/// another epoch.
public struct ChannelPosition: Sendable, Hashable {
    /// The name of the epoch.
    public var epoch: String
    /// The offset of the last push that was received.
    public var offset: UInt64

    /// Creates a position.
    public init(epoch: String, offset: UInt64) {
        self.epoch = epoch
        self.offset = offset
    }
}

/// A join.
public struct WireJoin: Sendable, Hashable {
    /// The ID that the answer repeats.
    public var id: SocketID
    /// The channel.
    public var topic: String
    /// The payload; nil for none.
    public var payload: SocketPayload?
    /// Where this side stopped, to receive what it has missed since; nil for a first join.
    public var position: ChannelPosition?

    /// Creates a join.
    public init(id: SocketID, topic: String, payload: SocketPayload? = nil, position: ChannelPosition? = nil) {
        self.id = id
        self.topic = topic
        self.payload = payload
        self.position = position
    }
}

/// The answer to a join.
public struct WireJoined: Sendable, Hashable {
    /// The ID of the join.
    public var id: SocketID
    /// The channel.
    public var topic: String
    /// The reply's payload; nil for none.
    public var payload: SocketPayload?
    /// The place in the channel's history from which pushes count on; nil if the wire has none.
    public var position: ChannelPosition?
    /// Whether the server could send everything since the position of the join: true if nothing was missed, false if there
    /// is a gap; nil if the wire doesn't say.
    public var isRecovered: Bool?
    /// The missed pushes that the answer contains, in order.
    public var missed: [WirePush]

    /// Creates an answer.
    public init(
        id: SocketID, topic: String, payload: SocketPayload? = nil, position: ChannelPosition? = nil,
        isRecovered: Bool? = nil, missed: [WirePush] = []
    ) {
        self.id = id
        self.topic = topic
        self.payload = payload
        self.position = position
        self.isRecovered = isRecovered
        self.missed = missed
    }
}

/// A server's answer to the opening message.
public struct WireOpened: Sendable, Hashable {
    /// The payload; nil for none.
    public var payload: SocketPayload?
    /// The longest silence of the server, after which it is gone; nil if it doesn't say.
    public var heartbeat: Duration?
    /// The server's name for this connection; nil if it doesn't say.
    public var session: String?

    /// Creates an answer.
    public init(payload: SocketPayload? = nil, heartbeat: Duration? = nil, session: String? = nil) {
        self.payload = payload
        self.heartbeat = heartbeat
        self.session = session
    }
}

/// The end of the protocol.
public struct WireEnd: Sendable, Hashable {
    /// Why; nil for an ordinary end.
    public var failure: SocketFailure?
    /// Whether the client may connect again by itself.
    public var mayReconnect: Bool

    /// Creates an end.
    public init(_ failure: SocketFailure? = nil, mayReconnect: Bool = true) {
        self.failure = failure
        self.mayReconnect = mayReconnect
    }
}
