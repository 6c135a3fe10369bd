/// The results of a query, repeated after each change of the file by any process.
///
/// Yields only the latest result: changes while the consumer is busy are combined into one. Equal results are yielded
/// once. Ends when the reader is closed.
public struct ActivityUpdates<Value: Sendable & Equatable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let reader: ActivityReader
    let query: @Sendable (ActivityReader) async throws(StoreError) -> Value

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, query: query, changes: reader.changes.subscribe().makeAsyncIterator())
    }

    /// The iterator, which repeats the query.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ActivityReader
        let query: @Sendable (ActivityReader) async throws(StoreError) -> Value
        var changes: AsyncStream<Void>.Iterator
        private var last: Value?

        init(
            reader: ActivityReader, query: @escaping @Sendable (ActivityReader) async throws(StoreError) -> Value,
            changes: AsyncStream<Void>.Iterator
        ) {
            self.reader = reader
            self.query = query
            self.changes = changes
        }

        public mutating func next() async throws(StoreError) -> Value? {
            while await changes.next(isolation: #isolation) != nil {
                let value: Value
                do throws(StoreError) {
                    value = try await query(reader)
                } catch {
                    if error.code == .closed { return nil }
                    throw error
                }
                if value == last { continue }
                last = value
                return value
            }
            if Task.isCancelled { throw StoreError(.cancelled, message: "the task was cancelled", path: reader.path) }
            return nil
        }
    }
}

extension ActivityQueries {
    /// Returns new entries as they are committed, each once, in order.
    ///
    ///     let reader = try ActivityReader(path: "activity.sqlite")
    ///     for try await element in reader.tail() {
    ///         if case .item(let item) = element { print(item.url ?? item.message ?? "") }
    ///     }
    ///
    /// - Parameters:
    ///   - filter: The filter to match. Default ``ActivityFilter/all``. Relative times count from now.
    ///   - id: The entry after which the tail begins; 0 for the beginning of the store. Default nil: only new entries.
    public func tail(matching filter: ActivityFilter = .all, after id: Int64? = nil) -> ActivityTail {
        ActivityTail(reader: reader, condition: reader.condition(filter), start: id)
    }

    /// Returns the result of a query now, and after each change.
    ///
    ///     let reader = try ActivityReader(path: "activity.sqlite")
    ///     let updates = reader.updates { reader throws(StoreError) in try await reader.itemsUnderWay() }
    ///     for try await running in updates {
    ///         print(running.count, "calls under way")
    ///     }
    public func updates<Value: Sendable & Equatable>(
        _ query: @escaping @Sendable (ActivityReader) async throws(StoreError) -> Value
    ) -> ActivityUpdates<Value> {
        ActivityUpdates(reader: reader, query: query)
    }
}
