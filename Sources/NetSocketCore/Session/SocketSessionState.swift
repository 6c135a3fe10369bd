public import NetCore

/// The state of a session, which outlives its connections.
public enum SocketSessionState: Sendable {
    /// Nothing has been started, or nothing needs a connection.
    case idle
    /// A connection is being opened; the attempts are counted from 1 since the last stable connection.
    case connecting(attempt: Int)
    /// A connection is open, and the wire protocol with it.
    case open
    /// The connection was lost or couldn't be opened. The next attempt, counted likewise, comes after the wait, or at once when
    /// the network has changed; a wait of nil lasts until the network is reachable.
    case waiting(attempt: Int, wait: Duration?, NetError)
    /// The session is paused and has no connection. Channels and subscriptions stay.
    case suspended
    /// The rules for reconnecting allow no other attempt.
    case failed(NetError)
    /// It was closed by this side.
    case closed
}

extension SocketSessionState {
    /// True if a connection is open.
    public var isOpen: Bool { if case .open = self { true } else { false } }

    /// True if nothing follows: it has failed or was closed.
    public var isOver: Bool {
        switch self {
        case .failed, .closed: true
        case .idle, .connecting, .open, .waiting, .suspended: false
        }
    }
}

/// What becomes of a message that is sent while no connection is open.
public enum OfflineRule: Sendable, Hashable {
    /// Sending throws at once.
    case fail
    /// The message is dropped. For messages without a reply.
    case drop
    /// The message waits for the next connection, and is sent once.
    case queue
    /// Like ``queue``, but a newer message with the same key takes its place.
    case latest(key: String)
    /// Like ``queue``, and sent again on the next connection if a connection ended before the reply. Only for commands that
    /// may arrive twice.
    case resend
}
