internal import NetCore

/// The active and waiting requests of one origin; a pure value.
struct ConcurrencyQueue<ID: Hashable & Sendable>: Sendable {
    private struct Waiter {
        let id: ID
        let priority: RequestPriority
    }

    private var active = 0
    /// Ordered by priority, then by arrival.
    private var waiters: [Waiter] = []

    var isIdle: Bool { active == 0 && waiters.isEmpty }
    var waiting: Int { waiters.count }

    /// Admits a request if the limit allows it; returns false if it has to wait.
    mutating func enter(limit: Int) -> Bool {
        guard active < limit else { return false }
        active += 1
        return true
    }

    /// Adds a waiting request.
    mutating func wait(_ id: ID, _ priority: RequestPriority) {
        let place = waiters.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0
        waiters.insert(Waiter(id: id, priority: priority), at: place)
    }

    /// Ends an active request; returns the waiting one that takes its place, or nil.
    mutating func leave() -> ID? {
        if let next = waiters.first {
            waiters.removeFirst()
            return next.id
        }
        active -= 1
        return nil
    }

    /// Removes a waiting request; returns false if it isn't waiting.
    mutating func remove(_ id: ID) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: index)
        return true
    }
}
