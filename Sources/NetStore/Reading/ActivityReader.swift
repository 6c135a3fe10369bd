/// Reads a store and never writes: for viewers, and for files that another process is writing.
///
///     let reader = try ActivityReader(path: "activity.sqlite")
///     for call in try await reader.calls(matching: CallFilter(outcome: .failed), limit: 20) {
///         print(call.startedAt, call.url, call.failure?.message ?? "")
///     }
///     await reader.close()
public final class ActivityReader: ActivityQueries {
    /// The database file.
    public let path: String
    let worker: StoreWorker

    /// This reader.
    public var reader: ActivityReader { self }

    /// Opens the file; blocks while SQLite reads its header.
    ///
    /// Throws when there is no such file, it is no database, it holds no store or a newer one, or it may not be read.
    /// No database is made. SQLite puts its log's files (`-wal`, `-shm`) beside it where the folder may be written.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - busyTimeout: How long a query waits for another connection's lock. Default 5 seconds.
    public init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
        self.path = path
        worker = try StoreWorker(path: path, configuration: ActivityStore.Configuration(), capacity: 0) {
            () throws(StoreError) in
            let connection = try StoreFile.openForReading(path, busyTimeout: busyTimeout)
            try StoreSchema.migrator.check(connection)
            return (connection, nil)
        }
    }

    deinit { worker.closeWithoutWaiting() }

    /// Waits for running queries and closes the file; later queries throw `closed`. Not ended by cancellation.
    public func close() async {
        // A reader has no events to lose, so there is nothing to report.
        try? await worker.close()
    }
}
