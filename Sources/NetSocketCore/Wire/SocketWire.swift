public import NetCore

/// A wire protocol: the encoding of commands, pushes and channels as WebSocket messages. A value, used by both ends.
///
/// A wire consists of two functions over data, without time, tasks or I/O (``WireMachine``): one encodes the signals
/// of one end as messages, and the other decodes the messages of the other end. A machine belongs to one connection
/// and one role.
///
///     var client = SocketWire.json.makeMachine(.client)
///     let request = WireRequest(id: 1, event: "profile.get")
///     print(try client.encode(.request(request)))
///     // {"event":"profile.get","requestId":"1","payload":{}}
public struct SocketWire: Sendable {
    /// The features of a wire. A session refuses an unsupported operation before anything is sent.
    public struct Features: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Requests with replies.
        public static let requests = Features(rawValue: 1 << 0)
        /// Requests without replies.
        public static let notifications = Features(rawValue: 1 << 1)
        /// Messages that aren't replies to requests.
        public static let pushes = Features(rawValue: 1 << 2)
        /// Channels, which are joined and left.
        public static let channels = Features(rawValue: 1 << 3)
        /// Subscriptions, each with its own events.
        public static let subscriptions = Features(rawValue: 1 << 4)
        /// Canceling a request that isn't needed any more.
        public static let cancellation = Features(rawValue: 1 << 5)
        /// Recovering the missed pushes of a channel, by epoch and offset.
        public static let recovery = Features(rawValue: 1 << 6)
        /// Heartbeats of the client as separate messages, to which the server responds.
        public static let heartbeats = Features(rawValue: 1 << 7)
        /// Leaving a channel is confirmed by a reply.
        public static let confirmedLeaves = Features(rawValue: 1 << 9)
        /// A first message that the server must accept before anything else is sent.
        public static let opening = Features(rawValue: 1 << 8)
        /// Numbered messages and acknowledgments, if both ends have agreed on a subprotocol of the wire.
        public static let delivery = Features(rawValue: 1 << 10)
        /// Channels can crash: if the server ends a channel with a failure, the client joins it again after a delay.
        public static let crashes = Features(rawValue: 1 << 11)
        /// Messages don't name a subscription: each push is offered to every subscription, which recognizes its own.
        public static let sharedEvents = Features(rawValue: 1 << 12)
        /// A push is encoded identically for every connection with the same subprotocol, regardless of earlier
        /// messages. A server may encode a push once, with a new machine, and send it to all members of a channel.
        public static let uniformPushes = Features(rawValue: 1 << 13)
        /// A topic that isn't a channel: any request may carry a tag that the server knows, such as the `sessionId` of
        /// Chromium's DevTools. Without this feature, a request with a topic needs its channel to be joined.
        public static let tags = Features(rawValue: 1 << 14)
    }

    /// The heartbeats that a server sends on each open connection.
    public struct ServerHeartbeat: Sendable, Hashable {
        /// The signal to send: `.heartbeat(nil)` if clients respond, `.alive(nil)` if they don't.
        public var signal: WireSignal
        /// The time between two heartbeats.
        public var interval: Duration
        /// The longest silence that clients should accept, which the server announces as ``WireOpened/heartbeat``.
        /// Longer than the interval.
        public var maximumSilence: Duration

        /// Creates a heartbeat.
        public init(_ signal: WireSignal, every interval: Duration, maximumSilence: Duration) {
            self.signal = signal
            self.interval = interval
            self.maximumSilence = maximumSilence
        }
    }

    /// The name, for logs and errors, such as `json` or `phoenix.v2`.
    public var name: String
    /// The subprotocols to offer, the preferred one first (RFC 6455 section 1.9). Default none.
    public var subprotocols: [String]
    /// The features that the wire supports.
    public var features: Features
    /// The replies of a client to server requests that its handlers don't handle. By default, requests without a
    /// handler get no reply.
    public var refusals: WireRefusals
    /// The heartbeats that a server must send so that its clients don't disconnect. Default nil: clients of this wire
    /// don't disconnect from a silent server.
    public var serverHeartbeat: ServerHeartbeat?
    /// The code with which a server closes the connection of a client that sends a message which
    /// ``WireMachine/decode(_:)`` can't read. Default nil: 1003 for a binary message, 1007 for text. For wires with a
    /// message for this case, see ``WireReading/unreadable``.
    public var unreadableCode: CloseFrameCode?
    /// Creates a machine for one end of one connection.
    public var makeMachine: @Sendable (WebSocketRole) -> any WireMachine

    /// Creates a wire.
    public init(
        _ name: String, subprotocols: [String] = [], features: Features, refusals: WireRefusals = WireRefusals(),
        serverHeartbeat: ServerHeartbeat? = nil, unreadableCode: CloseFrameCode? = nil,
        makeMachine: @escaping @Sendable (WebSocketRole) -> any WireMachine
    ) {
        self.name = name
        self.subprotocols = subprotocols
        self.features = features
        self.refusals = refusals
        self.serverHeartbeat = serverHeartbeat
        self.unreadableCode = unreadableCode
        self.makeMachine = makeMachine
    }
}

/// One end of a wire protocol on one connection. A value without I/O; it only keeps the state that the protocol needs
/// to interpret messages, such as the request that a reference belongs to.
public protocol WireMachine: Sendable {
    /// Sets the negotiated subprotocol, before anything else is called; nil for none. For wires with optional
    /// features. Default: has no effect.
    mutating func agree(on subprotocol: String?)
    /// Returns the messages that this end sends as soon as the WebSocket is open, before anything else. Default none.
    ///
    /// - Parameter session: This end's name for the connection, which some protocols send in the server's first
    ///   message.
    mutating func greet(as session: String) -> [WebSocketMessage]
    /// Encodes a signal of this end as messages, in order. Throws `.unsupported` for a signal that the wire can't
    /// express, and `.encoding` for a payload that it can't carry; then nothing may be sent.
    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage]
    /// Decodes a message of the peer. Throws `.decoding` for a message that isn't valid in this wire. A client's
    /// connection continues; a server closes it with ``SocketWire/unreadableCode``.
    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading
}

extension WireMachine {
    public mutating func agree(on subprotocol: String?) {}
    public mutating func greet(as session: String) -> [WebSocketMessage] { [] }
}

/// The meaning of a message from the peer.
public struct WireReading: Sendable, Hashable {
    /// The peer's signals, in order.
    public var signals: [WireSignal]
    /// Messages to send back immediately, such as the response to a heartbeat. Default none.
    public var responses: [WebSocketMessage]
    /// The problem with a message that could be decoded only in part, for example only its number, or that the server
    /// refuses by ``responses``; nil, the default, if everything was decoded. Doesn't quote the message, which may contain
    /// secrets.
    public var unreadable: String?

    /// Creates a reading.
    public init(_ signals: [WireSignal] = [], responses: [WebSocketMessage] = []) {
        self.signals = signals
        self.responses = responses
    }
}

extension SocketWire {
    /// Returns the error for a signal that the wire can't express.
    package static func unsupported(_ what: String, by name: String) -> NetError {
        NetError(
            .unsupported, phase: .preparing, message: "the wire protocol \(name) has no \(what); use another one for it"
        )
    }

    /// Returns the error for a message that isn't valid in the wire. The message isn't quoted: it may contain a
    /// secret.
    package static func unreadable(_ message: WebSocketMessage, _ problem: String, by name: String) -> NetError {
        NetError(
            .decoding, phase: .decoding,
            message: "a message of \(message.count) bytes isn't valid in the wire protocol \(name): \(problem)")
    }
}
