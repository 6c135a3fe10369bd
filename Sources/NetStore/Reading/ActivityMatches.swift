#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The finished entries that meet a filter, from the newest on, however many entries have to be read for them.
///
/// The store is read in parts, each when the consumer asks: leaving the loop, or cancelling its task, ends the search. Between
/// matches the sequence says how far it has looked.
public struct ActivityMatches: AsyncSequence, Sendable {
    /// What a search yields.
    public enum Element: Sendable, Hashable {
        /// An entry that meets the filter.
        case item(StoredItem)
        /// All entries from this one on have been looked at; it began at that moment. The last element of a search that has
        /// come to the end has the ID 0.
        case looked(back: Int64, to: Date?)
    }

    let reader: ActivityReader
    let condition: FilterCondition
    let start: Int64?
    /// The entries that are read at once.
    var part: Int64 = 20_000

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, condition: condition, part: part, end: start)
    }

    /// Reads one part after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ActivityReader
        let condition: FilterCondition
        let part: Int64
        /// The entry before which the next part ends; nil for the newest.
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
            // A part that is read already when the task is cancelled would hide it.
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

    /// The matches in it, how far it reaches, and where the next part ends.
    func read(on connection: SQLiteConnection) throws(StoreError) -> ([ActivityMatches.Element], Int64) {
        try connection.snapshot { () throws(StoreError) in
            let newest = try connection.integer("SELECT max(id) FROM net_item") ?? 0
            let end = min(end ?? .max, newest + 1)
            // Old entries may be gone, and numbers with them: the part has so many entries, not so many numbers.
            let start =
                try connection.integer(
                    "SELECT id FROM net_item WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?",
                    [.integer(end), .integer(count - 1)]) ?? 0
            let items = try StoredItem.all(
                " NOT INDEXED WHERE i.id >= ? AND i.id < ? AND \(condition.sql) ORDER BY i.id DESC",
                [.integer(start), .integer(end)] + condition.values, on: connection)
            let date = try connection.integer(
                "SELECT started_at FROM net_item WHERE id >= ? LIMIT 1", [.integer(start)])
            return (items.map { .item($0) } + [.looked(back: start, to: date.map(StoredTime.date))], start)
        }
    }
}

extension ActivityQueries {
    /// Searches finished entries from the newest on: for filters that may have to read every one, such as text in bodies.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     for try await element in store.matches(.body("out of stock")) {
    ///         if case .item(let item) = element { print(item.url ?? "") }
    ///     }
    ///
    /// - Parameters:
    ///   - filter: Which entries.
    ///   - id: Only entries that were committed before this one. Default nil: all.
    public func matches(_ filter: ActivityFilter, before id: Int64? = nil) -> ActivityMatches {
        ActivityMatches(reader: reader, condition: reader.condition(filter), start: id)
    }
}
