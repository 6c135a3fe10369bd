internal import NetCore

/// Who may send and who waits, for one origin: a pure value.
struct ConcurrencyQueue: Sendable {
    private struct Waiter {
        let id: Int
        let priority: RequestPriority
    }

    private var active = 0
    /// By priority, then in the order in which they came.
    private var waiters: [Waiter] = []

    var isIdle: Bool { active == 0 && waiters.isEmpty }
    var waiting: Int { waiters.count }

    /// A request comes: true when it goes at once, else it waits under its id.
    mutating func enter(_ id: Int, _ priority: RequestPriority, limit: Int) -> Bool {
        if active < limit {
            active += 1
            return true
        }
        let place = waiters.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0
        waiters.insert(Waiter(id: id, priority: priority), at: place)
        return false
    }

    /// A request that was sent has ended: who goes now.
    mutating func leave() -> Int? {
        if let next = waiters.first {
            waiters.removeFirst()
            return next.id
        }
        active -= 1
        return nil
    }

    /// Takes a waiter out; false when it does not wait.
    mutating func remove(_ id: Int) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: index)
        return true
    }
}
