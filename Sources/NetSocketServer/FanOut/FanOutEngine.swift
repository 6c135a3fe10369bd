#if Server
public import NetCore
public import NetSocketCore

/// Carries the pushes of channels between servers, and keeps a history for clients that return.
///
/// A server opens its engine when it starts, subscribes to a topic while one of its connections is in that channel,
/// and publishes every push of a channel through the engine, even if all members are on the same server: the engine
/// numbers the pushes. The engine delivers every push of a topic to every subscribed server, including the publisher.
///
/// The positions of a topic count up from 1 within an epoch. An engine that has lost the history of a topic starts a
/// new epoch, so that an offset of the old one is invalid (``ChannelPosition``).
///
/// An engine serves one server at a time. Servers share the storage behind it: each has its own engine on the same
/// broker, or, within a process, on the same memory (``MemoryFanOut/init(sharing:)``). Before ``open(as:_:)`` and
/// after ``close()``, every other function throws `.shutdown`.
public protocol FanOutEngine: Sendable {
    /// Starts serving a server. Called once, before anything else; again only after ``close()``. Throws
    /// `.invalidRequest` if the engine already serves a server, or if another server has that name.
    ///
    /// - Parameters:
    ///   - node: The name of the server, unique among all that share the engine.
    ///   - receive: Receives the events of each subscribed topic, on any thread; it must return immediately. The
    ///     events of a topic arrive one at a time, its messages in the order of their offsets, and messages without an
    ///     offset in the order of publishing.
    func open(as node: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) async throws(NetError)
    /// Starts delivering a topic. Every message published and every change of members made after this function has
    /// returned is delivered; if the topic has members now, ``FanOutEvent/members(_:topic:)`` comes first. Subscribing
    /// again only delivers the members again.
    ///
    /// - Parameters:
    ///   - topic: The topic.
    ///   - retention: The retention of the topic from now on; ``FanOutRetention/unchanged`` keeps the current one.
    func subscribe(to topic: String, keeping retention: FanOutRetention) async throws(NetError)
    /// Stops delivering a topic. Messages published after this function has returned aren't delivered.
    func unsubscribe(from topic: String) async throws(NetError)
    /// Publishes a message and returns its position, once the engine has accepted it; it may be delivered later. A
    /// message whose ID was already published to that topic isn't published again; the position of the first is
    /// returned. Engines remember at least the last 1,000 IDs of a topic for the time of its retention. An empty ID is
    /// never compared.
    ///
    /// - Parameters:
    ///   - message: The message. The engine replaces its push's offset.
    ///   - retention: The retention of the topic from now on, including this message and earlier ones.
    ///     ``FanOutRetention/unchanged`` keeps the current one, for publishers that don't know the topic. nil for a
    ///     message that takes no offset and isn't kept, such as a typing notification: it is delivered in order with
    ///     an offset of nil, leaves no gap in the history, and the position of the previous message is returned.
    func publish(_ message: FanOutMessage, keeping retention: FanOutRetention?) async throws(NetError)
        -> ChannelPosition
    /// Returns the messages published to a topic after a position. For nil, returns only the topic's current position.
    func history(of topic: String, after position: ChannelPosition?) async throws(NetError) -> FanOutHistory
    /// Adds a member to a channel. It stays until ``leave(_:from:)`` is called or its server is gone. Entering again
    /// replaces the key and the details of a connection.
    func enter(_ member: PresenceMember, in topic: String) async throws(NetError)
    /// Removes a member from a channel. Only its server and its connection are compared; if there is no such member,
    /// nothing changes.
    func leave(_ member: PresenceMember, from topic: String) async throws(NetError)
    /// Returns the members of a channel on all servers, in the order in which they entered.
    func members(of topic: String) async throws(NetError) -> [PresenceMember]
    /// Stops serving: nothing is delivered any more, and the members of this server are removed from all channels.
    /// Closing again has no effect.
    func close() async
}

extension FanOutEngine {
    /// Subscribes to a topic, and keeps its current retention.
    public func subscribe(to topic: String) async throws(NetError) {
        try await subscribe(to: topic, keeping: .unchanged)
    }
}

/// The retention of a channel's history.
public struct FanOutRetention: Sendable, Hashable {
    /// The number of pushes. 0 keeps no pushes; they are numbered nevertheless.
    public var count: Int
    /// The total size of their payloads and names, in bytes. Default 1 MiB.
    public var bytes: Int
    /// The time after the last push for which the history is kept. Default 5 minutes.
    public var time: Duration
    /// True for ``unchanged``.
    let isUnchanged: Bool

    /// Keeps the retention that was set last; keeps no history if none was set, or if the engine has forgotten it.
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

/// The messages published to a channel after a position.
public struct FanOutHistory: Sendable, Hashable {
    /// The current position of the channel.
    public var position: ChannelPosition
    /// The pushes up to that position, in order; if some are missing, the remaining ones.
    public var pushes: [WirePush]
    /// True if the pushes are complete since the requested position. False if some are missing, or if the epoch has
    /// changed. True if no position was requested.
    public var isComplete: Bool

    /// Creates a history.
    public init(position: ChannelPosition, pushes: [WirePush] = [], isComplete: Bool = true) {
        self.position = position
        self.pushes = pushes
        self.isComplete = isComplete
    }
}

/// A connection that is present in a channel.
public struct PresenceMember: Sendable, Hashable {
    /// The identity of the member, such as the name of a user: members with the same key are shown as one.
    public var key: String
    /// The ID of the connection.
    public var connection: String
    /// The name of the connection's server.
    public var node: String
    /// Additional data that is shown about the member; nil for none.
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
