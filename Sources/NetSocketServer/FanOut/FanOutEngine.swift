#if Server
public import NetCore
public import NetSocketCore

/// Carries the pushes of channels between servers, and keeps what clients that come back have missed.
///
/// A server opens its engine when it starts, subscribes to a topic while one of its connections is in that channel, and
/// publishes every push of a channel through the engine, even if all members are its own: the engine numbers them. The engine
/// hands every push of a subscribed topic to every server, the publisher included.
///
/// The positions of a topic count up from 1 within an epoch. An engine that has lost the history of a topic takes another
/// epoch, so that an offset of the old one means nothing (``ChannelPosition``).
///
/// An engine serves one server at a time. Servers share what is behind it: each has its own engine on the same broker, or, within
/// a process, on the same memory (``MemoryFanOut/init(sharing:)``). Before ``open(as:_:)`` and after ``close()``, every other
/// function throws `.shutdown`.
public protocol FanOutEngine: Sendable {
    /// Begins to serve a server. Called once, before anything else; again only after ``close()``. Throws `.invalidRequest` if it
    /// serves one already, or if another server has that name.
    ///
    /// - Parameters:
    ///   - node: The name of the server, unique among all that share the engine.
    ///   - receive: Receives what happens in each subscribed topic, from any thread; it returns immediately. The events of a
    ///     topic come one after another, its messages in the order of their offsets; those without an offset, in the order of
    ///     publishing.
    func open(as node: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) async throws(NetError)
    /// Begins to deliver a topic. Every message that is published after this has returned is delivered, and every change of its
    /// members; if it has any now, ``FanOutEvent/members(_:topic:)`` comes first. Subscribing again only delivers the members again.
    ///
    /// - Parameter retention: How much of the topic's past is kept from now on; ``FanOutRetention/unchanged`` leaves it as it is.
    func subscribe(to topic: String, keeping retention: FanOutRetention) async throws(NetError)
    /// Stops delivering a topic. Nothing that is published after this has returned is delivered.
    func unsubscribe(from topic: String) async throws(NetError)
    /// Publishes a message and returns its position, once the engine has it; it may be delivered later. A message with an ID that
    /// was published to that topic before isn't published again: the position of the first is returned. Engines remember at least
    /// the last 1,000 IDs of a topic for the time of its retention. An empty ID is never compared.
    ///
    /// - Parameters:
    ///   - message: The message. An offset of its push is replaced.
    ///   - retention: How much of the topic's past is kept, this message included; it holds from now on, for earlier messages
    ///     too. ``FanOutRetention/unchanged`` leaves it as it is, for publishers that don't know the topic. Nil for a message that
    ///     takes no offset and isn't kept, such as a note of who is typing: it is delivered in order with an offset of nil, leaves
    ///     no hole in the history, and the position of the message before it is returned.
    func publish(_ message: FanOutMessage, keeping retention: FanOutRetention?) async throws(NetError)
        -> ChannelPosition
    /// Returns what was published to a topic after a position, or, for nil, where the topic is now.
    func history(of topic: String, after position: ChannelPosition?) async throws(NetError) -> FanOutHistory
    /// Notes that a member is in a channel. It stays until ``leave(_:from:)``, or until its server is gone. Entering again replaces
    /// the key and the details of a connection.
    func enter(_ member: PresenceMember, in topic: String) async throws(NetError)
    /// Notes that a member isn't in a channel any more. Only its server and its connection are compared; without such a member,
    /// nothing changes.
    func leave(_ member: PresenceMember, from topic: String) async throws(NetError)
    /// Returns the members of a channel on all servers, in the order in which they entered.
    func members(of topic: String) async throws(NetError) -> [PresenceMember]
    /// Ends: nothing is delivered any more, and the members of this server are gone from all channels. Closing again changes
    /// nothing.
    func close() async
}

extension FanOutEngine {
    /// Subscribes, and leaves what is kept as it is.
    public func subscribe(to topic: String) async throws(NetError) {
        try await subscribe(to: topic, keeping: .unchanged)
    }
}

/// How much of a channel's past is kept.
public struct FanOutRetention: Sendable, Hashable {
    /// The number of pushes. 0 keeps none; they are numbered all the same.
    public var count: Int
    /// The size of their payloads and names together, in bytes. Default 1 MiB.
    public var bytes: Int
    /// The time after the last push for which the history is kept. Default 5 minutes.
    public var time: Duration
    /// Whether it is ``unchanged``.
    let isUnchanged: Bool

    /// Keeps the retention that was set last; nothing is kept if none was set, or if the engine has forgotten it.
    public static let unchanged = FanOutRetention()

    private init() {
        (count, bytes, time, isUnchanged) = (0, 1 << 20, .seconds(300), true)
    }

    /// Creates a retention.
    public init(count: Int, bytes: Int = 1 << 20, time: Duration = .seconds(300)) {
        self.count = count
        self.bytes = bytes
        self.time = time
        isUnchanged = false
    }
}

/// What was published to a channel after a position.
public struct FanOutHistory: Sendable, Hashable {
    /// Where the channel is now.
    public var position: ChannelPosition
    /// The pushes up to it, in order; if something is missing, those that are left.
    public var pushes: [WirePush]
    /// Whether that is everything since the position that was asked for: false if something is missing, or the epoch is
    /// another one. True if no position was asked for.
    public var isComplete: Bool

    /// Creates a history.
    public init(position: ChannelPosition, pushes: [WirePush] = [], isComplete: Bool = true) {
        self.position = position
        self.pushes = pushes
        self.isComplete = isComplete
    }
}

/// A connection that is shown as present in a channel.
public struct PresenceMember: Sendable, Hashable {
    /// Who it is, such as the name of a user: members with the same key are shown as one.
    public var key: String
    /// The connection.
    public var connection: String
    /// The server of the connection.
    public var node: String
    /// What is shown of it; nil for nothing.
    public var details: SocketPayload?

    /// Creates a member.
    public init(key: String, connection: String, node: String, details: SocketPayload? = nil) {
        self.key = key
        self.connection = connection
        self.node = node
        self.details = details
    }
}
#endif
