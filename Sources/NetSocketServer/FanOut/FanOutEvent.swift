#if Server
public import NetSocketCore

/// An event that an engine reports to its server, about a topic that the server is subscribed to or about itself.
public enum FanOutEvent: Sendable, Hashable {
    /// A message was published.
    case message(FanOutMessage)
    /// Messages of the topic were lost, or its epoch has changed: the next message follows this position.
    case gap(topic: String, ChannelPosition)
    /// The members of the channel on all servers, in the order in which they entered. Replaces the known ones.
    case members([PresenceMember], topic: String)
    /// A member has entered, or has entered again with another key or other details.
    case entered(PresenceMember, topic: String)
    /// A member has left, or its server is gone. Only the server and the connection identify the member.
    case left(PresenceMember, topic: String)
    /// The engine can't reach its broker: nothing is delivered until ``back``.
    case away(reason: String)
    /// The engine is connected again. Missed messages have been delivered, or reported as a ``gap(topic:_:)``.
    case back
}

/// The underlying error (``NetCore/NetError/underlying``) if an engine can't reach its broker. Clients are refused
/// with ``NetSocketCore/SocketFailure/unavailable``.
public struct FanOutUnavailable: Error, Sendable, Hashable {
    /// True if the engine may have performed the call.
    public var mayHaveArrived: Bool

    /// Creates the error.
    public init(mayHaveArrived: Bool) {
        self.mayHaveArrived = mayHaveArrived
    }
}

/// A push on its way to the members of a channel.
public struct FanOutMessage: Sendable, Hashable {
    /// The ID, assigned by the publisher, by which an engine recognizes a message that is published twice. Empty for a
    /// message that is published only once.
    public var id: String
    /// The name of the server that published it.
    public var node: String
    /// The channel.
    public var topic: String
    /// The connection that doesn't receive it; nil if all members do.
    public var except: String?
    /// The push. The engine sets its offset.
    public var push: WirePush

    /// Creates a message.
    public init(id: String, node: String, topic: String, except: String? = nil, push: WirePush) {
        self.id = id
        self.node = node
        self.topic = topic
        self.except = except
        self.push = push
    }
}
#endif
