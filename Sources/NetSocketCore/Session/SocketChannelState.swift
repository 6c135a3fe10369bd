/// The state of a channel in a session.
public enum SocketChannelState: Sendable, Hashable {
    /// It waits for a connection, or for the payload of its join.
    case waiting
    /// Its join was sent and has no answer yet.
    case joining
    /// The server has accepted.
    case joined
    /// The server was asked to let this side leave, and hasn't answered yet.
    case leaving
    /// It was never joined, was left, or was refused.
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
