internal import Synchronization

/// The outcomes of items that this process handles: see ``Outbox/outcomes``.
public struct OutboxOutcomes: AsyncSequence, Sendable {
    public typealias Element = OutboxOutcome

    let stream: AsyncStream<OutboxOutcome>

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }

    /// The iterator of outcomes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<OutboxOutcome>.Iterator

        /// Returns the next outcome; nil once the outbox is closed, or the task is cancelled.
        public mutating func next() async -> OutboxOutcome? { await base.next(isolation: #isolation) }
    }
}

/// The consumers of outcomes.
struct OutboxListeners: Sendable {
    private var lastID = 0
    private var continuations: [Int: AsyncStream<OutboxOutcome>.Continuation] = [:]

    var all: [AsyncStream<OutboxOutcome>.Continuation] { Array(continuations.values) }

    mutating func add(_ continuation: AsyncStream<OutboxOutcome>.Continuation) -> Int {
        lastID += 1
        continuations[lastID] = continuation
        return lastID
    }

    mutating func remove(_ id: Int) { continuations[id] = nil }

    mutating func removeAll() -> [AsyncStream<OutboxOutcome>.Continuation] {
        defer { continuations = [:] }
        return all
    }
}

extension Outbox {
    /// The outcomes of items that this process sends, parks or drops from now on. Each access returns a new stream with
    /// all outcomes. A consumer that is more than 1,000 outcomes behind misses the oldest ones. Ends when the outbox is
    /// closed.
    public var outcomes: OutboxOutcomes {
        let (stream, continuation) = AsyncStream.makeStream(
            of: OutboxOutcome.self, bufferingPolicy: .bufferingNewest(1000))
        let id = listeners.withLock { $0.add(continuation) }
        continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0.remove(id) } }
        return OutboxOutcomes(stream: stream)
    }

    /// Publishes an item's change if it's an outcome.
    func publish(_ item: OutboxItem) {
        guard let outcome = OutboxOutcome(item) else { return }
        for continuation in listeners.withLock(\.all) { continuation.yield(outcome) }
    }

    /// Waits until an item is completed, parked or dropped by any process, and returns the outcome; returns immediately
    /// if that has already happened.
    ///
    /// Throws `.notFound` if the item doesn't exist, `.cancelled`, and `.store`. This method doesn't send: some process
    /// must run ``run(through:)``.
    public func outcome(of id: OutboxItem.ID) async throws(OutboxError) -> OutboxOutcome {
        for await _ in changes.subscribe() {
            guard let item = try await item(id: id) else { throw .notFound(id) }
            if let outcome = OutboxOutcome(item) { return outcome }
        }
        throw ended
    }

    /// Waits until nothing is left to send, now or later: each item is finished, parked, or behind a parked item of its
    /// order key.
    ///
    /// Throws `.cancelled` and `.store`. This method doesn't send: some process must run ``run(through:)``.
    public func waitUntilIdle() async throws(OutboxError) {
        let blocks = configuration.parkedItemsBlock
        for await _ in changes.subscribe() {
            let hasWork = try await read { tables throws(StoreError) in try tables.hasWork(parkedItemsBlock: blocks) }
            if !hasWork { return }
        }
        throw ended
    }

    /// The reason why a stream of changes ended.
    private var ended: OutboxError { Task.isCancelled ? .cancelled : OutboxError(StoreError.closed(path)) }
}
