public import NetCore

/// The state of a session, which outlives its connections.
public enum SocketSessionState: Sendable {
    /// The session hasn't been started, or nothing needs a connection.
    case idle
    /// A connection is being opened. The attempts since the last stable connection are counted from 1.
    case connecting(attempt: Int)
    /// A connection is open, and so is its wire protocol.
    case open
    /// The connection was lost or couldn't be opened. `attempt` is the number of the next attempt, which begins after
    /// `wait`, or immediately when the network changes. If `wait` is nil, it begins when the network is reachable.
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

    /// The reason for which a call of a session that is over isn't made; nil for one that isn't over.
    package var loss: SessionMachine.Loss? {
        switch self {
        case .failed(let error): .lost(error, mayHaveArrived: false)
        case .closed: .closed
        case .idle, .connecting, .open, .waiting, .suspended: nil
        }
    }
}

extension SocketSessionState: CustomStringConvertible {
    /// The state, with the session's own count of attempts: that of the error, which counts the attempts of one call,
    /// is omitted.
    public var description: String {
        switch self {
        case .idle: "idle"
        case .connecting(let attempt): "connecting(attempt \(attempt))"
        case .open: "open"
        case .waiting(let attempt, let wait?, let error):
            "waiting(for attempt \(attempt) in \(wait): \(error.code): \(error.message))"
        case .waiting(let attempt, nil, let error):
            "waiting(for attempt \(attempt) until the network is back: \(error.code): \(error.message))"
        case .suspended: "suspended"
        case .failed(let error): "failed(\(error))"
        case .closed: "closed"
        }
    }
}

/// The handling of a message that is sent while no connection is open.
public enum OfflineRule: Sendable, Hashable {
    /// Sending throws immediately.
    case fail
    /// The message is dropped, and sending throws `.cancelled`. For messages without a reply.
    case drop
    /// The message waits for the next connection, and is sent once.
    case queue
    /// Like ``queue``, but a newer message with the same key replaces it; sending the replaced one throws `.cancelled`.
    case latest(key: String)
    /// Like ``queue``, but if the connection ends before the reply, the message is sent again on the next one. Only for
    /// commands that may safely arrive twice.
    case resend
}
