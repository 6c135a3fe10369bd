public import NetCore

/// Records the activity of clients in an SQLite file that `sqlite3` and other tools can read: calls, WebSockets, jobs
/// and log lines, in one list.
///
/// Pass it to a client as a listener. ``record(_:)-(ActivityEvent)`` only appends to a bounded queue; the store's own
/// thread writes in batches. A slow or failing disk never slows or fails a call: see ``statistics``. Events are
/// redacted before the store receives them, so the file contains no secrets that the client's redaction policy knows
/// of.
///
/// A call is written once, when it has ended. Calls under way when a batch is written are in a separate table, so that
/// a hanging call is visible, and a call cut off by a crash is listed afterwards.
///
///     let store = try ActivityStore(path: "activity.sqlite")
///     // … make calls with a client whose listeners include `store` …
///     try await store.flush()
///     for item in try await store.items(limit: 5) {
///         print(item.url ?? "", item.status as Any, item.duration as Any)
///     }
///     try await store.close()
public final class ActivityStore: ActivityListener, ActivityQueries {
    /// The guarantee that ``flush(_:)`` waits for.
    public enum Durability: Sendable, Hashable {
        /// Committed: the data survives the end of the process, including a crash.
        case process
        /// Also flushed to the disk: the data survives a crash of the machine.
        case disk
    }

    /// The database file.
    public let path: String
    /// The connection for queries.
    public let reader: ActivityReader
    let writer: StoreWorker
    let clock: NetClock
    private let capture: Capture
    private let busyTimeout: Duration

    /// Opens the file for writing, creates or migrates its tables, and starts the writer thread and the reader thread.
    ///
    /// A new file is readable only by its owner. In a database that also contains an app's own tables, the store uses
    /// only tables whose names begin with `net_`; the database is switched to a write-ahead log permanently. Blocks
    /// while SQLite works, up to the busy timeout.
    ///
    /// Throws if the file can't be created or written, isn't a database or is damaged, if its tables are newer than
    /// this library, or if another connection holds it longer than the busy timeout.
    public init(path: String, configuration: Configuration = Configuration()) throws(StoreError) {
        self.path = path
        clock = configuration.clock
        capture = configuration.capture
        busyTimeout = configuration.busyTimeout
        writer = try StoreWorker(path: path, configuration: configuration, capacity: configuration.maximumQueuedEvents)
        { () throws(StoreError) in
            let connection = try StoreFile.openForWriting(path, configuration: configuration)
            try connection.prepareForWriting(maximumFileBytes: configuration.maximumFileBytes)
            try StoreSchema.migrator.migrate(connection)
            return (connection, try ItemWriter(on: connection, configuration: configuration))
        }
        do throws(StoreError) {
            reader = try ActivityReader(path: path, configuration: configuration)
        } catch {
            writer.closeWithoutWaiting()
            throw error
        }
    }

    deinit { writer.closeWithoutWaiting() }

    /// Calls, WebSockets and jobs, and the parts chosen by ``Configuration/capture``.
    public var interest: ActivityInterest { capture.interest.union([.calls, .sockets, .jobs]) }

    /// The limits on captured bodies and messages: ``Capture/bodies-property``.
    public var captureLimits: CaptureLimits { capture.limits }

    /// Queues the event for the writer and returns immediately. If the queue is full or the store is closed, the event
    /// is dropped and counted.
    public func record(_ event: ActivityEvent) {
        writer.record(.call(PendingEvent(event)))
    }

    /// Queues the event for the writer and returns immediately. Frames and round trips aren't stored.
    public func record(_ event: SocketEvent) {
        if let event = PendingSocketEvent(event) { writer.record(.socket(event)) }
    }

    /// Queues a log line.
    func record(_ line: PendingLogLine) { writer.record(.log(line)) }

    /// Queues the captured headers and bodies of an attempt and returns immediately. The writer thread redacts them.
    public func record(_ attempt: CapturedAttempt) { record(PendingCapture(attempt)) }

    /// Queues a captured WebSocket message and returns immediately. The writer thread redacts it.
    public func record(_ message: CapturedSocketMessage) { record(PendingMessage(message)) }

    /// Queues the activity of a job and returns immediately.
    public func record(_ activity: JobActivity) { record(PendingJob(activity)) }

    func record(_ capture: PendingCapture) { writer.record(.capture(capture)) }

    func record(_ message: PendingMessage) { writer.record(.message(message)) }

    func record(_ job: PendingJob) { writer.record(.job(job)) }

    /// Counts of entries that were written, dropped or failed.
    public var statistics: WriterStatistics { writer.statistics }

    /// Waits until everything recorded so far is committed, including the rows of entries under way.
    ///
    /// - Parameter durability: Default ``Durability/process``.
    ///
    /// Throws the error of a failed write; its entries stay queued and are retried. Throws `cancelled` if the task is
    /// cancelled while waiting; the entries are written nevertheless.
    public func flush(_ durability: Durability = .process) async throws(StoreError) {
        try await writer.perform { desk throws(StoreError) in
            try desk.writer?.writeOpen(desk.counts)
            if durability == .disk { try desk.writer?.flushToDisk() }
        }
    }

    /// Records an event, waits until it's committed, and returns the entry of its call: finished if the event is its
    /// end, otherwise under way. Returns nil if the entry was deleted or dropped in the meantime.
    ///
    /// Throws the errors of ``flush(_:)`` and of queries.
    public func recorded(_ event: ActivityEvent) async throws(StoreError) -> StoredItem? {
        record(event)
        try await flush()
        return try await item(uid: event.call, kind: .call)?.item
    }

    /// Deletes entries beyond the configured limits without waiting for the next regular check. Returns the number of
    /// deleted entries.
    @discardableResult
    public func prune() async throws(StoreError) -> Int {
        try await writer.perform { desk throws(StoreError) in try desk.writer?.prune() ?? 0 }
    }

    /// Writes the queued entries, checkpoints the write-ahead log into the file, closes it and ends both threads.
    /// Entries still under way count as cut off. Later events are dropped and later queries throw `closed`; a second
    /// call does nothing. Cancellation has no effect. Waits for locks of other connections for at most one busy timeout
    /// in total.
    ///
    /// Throws if queued entries couldn't be written: they are lost and counted as failed. The error's message says how
    /// many.
    public func close() async throws(StoreError) {
        let end = ContinuousClock.now + busyTimeout
        await reader.close(waitingUntil: end)
        try await writer.close(waitingUntil: end)
    }
}

extension ActivityStore {
    /// Creates or migrates a store's tables in a database that the caller has opened. For an app that manages the
    /// schema versions of its own tables in the same place.
    ///
    /// Works in the caller's transaction, if one is open: the tables are there once that is committed. Otherwise, each
    /// step is a transaction. The connection remains the caller's.
    ///
    /// Throws if the tables are newer than this library, or if SQLite fails; a step that fails is undone, and the
    /// caller's transaction stays open. ``StoreError/path`` is the path of the database's main file.
    ///
    /// - Parameter database: A `sqlite3*` from the copy of SQLite that NetStore is linked to.
    public static func migrate(_ database: OpaquePointer) throws(StoreError) {
        let connection = try SQLiteConnection(
            adopting: database, path: SQLiteConnection.path(of: database), busyTimeout: nil, isOwned: false)
        defer { connection.close() }
        try StoreSchema.migrator.migrate(connection)
    }
}

extension SQLiteConnection {
    /// Prepares a connection for writing.
    fileprivate func prepareForWriting(maximumFileBytes: Int64) throws(StoreError) {
        // Only a file without tables can enable auto-vacuum. Checked first: changing a file's mode takes its lock.
        if try integer("SELECT count(*) FROM sqlite_schema") == 0 { try execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try writeAhead()
        try execute("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        try execute("PRAGMA journal_size_limit = 8388608; PRAGMA temp_store = MEMORY")
        let pageSize = max(512, try integer("PRAGMA page_size") ?? 4096)
        try execute("PRAGMA max_page_count = \(max(1, maximumFileBytes / pageSize))")
    }
}
