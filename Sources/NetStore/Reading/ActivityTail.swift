/// New entries of a store as they are committed, each once, in commit order; including those committed by other
/// processes.
///
/// If a process goes on with a job whose entry is stored, such as a download after a crash, the entry changes when the
/// job ends: the tail then yields it again, with the same number.
///
/// Entries deleted before the tail has read them are reported as a gap with their count. The tail reads on demand: a
/// slow consumer uses no memory and holds no transaction open. Ends when the reader is closed.
public struct ActivityTail: AsyncSequence, Sendable {
    /// An element of a tail: an entry or a gap.
    public enum Element: Sendable, Hashable {
        /// A new entry, or a job whose entry has changed.
        case item(StoredItem)
        /// The number of entries that were deleted before they were read.
        case gap(Int)
    }

    /// The maximum number of entries read at a time.
    static let page = 200

    let reader: ActivityReader
    let condition: FilterCondition
    let start: Int64?

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, condition: condition, last: start)
    }

    /// The iterator of new entries.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ActivityReader
        let condition: FilterCondition
        /// The newest entry already read; nil before the first read, which skips the existing entries.
        var last: Int64?
        /// The number of the newest change already read; nil before the first read, which skips earlier changes.
        private var change: Int64?
        private var waiting: ArraySlice<Element> = []
        private var changes: AsyncStream<Void>.Iterator

        init(reader: ActivityReader, condition: FilterCondition, last: Int64?) {
            self.reader = reader
            self.condition = condition
            self.last = last
            changes = reader.changes.subscribe().makeAsyncIterator()
        }

        public mutating func next() async throws(StoreError) -> Element? {
            while true {
                if let element = waiting.popFirst() { return element }
                do throws(StoreError) {
                    try await read()
                } catch {
                    if error.code == .closed { return nil }
                    throw error
                }
                if waiting.isEmpty, await changes.next(isolation: #isolation) == nil {
                    if Task.isCancelled {
                        throw StoreError(.cancelled, message: "the task was cancelled", path: reader.path)
                    }
                    return nil
                }
            }
        }

        private mutating func read() async throws(StoreError) {
            let (page, known, change, condition) = (TailPage(after: last), last ?? 0, change, condition)
            let (read, changed) = try await reader.worker.perform { desk throws(StoreError) in
                // Changes of entries that the page is yet to read are in the page.
                let changed = try desk.connection.snapshot { () throws(StoreError) in
                    try StoredItem.changed(after: change, upTo: known, matching: condition, on: desk.connection)
                }
                return (try page.read(matching: condition, on: desk.connection), changed)
            }
            waiting = (changed.items.map { .item($0) } + read.0)[...]
            (last, self.change) = (read.1, changed.newest)
        }
    }
}

/// One read of a tail.
struct TailPage: Sendable {
    let last: Int64?

    init(after last: Int64?) { self.last = last }

    /// Returns the new entries, and the number of the last entry read.
    func read(
        matching condition: FilterCondition, on connection: SQLiteConnection
    ) throws(StoreError) -> ([ActivityTail.Element], Int64) {
        try connection.snapshot { () throws(StoreError) in
            // The last assigned number, even if that entry is deleted.
            let newest = try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'net_item'") ?? 0
            guard let last else { return ([], newest) }
            var elements: [ActivityTail.Element] = []
            var (seen, count) = (last, 0)
            let sql =
                "SELECT \(StoredItem.columns), (\(condition.sql)) FROM net_item AS i WHERE i.id > ? ORDER BY i.id LIMIT ?"
            let values = condition.values + [.integer(last), .integer(Int64(ActivityTail.page))]
            try connection.query(sql, values) { row throws(StoreError) in
                let item = try StoredItem(row)
                if item.id > seen + 1 { elements.append(.gap(Int(item.id - seen - 1))) }
                if row.bool(33) == true { elements.append(.item(item)) }
                seen = item.id
                count += 1
            }
            if count < ActivityTail.page, newest > seen {
                elements.append(.gap(Int(newest - seen)))
                seen = newest
            }
            return (elements, seen)
        }
    }
}
