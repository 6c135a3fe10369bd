public import NetCore

/// Keeps what a client does in an SQLite file that `sqlite3` and any other tool can read: calls, WebSockets, jobs and lines
/// of logs, in one list.
///
/// Pass it to a client as a listener. ``record(_:)-(ActivityEvent)`` only appends to a bounded queue; a thread of the store's
/// own writes in batches. A slow or failing disk never slows or fails a call: see ``statistics``. Everything in an event is
/// redacted already, so the file contains no secrets that the client's redaction policy knows of.
///
/// A call is written once, when it has ended. What is under way when a batch is written stands in a table of its own, so
/// that a call that hangs can be seen, and one that a crash cut off is in the list afterwards.
///
///     let store = try ActivityStore(path: "activity.sqlite")
///     // … make calls with a client whose listeners include `store` …
///     try await store.flush()
///     for item in try await store.items(limit: 5) {
///         print(item.url ?? "", item.status as Any, item.duration as Any)
///     }
///     try await store.close()
public final class ActivityStore: ActivityListener, ActivityQueries {
    /// What ``flush(_:)`` waits for.
    public enum Durability: Sendable, Hashable {
        /// Committed: it outlives the process, however that ends.
        case process
        /// Flushed to the disk as well: it outlives a crash of the machine.
        case disk
    }

    /// The database file.
    public let path: String
    /// The connection that answers queries.
    public let reader: ActivityReader
    let writer: StoreWorker
    let clock: NetClock
    private let capture: Capture

    /// Opens the file for writing, makes or migrates its tables, and starts the writer's and the reader's thread.
    ///
    /// A new file is readable by its owner only. In a database that an app uses for its own tables too, the store keeps
    /// to tables whose names begin with `net_`; the database is switched to a write-ahead log, which lasts. Blocks
    /// while SQLite works, up to the busy time-out.
    ///
    /// Throws when the path names no file that can be made or written, the file is no database or damaged, its tables
    /// are newer than this library, or another connection holds it longer than the busy time-out.
    public init(path: String, configuration: Configuration = Configuration()) throws(StoreError) {
        self.path = path
        clock = configuration.clock
        capture = configuration.capture
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

    /// Calls, WebSockets and jobs, and what ``Configuration/capture`` says.
    public var interest: ActivityInterest { capture.interest.union([.calls, .sockets, .jobs]) }

    /// How much is captured of bodies and messages: ``Capture/bodies``.
    public var captureLimits: CaptureLimits { capture.limits }

    /// Queues the event for the writer and returns immediately. When the queue is full or the store closed, the event is
    /// dropped and counted.
    public func record(_ event: ActivityEvent) {
        writer.record(.call(PendingEvent(event)))
    }

    /// Queues the event for the writer and returns immediately. Frames and round trips aren't kept.
    public func record(_ event: SocketEvent) {
        if let event = PendingSocketEvent(event) { writer.record(.socket(event)) }
    }

    /// Queues a line of a log.
    func record(_ line: PendingLogLine) { writer.record(.log(line)) }

    /// Queues the captured headers and bodies of an attempt, and returns immediately. The writer's thread hides what is secret.
    public func record(_ attempt: CapturedAttempt) { record(PendingCapture(attempt)) }

    /// Queues a captured message of a WebSocket, and returns immediately. The writer's thread hides what is secret.
    public func record(_ message: CapturedSocketMessage) { record(PendingMessage(message)) }

    /// Queues what a job does, and returns immediately.
    public func record(_ activity: JobActivity) { record(PendingJob(activity)) }

    func record(_ capture: PendingCapture) { writer.record(.capture(capture)) }

    func record(_ message: PendingMessage) { writer.record(.message(message)) }

    func record(_ job: PendingJob) { writer.record(.job(job)) }

    /// What became of what the store was handed.
    public var statistics: WriterStatistics { writer.statistics }

    /// Waits until everything recorded before is committed, the rows of what is under way included.
    ///
    /// - Parameter durability: Default ``Durability/process``.
    ///
    /// Throws the error of the write when it fails; what it was to write stays queued and is tried again. Throws `cancelled`
    /// when the task is cancelled while it waits: everything is written all the same.
    public func flush(_ durability: Durability = .process) async throws(StoreError) {
        try await writer.perform { desk throws(StoreError) in
            try desk.writer?.writeOpen(desk.counts)
            if durability == .disk { try desk.writer?.flushToDisk() }
        }
    }

    /// Records an event, waits until it is committed, and returns the entry of its call: finished if the event is its end,
    /// otherwise under way. Nil if it was deleted or dropped meanwhile.
    ///
    /// Throws like ``flush(_:)``, and like a query.
    public func recorded(_ event: ActivityEvent) async throws(StoreError) -> StoredItem? {
        record(event)
        try await flush()
        return try await item(uid: event.call, kind: .call)?.item
    }

    /// Deletes what is too old or too much by the configuration, without waiting for the writer's own time. Returns the
    /// number of deleted entries.
    @discardableResult
    public func prune() async throws(StoreError) -> Int {
        try await writer.perform { desk throws(StoreError) in try desk.writer?.prune() ?? 0 }
    }

    /// Deletes everything stored, the queued and pinned entries, artifacts, roll-ups and names included; tables, the
    /// current run and the cursors of exports stay.
    ///
    /// The file uses the room again.
    public func deleteAll() async throws(StoreError) {
        try await writer.perform { desk throws(StoreError) in try desk.writer?.deleteAll() }
    }

    /// Writes what is queued, empties the log into the file, closes it and ends both threads. What is still under way counts
    /// as cut off. Later events are dropped, later queries throw `closed`; a second call does nothing. Not ended by
    /// cancellation.
    ///
    /// Throws when something was queued that could not be written: it is lost then, and counted as failed.
    public func close() async throws(StoreError) {
        await reader.close()
        try await writer.close()
    }
}

extension ActivityStore {
    /// Makes or migrates the tables of a store in a database that the caller has open, for an app that manages the versions
    /// of its own tables in the same place.
    ///
    /// Must be called outside a transaction; the connection stays the caller's. Throws when the tables are newer than this
    /// library, or SQLite fails.
    ///
    /// - Parameter database: A `sqlite3*` of the copy of SQLite that NetStore is linked to.
    public static func migrate(_ database: OpaquePointer) throws(StoreError) {
        let connection = try SQLiteConnection(adopting: database, path: "", busyTimeout: nil, isOwned: false)
        try StoreSchema.migrator.migrate(connection)
    }
}

extension SQLiteConnection {
    /// The settings of a writing connection.
    fileprivate func prepareForWriting(maximumFileBytes: Int64) throws(StoreError) {
        // Only a file without tables can begin to give pages back. Told apart first: changing a file's mode takes its lock.
        if try integer("SELECT count(*) FROM sqlite_schema") == 0 { try execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        try execute("PRAGMA journal_size_limit = 8388608; PRAGMA temp_store = MEMORY")
        let pageSize = max(512, try integer("PRAGMA page_size") ?? 4096)
        try execute("PRAGMA max_page_count = \(max(1, maximumFileBytes / pageSize))")
    }
}
