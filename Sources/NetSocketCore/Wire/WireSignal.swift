/// A signal that one end of a connection sends to the other, independent of the wire protocol: one end encodes it, and
/// the other decodes it.
public enum WireSignal: Sendable, Hashable {
    // MARK: The connection

    /// Client: opens the protocol, if it has an opening message.
    case open(SocketPayload?)
    /// Server: the protocol is open.
    case opened(WireOpened)
    /// Either end: ends the protocol; the closing handshake follows.
    case end(WireEnd)
    /// Either end: checks if the peer is alive. Most wires respond automatically (``WireReading/responses``).
    case heartbeat(SocketID?)
    /// The response to a heartbeat.
    case alive(SocketID?)

    // MARK: Requests and pushes

    /// A command, with or without a reply.
    case request(WireRequest)
    /// The reply to a request.
    case reply(WireReply)
    /// The sender of a request doesn't need the reply any more.
    case cancel(SocketID)
    /// A message that isn't a reply to a request.
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
    /// Server: the client isn't in the channel any more, after its `leave` (with that ID) or by the server's decision.
    case left(SocketID?, topic: String, SocketFailure?)

    // MARK: Subscriptions

    /// Client: subscribes.
    case subscribe(SocketID, SocketPayload)
    /// Server: the subscription has started, if the wire reports that.
    case subscribed(SocketID)
    /// Server: an event of a subscription.
    case event(SocketID, SocketPayload)
    /// Server: the subscription has ended; with the failure if it failed.
    case completed(SocketID, SocketFailure?)
    /// Client: ends a subscription.
    case unsubscribe(SocketID)

    // MARK: Delivery

    /// Client: resumes the session of an earlier connection, or starts a new one.
    case resume(WireResume)
    /// Server: the response to ``resume(_:)``.
    case resumed(WireResumed)
    /// Either end: a message with its number, which counts up from 1 within the session.
    indirect case numbered(UInt64, WireSignal)
    /// Either end: all messages up to that number have arrived.
    case acknowledge(UInt64)
}

/// A command.
public struct WireRequest: Sendable, Hashable {
    /// The ID that the reply repeats; nil for a request that gets no reply.
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
    /// The outcome of a request.
    public enum Outcome: Sendable, Hashable {
        /// The request was performed.
        case success(SocketPayload?)
        /// The peer refused the request, or failed to perform it.
        case failure(SocketFailure)
    }

    /// The ID of the request.
    public var id: SocketID
    /// The name of the command; nil if the wire doesn't repeat it.
    public var event: String?
    /// The channel; nil if there is none, or the wire doesn't repeat it.
    public var topic: String?
    /// The outcome of the request.
    public var outcome: Outcome

    /// Creates a reply.
    public init(id: SocketID, event: String? = nil, topic: String? = nil, _ outcome: Outcome) {
        self.id = id
        self.event = event
        self.topic = topic
        self.outcome = outcome
    }
}

/// A message that isn't a reply to a request.
public struct WirePush: Sendable, Hashable {
    /// The name of a push that replaces one that isn't meant for the client: only its offset matters.
    package static let skipped = "channel.skipped"
    /// The name of a push with the position from which a channel continues after pushes were lost (``ChannelGap``).
    package static let gap = "channel.gap"

    /// The name of the event; empty if the wire has no names.
    public var event: String
    /// The payload; nil for none.
    public var payload: SocketPayload?
    /// The channel, or the topic on which the push was published; nil for none.
    public var topic: String?
    /// The channels that receive the push, for a wire whose channels are patterns, such as `a/#` of MQTT. Default
    /// empty: the channel ``topic``.
    public var channels: [String]
    /// The number of the push within its channel, for wires that support recovery; nil for others.
    public var offset: UInt64?

    /// Creates a push.
    public init(
        event: String, payload: SocketPayload? = nil, topic: String? = nil, channels: [String] = [],
        offset: UInt64? = nil
    ) {
        self.event = event
        self.payload = payload
        self.topic = topic
        self.channels = channels
        self.offset = offset
    }

    /// Returns true if the push belongs to a channel.
    package func belongs(to channel: String) -> Bool {
        channels.isEmpty ? topic == channel : channels.contains(channel)
    }
}

/// A position in the history of a channel: offsets count up within an epoch, and a server that has lost its history
/// starts a new epoch.
public struct ChannelPosition: Sendable, Hashable, Codable {
    /// The name of the epoch.
    public var epoch: String
    /// The offset of the last received push.
    public var offset: UInt64

    /// Creates a position.
    public init(epoch: String, offset: UInt64) {
        self.epoch = epoch
        self.offset = offset
    }
}

/// A request to join a channel.
public struct WireJoin: Sendable, Hashable {
    /// The ID that the response repeats.
    public var id: SocketID
    /// The channel.
    public var topic: String
    /// The payload; nil for none.
    public var payload: SocketPayload?
    /// The position of the last push that this side received, to recover the later ones; nil for a first join.
    public var position: ChannelPosition?

    /// Creates a join.
    public init(id: SocketID, topic: String, payload: SocketPayload? = nil, position: ChannelPosition? = nil) {
        self.id = id
        self.topic = topic
        self.payload = payload
        self.position = position
    }
}

/// The response to a join.
public struct WireJoined: Sendable, Hashable {
    /// The ID of the join.
    public var id: SocketID
    /// The channel.
    public var topic: String
    /// The reply's payload; nil for none.
    public var payload: SocketPayload?
    /// The channel's current position: later pushes have higher offsets. nil if the wire has no positions.
    public var position: ChannelPosition?
    /// True if the server could send all pushes since the position of the join, false if some are missing; nil if the
    /// wire doesn't report it.
    public var isRecovered: Bool?
    /// The missed pushes that the response contains, in order.
    public var missed: [WirePush]

    /// Creates a response.
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

/// A server's response to the opening message.
public struct WireOpened: Sendable, Hashable {
    /// The payload; nil for none.
    public var payload: SocketPayload?
    /// The longest silence of the server, after which it counts as gone: its heartbeats' interval and a margin. Zero for
    /// no limit; nil, the default, if the server doesn't specify it.
    public var heartbeat: Duration?
    /// The time between the heartbeats that the server expects of its client. Zero for no heartbeats; nil, the default,
    /// if the server doesn't specify it. Then a client whose wire has ``SocketWire/Features/heartbeats`` sends them at
    /// the interval of ``heartbeat``, or else of its settings, and expects something to arrive between two of them.
    public var heartbeatInterval: Duration?
    /// The server's name for this connection; nil if the server doesn't specify it.
    public var session: String?

    /// Creates a response.
    public init(
        payload: SocketPayload? = nil, heartbeat: Duration? = nil, heartbeatInterval: Duration? = nil,
        session: String? = nil
    ) {
        self.payload = payload
        self.heartbeat = heartbeat
        self.heartbeatInterval = heartbeatInterval
        self.session = session
    }
}

/// The end of the protocol.
public struct WireEnd: Sendable, Hashable {
    /// The reason; nil for a regular end.
    public var failure: SocketFailure?
    /// True if the client may reconnect automatically.
    public var mayReconnect: Bool

    /// Creates an end.
    public init(_ failure: SocketFailure? = nil, mayReconnect: Bool = true) {
        self.failure = failure
        self.mayReconnect = mayReconnect
    }
}
