internal import NetCore

/// Messages that wait for a connection or for their channel. Limited in number and in bytes.
struct SessionQueue: Sendable {
    struct Entry: Sendable {
        var ticket: UInt64
        var request: SessionMachine.Request

        var bytes: Int { request.event.utf8.count + (request.payload?.count ?? 0) }
    }

    let maximumCount: Int
    let maximumBytes: Int
    private(set) var entries: [Entry] = []
    private(set) var bytes = 0

    init(maximumCount: Int, maximumBytes: Int) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Adds an entry. Returns false if there is no room for it.
    mutating func append(_ entry: Entry) -> Bool {
        guard entries.count < maximumCount, bytes + entry.bytes <= maximumBytes else { return false }
        entries.append(entry)
        bytes += entry.bytes
        return true
    }

    /// Adds entries in front of all others, even beyond the limits, since they had already been accepted.
    mutating func prepend(_ others: [Entry]) {
        entries.insert(contentsOf: others, at: 0)
        for entry in others { bytes += entry.bytes }
    }

    /// Removes and returns the entries that match, in order.
    mutating func take(where matches: (Entry) -> Bool) -> [Entry] {
        guard !entries.isEmpty else { return [] }
        let taken = entries.filter(matches)
        guard !taken.isEmpty else { return [] }
        entries.removeAll(where: matches)
        for entry in taken { bytes -= entry.bytes }
        return taken
    }
}
