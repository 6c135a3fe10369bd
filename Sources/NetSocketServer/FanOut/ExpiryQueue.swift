#if Server
/// Names with times, the earliest first: a binary heap.
struct ExpiryQueue: Sendable {
    struct Entry: Sendable {
        let name: String
        let time: Duration
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }

    mutating func add(_ name: String, at time: Duration) {
        entries.append(Entry(name: name, time: time))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the next name whose time has come; nil if there is none.
    mutating func next(until now: Duration) -> String? {
        guard let first = entries.first, first.time <= now else { return nil }
        return removeFirst()?.name
    }

    mutating func removeFirst() -> Entry? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if entries.isEmpty { return first }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].time < entries[least].time {
                least = child
            }
            guard least != parent else { return first }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
#endif
