#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The finished entries that match a filter, newest first, however many entries must be read to find them.
///
/// The store is read in parts, on demand: leaving the loop, or cancelling its task, ends the search. Between matches,
/// the sequence reports its progress.
public struct ActivityMatches: AsyncSequence, Sendable {
    /// An element of a search: a match or a progress report.
    public enum Element: Sendable, Hashable {
        /// An entry that matches the filter.
        case item(StoredItem)
        /// Progress: all entries from the ID `back` on have been searched; the oldest of them began at the time `to`.
        /// In the last report of a complete search, `back` is 0.
        case searched(back: Int64, to: Date?)
    }

    let reader: ActivityReader
    let condition: FilterCondition
    let start: Int64?
    /// The number of entries read in one part.
    var part: Int64 = 20_000

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, condition: condition, part: part, end: start)
    }

    /// The iterator of matches, which reads the store part by part.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ActivityReader
        let condition: FilterCondition
        let part: Int64
        /// The entry before which the next part ends; nil to begin with the newest.
        private var end: Int64?
        private var waiting: ArraySlice<Element> = []

        init(reader: ActivityReader, condition: FilterCondition, part: Int64, end: Int64?) {
            self.reader = reader
            self.condition = condition
            self.part = part
            self.end = end
        }

        public mutating func next() async throws(StoreError) -> Element? {
            if let element = waiting.popFirst() { return element }
            if let end, end <= 1 { return nil }
            // Checked here too: a completed read doesn't report that the task is cancelled.
            if Task.isCancelled { throw StoreError(.cancelled, message: "the task was cancelled", path: reader.path) }
            let part = SearchPart(condition: condition, count: part, end: end)
            let (elements, start) = try await reader.worker.perform { desk throws(StoreError) in
                try part.read(on: desk.connection)
            }
            waiting = elements[...]
            end = start
            return waiting.popFirst()
        }
    }
}

/// One part of a search.
struct SearchPart: Sendable {
    let condition: FilterCondition
    let count: Int64
    let end: Int64?

    /// Returns the matches in this part, a progress report, and the end of the next part.
    func read(on connection: SQLiteConnection) throws(StoreError) -> ([ActivityMatches.Element], Int64) {
        try connection.snapshot { () throws(StoreError) in
            let newest = try connection.integer("SELECT max(id) FROM net_item") ?? 0
            let end = min(end ?? .max, newest + 1)
            // Counts entries rather than numbers: old entries may have been deleted, which leaves gaps in the numbers.
            let start =
                try connection.integer(
                    "SELECT id FROM net_item WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?",
                    [.integer(end), .integer(count - 1)]) ?? 0
            let items = try StoredItem.all(
                " NOT INDEXED WHERE i.id >= ? AND i.id < ? AND \(condition.sql) ORDER BY i.id DESC",
                [.integer(start), .integer(end)] + condition.values, on: connection)
            let date = try connection.integer(
                "SELECT started_at FROM net_item WHERE id >= ? LIMIT 1", [.integer(start)])
            return (items.map { .item($0) } + [.searched(back: start, to: date.map(StoredTime.date))], start)
        }
    }
}

extension ActivityQueries {
    /// Searches finished entries, newest first. For filters that may have to read every entry, such as text in bodies.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     for try await element in store.matches(.body("out of stock")) {
    ///         if case .item(let item) = element { print(item.url ?? "") }
    ///     }
    ///
    /// - Parameters:
    ///   - filter: The filter to match.
    ///   - id: Searches only entries committed before this one. Default nil: all.
    public func matches(_ filter: ActivityFilter, before id: Int64? = nil) -> ActivityMatches {
        ActivityMatches(reader: reader, condition: reader.condition(filter), start: id)
    }
}
