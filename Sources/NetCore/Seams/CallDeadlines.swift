internal import Synchronization

/// Ends calls at their deadlines, with one timer for all calls of a client.
///
/// A timer for each call cost 36 µs, more than ten times the client without a network: it wakes a thread, and `Task.sleep`
/// keeps it until its time although its task was cancelled (Swift 6.3), so that a minute's calls pile up.
final class CallDeadlines: Sendable {
    private struct Timer: Sendable {
        let end: Duration
        let task: Task<Void, Never>
    }

    private struct State {
        var calls: [ObjectIdentifier: ActivityRecorder] = [:]
        var timer: Timer?
    }

    private let state = Mutex(State())

    deinit { state.withLock { $0.timer?.task.cancel() } }

    /// Ends the call at `deadline`, unless it is forgotten before.
    func watch(_ call: ActivityRecorder, until deadline: Duration) {
        state.withLock { state in
            state.calls[ObjectIdentifier(call)] = call
            start(&state, call.environment.clock, end: deadline)
        }
    }

    /// Stops watching the call. The system's clock keeps the timer for the calls to come; with any other clock it would be
    /// one sleeper more than there are calls.
    func forget(_ call: ActivityRecorder) {
        state.withLock { state in
            guard state.calls.removeValue(forKey: ObjectIdentifier(call)) != nil else { return }
            if state.calls.isEmpty, !call.environment.clock.isSystem {
                state.timer?.task.cancel()
                state.timer = nil
            }
        }
    }

    /// Starts the timer if there is none that ends as early.
    private func start(_ state: inout State, _ clock: NetClock, end: Duration) {
        if let timer = state.timer, timer.end <= end { return }
        state.timer?.task.cancel()
        let task = Task { [weak self] in
            do { try await clock.sleep(for: end - clock.now()) } catch { return }
            self?.timerEnded(at: end, clock)
        }
        state.timer = Timer(end: end, task: task)
    }

    /// Ends what is late, and waits for the next deadline.
    private func timerEnded(at end: Duration, _ clock: NetClock) {
        let late = state.withLock { state -> [ActivityRecorder] in
            // Another one that ends earlier may have taken its place, or come after it.
            guard state.timer?.end == end else { return [] }
            state.timer = nil
            let now = max(end, clock.now())
            let late = state.calls.values.filter { ($0.deadline ?? .zero) <= now }
            for call in late { state.calls[ObjectIdentifier(call)] = nil }
            if let next = state.calls.values.lazy.compactMap(\.deadline).min() { start(&state, clock, end: next) }
            return late
        }
        for call in late { call.end(call.lateness) }
    }
}
