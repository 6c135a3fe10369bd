/// The state of a channel in a session.
public enum SocketChannelState: Sendable, Hashable {
    /// The channel waits for a connection, or for the payload of its join.
    case waiting
    /// The join was sent and has no reply yet.
    case joining
    /// The server has accepted the join.
    case joined
    /// The server was asked to remove this side from the channel, and hasn't replied yet.
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
