/// The state of a channel in a session.
public enum SocketChannelState: Sendable, Hashable {
    /// No join is under way: there is no connection, the payload of the join is being created, or the client waits
    /// before it joins again.
    case waiting
    /// The join was sent and has no reply yet.
    case joining
    /// The server has accepted the join.
    case joined
    /// A request to leave the channel was sent and has no reply yet.
    case leaving
    /// The channel was never joined, was left, or its join was refused.
    case left
}

extension SessionMachine {
    /// Returns the state of a channel.
    package func channelState(_ topic: String) -> SocketChannelState {
        switch channels[topic]?.state {
        case .waiting: .waiting
        case .joining: .joining
        case .joined: .joined
        case .leaving: .leaving
        case nil: .left
        }
    }
}
