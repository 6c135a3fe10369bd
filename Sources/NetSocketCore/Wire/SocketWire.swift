public import NetCore

/// A wire protocol: how commands, pushes and channels are written as WebSocket messages. A value, used by both ends.
///
/// A wire is two functions over data, without time, tasks or I/O (``WireMachine``): what one end says becomes messages, and
/// the other end's messages become what it said. A machine belongs to one connection and one role.
///
///     var client = SocketWire.json.makeMachine(.client)
///     let request = WireRequest(id: 1, event: "profile.get")
///     print(try client.encode(.request(request)))
///     // {"event":"profile.get","requestId":"1","payload":{}}
public struct SocketWire: Sendable {
    /// What a wire can express. A session refuses what its wire can't before anything is sent.
    public struct Features: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Requests with replies.
        public static let requests = Features(rawValue: 1 << 0)
        /// Requests without replies.
        public static let notifications = Features(rawValue: 1 << 1)
        /// Messages that answer no request.
        public static let pushes = Features(rawValue: 1 << 2)
        /// Channels that are joined and left.
        public static let channels = Features(rawValue: 1 << 3)
        /// Subscriptions, each with events of its own.
        public static let subscriptions = Features(rawValue: 1 << 4)
        /// Telling the peer that a request isn't needed any more.
        public static let cancellation = Features(rawValue: 1 << 5)
        /// Recovering what a channel has missed, by epoch and offset.
        public static let recovery = Features(rawValue: 1 << 6)
        /// Heartbeats of the client as messages of their own, which the server answers.
        public static let heartbeats = Features(rawValue: 1 << 7)
        /// Leaving a channel is answered.
        public static let confirmedLeaves = Features(rawValue: 1 << 9)
        /// A first message that the server must accept before anything else is sent.
        public static let opening = Features(rawValue: 1 << 8)
        /// Numbered messages and acknowledgments, where both ends have agreed on a subprotocol of the wire.
        public static let delivery = Features(rawValue: 1 << 10)
        /// A channel that the server ends by a failure has crashed, and the client joins it again after a wait.
        public static let crashes = Features(rawValue: 1 << 11)
        /// Messages don't name a subscription: each push is offered to every one, which knows its own.
        public static let sharedEvents = Features(rawValue: 1 << 12)
        /// A push is written the same for every connection that has agreed on the same subprotocol, whatever was said on it
        /// before. A server may write a push once, by a fresh machine, and send that to all of a channel.
        public static let uniformPushes = Features(rawValue: 1 << 13)
    }

    /// The signs of life that a server gives on each open connection.
    public struct ServerHeartbeat: Sendable, Hashable {
        /// What it says: `.heartbeat(nil)` if clients answer, `.alive(nil)` if they don't.
        public var signal: WireSignal
        /// The time between two of them.
        public var interval: Duration
        /// The longest silence that clients are told to accept, the ``WireOpened/heartbeat`` of an opening; longer than the
        /// interval.
        public var maximumSilence: Duration

        /// Creates a heartbeat.
        public init(_ signal: WireSignal, every interval: Duration, maximumSilence: Duration) {
            self.signal = signal
            self.interval = interval
            self.maximumSilence = maximumSilence
        }
    }

    /// The name, for logs and errors: `json`, `phoenix.v2`.
    public var name: String
    /// The subprotocols to offer, the preferred one first (RFC 6455 section 1.9). Default none.
    public var subprotocols: [String]
    /// What it can express.
    public var features: Features
    /// How a client answers requests of the server that its handlers don't. Default: those without a handler not at all.
    public var refusals: WireRefusals
    /// What a server says by itself, because clients leave one that is silent. Default nil: they don't.
    public var serverHeartbeat: ServerHeartbeat?
    /// Creates a machine for one end of one connection.
    public var makeMachine: @Sendable (WebSocketRole) -> any WireMachine

    /// Creates a wire.
    public init(
        _ name: String, subprotocols: [String] = [], features: Features, refusals: WireRefusals = WireRefusals(),
        serverHeartbeat: ServerHeartbeat? = nil,
        makeMachine: @escaping @Sendable (WebSocketRole) -> any WireMachine
    ) {
        self.name = name
        self.subprotocols = subprotocols
        self.features = features
        self.refusals = refusals
        self.serverHeartbeat = serverHeartbeat
        self.makeMachine = makeMachine
    }
}

/// One end of a wire protocol on one connection. A value without I/O; it keeps only what the protocol needs to tell messages
/// apart, such as which reference belongs to which request.
public protocol WireMachine: Sendable {
    /// Tells the machine before anything else which subprotocol both ends have agreed on; nil for none. For wires that say
    /// more where they may. Default: makes no difference.
    mutating func agree(on subprotocol: String?)
    /// Returns the messages that this end sends as soon as the WebSocket is open, before anything else. Default none.
    ///
    /// - Parameter session: this end's name for the connection, for protocols whose server begins and tells it.
    mutating func greet(as session: String) -> [WebSocketMessage]
    /// Writes what this end says as messages, in order. Throws `.unsupported` for what the wire can't express, and
    /// `.encoding` for a payload that it can't carry; nothing has been said then.
    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage]
    /// Reads a message of the peer. Throws `.decoding` for a message that isn't of this wire; the connection may go on.
    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading
}

extension WireMachine {
    public mutating func agree(on subprotocol: String?) {}
    public mutating func greet(as session: String) -> [WebSocketMessage] { [] }
}

/// What a message of the peer means.
public struct WireReading: Sendable, Hashable {
    /// What the peer said, in order.
    public var signals: [WireSignal]
    /// Messages to send back at once, such as the answer to a heartbeat. Default none.
    public var answers: [WebSocketMessage]
    /// Why the rest of a message can't be read of which something is known, such as its number; nil, the default, if nothing is
    /// unreadable. Without the message's text, which may be a secret.
    public var unreadable: String?

    /// Creates a reading.
    public init(_ signals: [WireSignal] = [], answers: [WebSocketMessage] = []) {
        self.signals = signals
        self.answers = answers
    }
}

extension SocketWire {
    /// The error for a signal that the wire can't express.
    package static func unsupported(_ what: String, by name: String) -> NetError {
        NetError(
            .unsupported, phase: .preparing, message: "the wire protocol \(name) has no \(what); use another one for it"
        )
    }

    /// The error for a message that isn't of the wire. The message isn't quoted: it may contain a secret.
    package static func unreadable(_ message: WebSocketMessage, _ problem: String, by name: String) -> NetError {
        NetError(
            .decoding, phase: .decoding,
            message: "a message of \(message.count) bytes is none of the wire protocol \(name): \(problem)")
    }
}
