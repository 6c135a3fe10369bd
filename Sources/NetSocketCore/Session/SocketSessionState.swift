public import NetCore

/// The state of a session, which outlives its connections.
public enum SocketSessionState: Sendable {
    /// The session hasn't been started, or nothing needs a connection.
    case idle
    /// A connection is being opened. The attempts since the last stable connection are counted from 1.
    case connecting(attempt: Int)
    /// A connection is open, and so is its wire protocol.
    case open
    /// The connection was lost or couldn't be opened. The next attempt, counted in the same way, comes after the wait,
    /// or immediately when the network has changed. A wait of nil lasts until the network is reachable.
    case waiting(attempt: Int, wait: Duration?, NetError)
    /// The session is paused and has no connection. Channels and subscriptions stay.
    case suspended
    /// The reconnect policy allows no further attempt.
    case failed(NetError)
    /// This side has closed the session.
    case closed
}

extension SocketSessionState {
    /// True if a connection is open.
    public var isOpen: Bool { if case .open = self { true } else { false } }

    /// True if the state is final: the session has failed or was closed.
    public var isOver: Bool {
        switch self {
        case .failed, .closed: true
        case .idle, .connecting, .open, .waiting, .suspended: false
        }
    }
}

/// The handling of a message that is sent while no connection is open.
public enum OfflineRule: Sendable, Hashable {
    /// Sending throws immediately.
    case fail
    /// The message is dropped. For messages without a reply.
    case drop
    /// The message waits for the next connection, and is sent once.
    case queue
    /// Like ``queue``, but a newer message with the same key replaces it.
    case latest(key: String)
    /// Like ``queue``, and the message is sent again on the next connection if a connection ended before the reply.
    /// Only for commands that may safely arrive twice.
    case resend
}
