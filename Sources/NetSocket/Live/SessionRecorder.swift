internal import NetCore
internal import Synchronization

/// Reports the activities of a session to the listeners that are interested in them.
final class SessionRecorder: Sendable {
    fileprivate struct State {
        var sequence = 0
        var socket: CallID?
        var url: String?
        /// The channels that were reported as joined.
        var joined: Set<String> = []
        var isOver = false
        var waiting: [SessionActivity] = []
        var isTelling = false
    }

    private let listeners: [any ActivityListener]
    private let session: CallID
    private let clock: NetClock
    private let start: Duration
    private let state = Mutex(State())

    /// Creates a recorder; nil if no listener is interested in sessions.
    init?(_ environment: CallContext.Environment, middleware: [any Middleware]) {
        let logs = middleware.compactMap { ($0 as? any SessionObserving)?.sessionListener(environment) }
        listeners = (environment.listeners + logs).filter { $0.interest.contains(.sessions) }
        guard !listeners.isEmpty else { return nil }
        clock = environment.clock
        session = CallID(date: clock.date(), random: environment.random)
        start = clock.now()
    }

    /// Records the connection that is being opened.
    func connects(to redactedURL: String, call: CallID) {
        state.withLock { ($0.url, $0.socket) = (redactedURL, call) }
    }

    /// Reports an activity. If another thread is calling the listeners, that thread reports this activity as well.
    /// Listeners are called in order and outside the lock, so that a listener may use the session.
    func record(_ kind: SessionActivity.Kind) {
        let isMine = state.withLock { state in
            guard state.takes(kind) else { return false }
            state.sequence += 1
            state.waiting.append(
                SessionActivity(
                    session: session, sequence: state.sequence, date: clock.date(), elapsed: clock.now() - start,
                    socket: state.socket, url: state.url, kind: kind))
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isMine else { return }
        while let activities = state.withLock({ $0.takeWaiting() }) {
            for activity in activities { for listener in listeners { listener.record(activity) } }
        }
    }
}

extension SessionRecorder.State {
    /// Returns true if listeners should get the activity. After the end, they get only the commands that end with the
    /// session. A refused join is reported only as such, not as `.left`.
    fileprivate mutating func takes(_ kind: SessionActivity.Kind) -> Bool {
        switch kind {
        case .command: return true
        case .joined(let topic, _): joined.insert(topic)
        case .left(let topic, _): if joined.remove(topic) == nil { return false }
        default: break
        }
        if isOver { return false }
        if case .ended = kind { isOver = true }
        return true
    }

    /// Returns the waiting activities. Returns nil if there aren't any, and records that no thread is reporting.
    fileprivate mutating func takeWaiting() -> [SessionActivity]? {
        guard !waiting.isEmpty else {
            isTelling = false
            return nil
        }
        defer { waiting = [] }
        return waiting
    }
}
