internal import NetCore
internal import Synchronization

/// The tasks of one end of an in-memory WebSocket, which end with it.
final class PairTasks: Sendable {
    private struct State {
        var tasks: [Task<Void, Never>] = []
        var timer: Task<Void, Never>?
        var deadline = 0
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Cancels the task when the connection ends, or immediately if it has ended.
    func adopt(_ task: Task<Void, Never>) {
        let isLate = state.withLock { state in
            if !state.hasEnded { state.tasks.append(task) }
            return state.hasEnded
        }
        if isLate { task.cancel() }
    }

    /// Replaces the deadline, unless a newer one has already replaced it.
    func set(_ deadline: PairEffects.Deadline, on clock: NetClock, passed: @escaping @Sendable () -> Void) {
        guard !state.withLock({ $0.hasEnded }) else { return }
        let timer = deadline.after.map { time in
            let end = clock.now() + time
            return Task {
                guard (try? await clock.sleep(until: end)) != nil, !Task.isCancelled else { return }
                passed()
            }
        }
        let former = state.withLock { state in
            guard !state.hasEnded, deadline.number > state.deadline else { return timer }
            state.deadline = deadline.number
            defer { state.timer = timer }
            return state.timer
        }
        former?.cancel()
    }

    func cancelAll() {
        let tasks = state.withLock { state in
            state.hasEnded = true
            defer { (state.tasks, state.timer) = ([], nil) }
            return state.tasks + (state.timer.map { [$0] } ?? [])
        }
        for task in tasks { task.cancel() }
    }
}
