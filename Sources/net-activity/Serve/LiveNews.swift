#if Tools
internal import NetCore
internal import NetStore

/// The news for one open page: each call of ``next()`` reads the changes since the last one.
struct LiveNews {
    /// The maximum number of entries in one update; for more, the page reloads its list.
    static let mostAtOnce: Int64 = 5000

    let feed: LiveFeed
    /// The newest entry that the page knows.
    private(set) var last: Int64
    /// The newest change of a stored entry that the page knows; nil before the first update.
    private var change: Int64?
    private var running: [Key: StoredItem] = [:]
    private var runs: [StoredRun] = []

    init(feed: LiveFeed, after last: Int64) {
        self.feed = feed
        self.last = last
    }

    /// An update for the page.
    enum Element {
        /// A list of new and changed entries, as a message.
        case entries([UInt8])
        /// The page should reload its list, because there are too many changes.
        case reload
    }

    /// Returns the next update; nil if there are no changes.
    mutating func next() async throws -> Element? {
        let newest = try await feed.newest()
        // If the store was emptied and filled again, its numbers restart or jump.
        if newest - last > Self.mostAtOnce || newest < last {
            last = newest
            return .reload
        }
        let finished =
            newest > last ? try await feed.finished(limit: Int(newest - last), after: last, until: newest) : []
        // The page may have missed changes since it was loaded, or while it was disconnected.
        let stored = try await feed.changed(after: change, upTo: last)
        let (changed, all) = try await changedRunning()
        let runs = try await feed.runs()
        let hasNewRuns = runs != self.runs
        change = stored.newest
        if finished.isEmpty && stored.entries.isEmpty && changed.isEmpty && !hasNewRuns {
            last = newest
            return nil
        }
        var list = feed.emptyList()
        if hasNewRuns { list.runs = runs }
        // An entry that ended between the two reads is in the next update.
        for item in changed { feed.add(try await feed.entry(item), to: &list) }
        for entry in finished + stored.entries { feed.add(entry, to: &list) }
        (last, running, self.runs) = (newest, all, runs)
        return .entries(LiveFeed.message(last: newest, list))
    }

    /// Returns the entries under way that have changed since they were sent, and all entries under way.
    private func changedRunning() async throws -> ([StoredItem], [Key: StoredItem]) {
        let items = try await feed.reader.itemsUnderWay(matching: feed.filter, limit: LiveFeed.mostRunning)
        let all = Dictionary(items.map { (Key($0), $0) }, uniquingKeysWith: { first, _ in first })
        return (items.filter { running[Key($0)] != $0 }, all)
    }

    /// A key of ID and kind: a WebSocket has the same ID as the call that opened it.
    private struct Key: Hashable {
        let id: CallID
        let kind: StoredItem.Kind

        init(_ item: StoredItem) {
            id = item.uid
            kind = item.kind
        }
    }
}
#endif
