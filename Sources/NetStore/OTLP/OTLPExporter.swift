public import NetCore
internal import Synchronization

/// Sends the entries of a store to an OpenTelemetry collector, as OTLP over HTTP in JSON.
///
/// Entries are sent in commit order, in batches. A cursor in the store remembers the entries that the collector has
/// settled. After a restart or a crash, nothing is lost, and at most the current batch is sent twice. Only that batch
/// is in memory.
///
///     let store = try ActivityStore(path: "activity.sqlite")
///     let exporter = try OTLPExporter(
///         store: store, client: client, configuration: .init(endpoint: "http://localhost:4318"))
///     let statistics = try await exporter.export()
///     print(statistics.sent, "spans")
///
/// An exporter never exports its own requests, even if the store is a listener of the client.
public final class OTLPExporter: Sendable {
    private struct State {
        var statistics = OTLPStatistics()
        var isAtWork = false
        /// True after the first run, which moves the cursor to the beginning if `startsOver` is set.
        var hasStarted = false
        /// The position when no cursor is stored.
        var memory: OTLPCursor?
    }

    /// The settings.
    public let configuration: Configuration
    private let source: OTLPSource
    private let sender: OTLPSender
    private let condition: FilterCondition
    private let cursor: String?
    private let state: SharedState

    /// The state, shared with the sender.
    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    /// Creates an exporter for a store that is open in this process. The store must stay open; its own writer moves the
    /// cursor.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - client: The client that sends the requests.
    ///   - configuration: The settings.
    ///
    /// Throws `invalidConfiguration`.
    public convenience init(
        store: ActivityStore, client: any APIClient, configuration: Configuration
    ) throws(OTLPError) {
        let source = OTLPSource(store, hasCursor: configuration.cursor != nil)
        try self.init(source, client, configuration)
    }

    /// Creates an exporter for a file that another process may be writing; ``close()`` closes it.
    ///
    /// Never creates a file. The cursor is written in short transactions, after migrating the tables to the newest
    /// version; without a cursor the file is only read. Blocks while SQLite opens the file.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - client: The client that sends the requests.
    ///   - configuration: The settings.
    ///   - store: The settings for opening the file; only `busyTimeout` and `open` are used.
    ///
    /// Throws `invalidConfiguration`, and `store` if the file can't be opened.
    public convenience init(
        path: String, client: any APIClient, configuration: Configuration,
        store: ActivityStore.Configuration = ActivityStore.Configuration()
    ) throws(OTLPError) {
        _ = try OTLPEndpoint(configuration)
        let source: OTLPSource
        do throws(StoreError) {
            source = try OTLPSource(path: path, configuration: store, hasCursor: configuration.cursor != nil)
        } catch {
            throw OTLPError(error)
        }
        try self.init(source, client, configuration)
    }

    private init(
        _ source: OTLPSource, _ client: any APIClient, _ configuration: Configuration
    ) throws(OTLPError) {
        let endpoint = try OTLPEndpoint(configuration)
        let state = SharedState()
        self.source = source
        self.configuration = configuration
        self.state = state
        condition = source.reader.condition(configuration.filter)
        cursor = configuration.cursor.map { configuration.signal == .logs ? $0 + ".logs" : $0 }
        sender = OTLPSender(client: client, configuration: configuration, url: endpoint.url) { change in
            state.value.withLock { change(&$0.statistics) }
        }
    }

    deinit { source.closeWithoutWaiting() }

    /// The totals since the exporter was created.
    public var statistics: OTLPStatistics { state.value.withLock { $0.statistics } }

    /// Sends all entries committed so far, and returns the statistics.
    ///
    /// If the collector can't be reached or requests a pause, the request is retried until the task is cancelled.
    /// Throws ``OTLPError``; entries settled before stay settled.
    @discardableResult
    public func export() async throws(OTLPError) -> OTLPStatistics {
        try await work(follows: false)
        return statistics
    }

    /// Sends the stored entries, then new ones as any process commits them. Returns when the store is closed. Throws
    /// ``OTLPError``, also when the task is cancelled.
    public func run() async throws(OTLPError) { try await work(follows: true) }

    /// Closes the file if this exporter opened it. A store passed by the caller stays open.
    public func close() async { await source.close() }
}

// MARK: The work

extension OTLPExporter {
    private func work(follows: Bool) async throws(OTLPError) {
        let isFirst = state.value.withLock { state in
            defer { state.isAtWork = true }
            return !state.isAtWork
        }
        guard isFirst else { throw OTLPError(.busy, message: "the exporter is already running") }
        defer { state.value.withLock { $0.isAtWork = false } }
        do throws(OTLPError) {
            try await sendAll(follows: follows)
        } catch {
            if error.storeError?.code == .closed, follows { return }
            throw error
        }
    }

    private func sendAll(follows: Bool) async throws(OTLPError) {
        var changes = follows ? source.reader.changes.subscribe().makeAsyncIterator() : nil
        var place = try await load()
        let limit = follows ? Int64.max : try await read(OTLPCursor.newest)
        var entries = configuration.maximumBatch
        while true {
            if Task.isCancelled { throw .cancelled }
            let batch = try await next(from: place, entries: entries, limit: limit)
            if let body = batch.body {
                switch try await sender.send(body, count: batch.count, entries: batch.entries) {
                case .tooLarge:
                    entries = max(1, batch.entries / 2)
                    continue
                case .settled(let sent, let rejected):
                    place = try await settle(batch, sent: sent, rejected: rejected)
                    entries = min(configuration.maximumBatch, entries * 2)
                }
            } else if batch.end != place {
                place = try await settle(batch, sent: 0, rejected: 0)
            }
            guard batch.isLast else { continue }
            guard changes != nil else { return }
            // Waits, so that entries that arrive one by one are sent together.
            if batch.body != nil { try await pause(configuration.interval) }
            if await changes?.next(isolation: #isolation) == nil {
                if Task.isCancelled { throw .cancelled }
                return
            }
        }
    }

    private func next(from place: OTLPCursor, entries: Int, limit: Int64) async throws(OTLPError) -> OTLPBatch {
        let query = OTLPPage.Query(
            signal: configuration.signal, condition: condition, position: place.position, limit: limit,
            entries: entries, spans: configuration.maximumBatch)
        let plan = OTLPBatch.Plan(
            query: query, cursor: place, maximumBytes: configuration.maximumBytes,
            isCompressed: configuration.isCompressed, resource: configuration.resource)
        return try await read { connection throws(StoreError) in try OTLPBatch.next(plan, on: connection) }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(StoreError) -> Value
    ) async throws(OTLPError) -> Value {
        do throws(StoreError) {
            return try await source.reader.worker.perform { desk throws(StoreError) in try body(desk.connection) }
        } catch {
            throw OTLPError(error)
        }
    }

    private func pause(_ duration: Duration) async throws(OTLPError) {
        do {
            try await configuration.clock.sleep(for: duration)
        } catch {
            throw .cancelled
        }
    }
}

// MARK: The cursor

extension OTLPExporter {
    private func load() async throws(OTLPError) -> OTLPCursor {
        let (startsOver, memory) = state.value.withLock { state in
            defer { state.hasStarted = true }
            return (configuration.startsOver && !state.hasStarted, state.memory)
        }
        guard let cursor else {
            if let memory { return memory }
            return try await read { connection throws(StoreError) in
                try connection.snapshot { () throws(StoreError) in try OTLPCursor.beginning(on: connection) }
            }
        }
        let now = StoredTime.microseconds(of: configuration.clock.date())
        return try await write { connection throws(StoreError) in
            try OTLPCursor.load(cursor, startsOver: startsOver, now: now, on: connection)
        }
    }

    /// Moves the cursor past a batch and adds its results to the statistics.
    private func settle(_ batch: OTLPBatch, sent: Int, rejected: Int) async throws(OTLPError) -> OTLPCursor {
        if let cursor {
            let counts = OTLPCursor.Counts(sent: sent, rejected: rejected, missed: batch.missed)
            let now = StoredTime.microseconds(of: configuration.clock.date())
            let isMoved = try await write { connection throws(StoreError) in
                try batch.start.move(to: batch.end, cursor, adding: counts, now: now, on: connection)
            }
            guard isMoved else {
                throw OTLPError(
                    .cursorMoved,
                    message: "another exporter has moved the cursor \"\(cursor)\". Give each exporter its own")
            }
        }
        state.value.withLock { state in
            state.statistics.sent += sent
            state.statistics.rejected += rejected
            state.statistics.missed += batch.missed
            state.statistics.skipped += batch.skipped
            state.statistics.position = batch.end.position
            state.memory = batch.end
        }
        return batch.end
    }

    /// Writes on the cursor's connection. Retries if another process keeps the database locked.
    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(StoreError) -> Value
    ) async throws(OTLPError) -> Value {
        guard let writer = source.writer else { throw OTLPError(.closed(source.reader.path)) }
        var attempt = 0
        while true {
            // Uses an unstructured task, which isn't cancelled with this one: entries that the collector accepted are
            // recorded before the export ends.
            let attempted = Task { () -> Result<Value, StoreError> in
                do throws(StoreError) {
                    return .success(
                        try await writer.perform { desk throws(StoreError) in try body(desk.connection) })
                } catch {
                    return .failure(error)
                }
            }
            let failure: StoreError
            switch await attempted.value {
            case .success(let value): return value
            case .failure(let error): failure = error
            }
            guard failure.code == .locked else { throw OTLPError(failure) }
            attempt += 1
            state.value.withLock { $0.statistics.lastError = failure.description }
            let random = configuration.random.unit()
            try await pause(configuration.backoff.delay(afterAttempt: attempt, random: random))
        }
    }
}
