public import NetCore

/// Keeps every call a client makes in an SQLite file that `sqlite3` and any other tool can read.
///
/// Hand it to a client as a listener. ``record(_:)`` only appends to a bounded queue; a thread of the store's own writes
/// in batches. A slow or failing disk never slows or fails a call: see ``statistics``. Everything in an event is
/// redacted already, so the file holds no secrets that the client's redaction policy knows of.
///
///     let store = try ActivityStore(path: "activity.sqlite")
///     // … make calls with a client whose listeners include `store` …
///     try await store.flush()
///     for slow in try await store.slowest(limit: 5) {
///         print(slow.call.url, slow.call.duration as Any, slow.phases?.firstByte as Any)
///     }
///     try await store.close()
public final class ActivityStore: ActivityListener, ActivityQueries {
    /// The database file.
    public let path: String
    /// The connection that answers queries.
    public let reader: ActivityReader
    private let writer: StoreWorker

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
        writer = try StoreWorker(path: path, configuration: configuration, capacity: configuration.maximumQueuedEvents)
        { () throws(StoreError) in
            let connection = try StoreFile.openForWriting(path, configuration: configuration)
            try connection.prepareForWriting(maximumFileBytes: configuration.maximumFileBytes)
            try StoreSchema.migrator.migrate(connection)
            let batches = try EventBatchWriter(
                on: connection, batchSize: configuration.batchSize, clock: configuration.clock)
            return (connection, batches)
        }
        do throws(StoreError) {
            reader = try ActivityReader(path: path, busyTimeout: configuration.busyTimeout)
        } catch {
            writer.closeWithoutWaiting()
            throw error
        }
    }

    deinit { writer.closeWithoutWaiting() }

    /// Queues the event for the writer and returns at once. When the queue is full or the store closed, the event is
    /// dropped and counted.
    public func record(_ event: ActivityEvent) {
        writer.record(event)
    }

    /// What became of the events so far.
    public var statistics: WriterStatistics { writer.statistics }

    /// Waits until everything recorded before is committed.
    ///
    /// Throws the error of the write when it fails; the events stay queued and are tried again. Throws `cancelled` when
    /// the task is cancelled while it waits: the events are written all the same.
    public func flush() async throws(StoreError) {
        try await writer.perform { _ throws(StoreError) in }
    }

    /// Deletes all stored calls, attempts and events, the queued ones included; tables and the current session stay.
    ///
    /// The file keeps its size and uses the room again.
    public func deleteAll() async throws(StoreError) {
        try await writer.perform { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                try connection.execute("DELETE FROM net_event; DELETE FROM net_attempt; DELETE FROM net_call")
            }
        }
    }

    /// Writes what is queued, empties the log into the file, closes it and ends both threads. Later events are dropped,
    /// later queries throw `closed`; a second call does nothing. Not ended by cancellation.
    ///
    /// Throws when events were queued that could not be written: they are lost then, and counted as failed.
    public func close() async throws(StoreError) {
        await reader.close()
        try await writer.close()
    }
}

extension SQLiteConnection {
    /// The settings of a writing connection.
    fileprivate func prepareForWriting(maximumFileBytes: Int64) throws(StoreError) {
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
        try execute("PRAGMA journal_size_limit = 16777216")
        let pageSize = max(512, try integer("PRAGMA page_size") ?? 4096)
        try execute("PRAGMA max_page_count = \(max(1, maximumFileBytes / pageSize))")
    }
}
