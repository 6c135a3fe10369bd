internal import NetCore
internal import Synchronization

/// Reports what a session does to the listeners that want it.
final class SessionRecorder: Sendable {
    private struct State {
        var sequence = 0
        var socket: CallID?
        var url: String?
    }

    private let listeners: [any ActivityListener]
    private let session: CallID
    private let clock: NetClock
    private let start: Duration
    private let state = Mutex(State())

    /// Returns nil if nobody wants to know of sessions.
    init?(_ environment: CallContext.Environment, middleware: [any Middleware]) {
        let logs = middleware.compactMap { ($0 as? any SessionObserving)?.sessionListener(environment) }
        listeners = (environment.listeners + logs).filter { $0.interest.contains(.sessions) }
        guard !listeners.isEmpty else { return nil }
        clock = environment.clock
        session = CallID(date: clock.date(), random: environment.random)
        start = clock.now()
    }

    /// Notes the connection that is being opened.
    func connects(to redactedURL: String, call: CallID) {
        state.withLock { ($0.url, $0.socket) = (redactedURL, call) }
    }

    /// Reports an activity.
    func record(_ kind: SessionActivity.Kind) {
        // Under the lock, so that each listener receives the activities in order.
        state.withLock { state in
            state.sequence += 1
            let activity = SessionActivity(
                session: session, sequence: state.sequence, date: clock.date(), elapsed: clock.now() - start,
                socket: state.socket, url: state.url, kind: kind)
            for listener in listeners { listener.record(activity) }
        }
    }
}
