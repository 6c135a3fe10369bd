#if Server
/// Topics ordered by time, the earliest first: a binary heap.
struct ExpiryQueue: Sendable {
    struct Entry: Sendable {
        let name: String
        /// Distinguishes a topic from an earlier one with the same name.
        let serial: UInt64
        let time: Duration
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }

    mutating func add(_ name: String, _ serial: UInt64, at time: Duration) {
        entries.append(Entry(name: name, serial: serial, time: time))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the next topic whose time has come; nil if there is none.
    mutating func next(until now: Duration) -> Entry? {
        guard let first = entries.first, first.time <= now else { return nil }
        return removeFirst()
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
