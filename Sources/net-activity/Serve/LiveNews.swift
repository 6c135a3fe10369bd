#if Tools
internal import NetCore
internal import NetStore

/// What is new for one page that looks: each call of ``next()`` reads what came since the last one.
struct LiveNews {
    /// More than so many entries at once are read anew as a list.
    static let mostAtOnce: Int64 = 5000

    let feed: LiveFeed
    /// The newest entry that the page knows.
    private(set) var last: Int64
    private var running: [Key: StoredItem] = [:]
    private var runs: [StoredRun] = []

    init(feed: LiveFeed, after last: Int64) {
        self.feed = feed
        self.last = last
    }

    /// What the page has to be told.
    enum Element {
        /// A list of new and changed entries, as a message.
        case entries([UInt8])
        /// There is so much that the page had better read the list again.
        case reload
    }

    /// What is new; nil if nothing is.
    mutating func next() async throws -> Element? {
        let newest = try await feed.newest()
        // A store that was emptied and filled anew begins its numbers again, or jumps.
        if newest - last > Self.mostAtOnce || newest < last {
            last = newest
            return .reload
        }
        let finished =
            newest > last ? try await feed.finished(limit: Int(newest - last), after: last, until: newest) : []
        let (changed, all) = try await changedRunning()
        let runs = try await feed.runs()
        let hasNewRuns = runs != self.runs
        if finished.isEmpty && changed.isEmpty && !hasNewRuns {
            last = newest
            return nil
        }
        var list = feed.emptyList()
        if hasNewRuns { list.runs = runs }
        // One that was under way and ended between the two looks is told in the next news.
        for item in changed { feed.add(try await feed.entry(item), to: &list) }
        for entry in finished { feed.add(entry, to: &list) }
        (last, running, self.runs) = (newest, all, runs)
        return .entries(LiveFeed.message(last: newest, list))
    }

    /// What is under way and was told otherwise, and all that is.
    private func changedRunning() async throws -> ([StoredItem], [Key: StoredItem]) {
        let items = try await feed.reader.itemsUnderWay(matching: feed.filter, limit: LiveFeed.mostRunning)
        let all = Dictionary(items.map { (Key($0), $0) }, uniquingKeysWith: { first, _ in first })
        return (items.filter { running[Key($0)] != $0 }, all)
    }

    /// A WebSocket has the ID of the call that opened it.
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
