internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The deadlines of a session. One task sleeps until the earliest; a new deadline wakes it only if it is even earlier.
final class SessionTimers: Sendable {
    private struct State {
        var deadlines: [SessionMachine.Timer: Duration] = [:]
        /// The time until which the task sleeps; nil while it doesn't.
        var sleepsUntil: Duration?
        var sleeper: Task<Void, Never>?
    }

    private let clock: NetClock
    private let state = Mutex(State())
    /// Wakes the task while it has no deadline to sleep for.
    private let changes = SocketMailbox<Void>()

    init(clock: NetClock) {
        self.clock = clock
    }

    func set(_ timer: SessionMachine.Timer, at deadline: Duration) {
        let (sleeper, isIdle) = state.withLock { state -> (Task<Void, Never>?, Bool) in
            state.deadlines[timer] = deadline
            guard let until = state.sleepsUntil else { return (nil, true) }
            return (deadline < until ? state.sleeper : nil, false)
        }
        sleeper?.cancel()
        if isIdle { changes.put(()) }
    }

    /// Removes a deadline. This doesn't wake the task: at worst it wakes later for nothing.
    func clear(_ timer: SessionMachine.Timer) { state.withLock { _ = $0.deadlines.removeValue(forKey: timer) } }

    /// Calls `passed` for each deadline that passes, the earliest first, until the task is cancelled.
    func run(_ passed: (SessionMachine.Timer) -> Void) async {
        while !Task.isCancelled {
            let now = clock.now()
            let due = state.withLock { state in
                state.deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }
            }
            // A deadline that has passed may clear others that are due, or set them to another time.
            for (timer, deadline) in due where take(timer, at: deadline) { passed(timer) }
            if due.isEmpty { await sleep() }
        }
    }

    /// Removes a deadline. Returns false if it is no longer set for the given time.
    private func take(_ timer: SessionMachine.Timer, at deadline: Duration) -> Bool {
        state.withLock { state in
            guard state.deadlines[timer] == deadline else { return false }
            state.deadlines[timer] = nil
            return true
        }
    }

    private func sleep() async {
        let clock = clock
        let sleeper = state.withLock { state -> Task<Void, Never>? in
            guard let next = state.deadlines.values.min() else {
                state.sleepsUntil = nil
                return nil
            }
            let task = Task { _ = try? await clock.sleep(until: next) }
            (state.sleepsUntil, state.sleeper) = (next, task)
            return task
        }
        guard let sleeper else {
            _ = await changes.take()
            return
        }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { ($0.sleepsUntil, $0.sleeper) = (nil, nil) }
    }
}
