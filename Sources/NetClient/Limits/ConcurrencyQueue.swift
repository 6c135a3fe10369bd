internal import NetCore

/// The requests to one origin that are on their way, and those that wait: a pure value.
struct ConcurrencyQueue<ID: Hashable & Sendable>: Sendable {
    private struct Waiter {
        let id: ID
        let priority: RequestPriority
    }

    private var active = 0
    /// By priority, then in the order in which they came.
    private var waiters: [Waiter] = []

    var isIdle: Bool { active == 0 && waiters.isEmpty }
    var waiting: Int { waiters.count }

    /// A request comes: true if it goes immediately, false if it has to wait.
    mutating func enter(limit: Int) -> Bool {
        guard active < limit else { return false }
        active += 1
        return true
    }

    /// It waits under an ID.
    mutating func wait(_ id: ID, _ priority: RequestPriority) {
        let place = waiters.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0
        waiters.insert(Waiter(id: id, priority: priority), at: place)
    }

    /// A request that was sent has ended: returns the one that goes now.
    mutating func leave() -> ID? {
        if let next = waiters.first {
            waiters.removeFirst()
            return next.id
        }
        active -= 1
        return nil
    }

    /// Removes a waiting request; false if it doesn't wait.
    mutating func remove(_ id: ID) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: index)
        return true
    }
}
