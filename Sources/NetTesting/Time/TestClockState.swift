internal import NetCore

/// The tasks that sleep on a test clock, and those that wait for such tasks; a pure value. It returns the tasks to
/// resume: with true if they woke, with false if they were cancelled.
struct TestClockState {
    typealias Tasks = WaiterList<Bool>

    private struct Sleeper {
        let id: Tasks.ID
        let deadline: Duration
    }

    private struct Watcher {
        let id: Tasks.ID
        let count: Int
    }

    var now: Duration = .zero
    /// The number of sleeps that have begun.
    private(set) var sleeps = 0
    /// The latest deadline first, so that the next one is taken from the end.
    private var sleepers: [Sleeper] = []
    private var watchers: [Watcher] = []
    /// The tasks that were woken and haven't returned from their sleep.
    private var woken: Set<Tasks.ID> = []
    private var tasks = Tasks()

    var sleeperCount: Int { sleepers.count }
    var isWaking: Bool { !woken.isEmpty }

    /// Registers a sleeper; also returns the watchers that waited for it. Returns nil if the deadline has passed.
    mutating func sleep(until deadline: Duration) -> (Tasks.ID, [Tasks.Waiter])? {
        guard deadline > now else { return nil }
        sleeps += 1
        let sleeper = Sleeper(id: tasks.register(), deadline: deadline)
        var low = 0
        var high = sleepers.count
        while low < high {
            let middle = (low + high) / 2
            if sleepers[middle].deadline > sleeper.deadline { low = middle + 1 } else { high = middle }
        }
        sleepers.insert(sleeper, at: low)
        let ready = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return (sleeper.id, ready.compactMap { tasks.release($0.id, with: true) })
    }

    /// Registers a task that waits until `count` tasks sleep.
    mutating func wait(forSleepers count: Int) -> Tasks.ID {
        let id = tasks.register()
        if sleepers.count < count {
            watchers.append(Watcher(id: id, count: count))
        } else {
            _ = tasks.release(id, with: true)
        }
        return id
    }

    mutating func suspend(_ id: Tasks.ID, _ continuation: UnsafeContinuation<Bool, Never>) -> Tasks.Waiter? {
        tasks.suspend(id, continuation, fallback: false)
    }

    /// Removes a cancelled task immediately, so that the clock doesn't advance to its deadline.
    mutating func cancel(_ id: Tasks.ID) -> Tasks.Waiter? {
        sleepers.removeAll { $0.id == id }
        watchers.removeAll { $0.id == id }
        return tasks.release(id, with: false)
    }

    mutating func sleepReturned(_ id: Tasks.ID) {
        woken.remove(id)
    }

    /// Wakes the next sleeper; returns nil if no task sleeps, or if no deadline is reached by `reading`.
    mutating func wakeNext(until reading: Duration?) -> (id: Tasks.ID, waiter: Tasks.Waiter?)? {
        guard let next = sleepers.last else { return nil }
        if let reading, next.deadline > reading { return nil }
        sleepers.removeLast()
        woken.insert(next.id)
        now = max(now, next.deadline)
        return (next.id, tasks.release(next.id, with: true))
    }
}
