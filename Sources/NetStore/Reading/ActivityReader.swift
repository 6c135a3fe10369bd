internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads a store without ever writing: for viewers, and for files that another process is writing.
///
///     let reader = try ActivityReader(path: "activity.sqlite")
///     for item in try await reader.items(limit: 20) {
///         print(item.startedAt, item.url ?? "", item.failure?.message ?? "")
///     }
///     await reader.close()
public final class ActivityReader: ActivityQueries {
    /// The database file.
    public let path: String
    let worker: StoreWorker
    let changes: FileChanges
    private let clock: NetClock

    /// This reader.
    public var reader: ActivityReader { self }

    /// Opens the file; blocks while SQLite reads its header.
    ///
    /// Throws if the file doesn't exist, isn't a database, doesn't contain a store or contains one of a newer version,
    /// or isn't readable. Never creates a database. SQLite creates its log files (`-wal`, `-shm`) beside it if the
    /// folder is writable.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - configuration: The settings; only `busyTimeout` and `open` are used.
    public init(
        path: String, configuration: ActivityStore.Configuration = ActivityStore.Configuration()
    ) throws(StoreError) {
        self.path = path
        clock = configuration.clock
        changes = FileChanges(path: path)
        worker = try StoreWorker(path: path, configuration: configuration, capacity: 0) { () throws(StoreError) in
            let connection = try StoreFile.openForReading(
                path, busyTimeout: configuration.busyTimeout, open: configuration.open)
            try StoreSchema.migrator.check(connection)
            try connection.addFilterFunctions()
            return (connection, nil)
        }
    }

    /// Returns the filter as SQL; relative times are resolved now.
    func condition(_ filter: ActivityFilter) -> FilterCondition { FilterCondition(filter, now: now) }

    var now: Date { clock.date() }

    deinit {
        worker.closeWithoutWaiting()
        changes.close()
    }

    /// Ends all live sequences, waits for running queries and closes the file; later queries throw `closed`.
    /// Cancellation has no effect.
    public func close() async { await close(waitingUntil: nil) }

    func close(waitingUntil end: ContinuousClock.Instant?) async {
        changes.close()
        // Nothing is pending in a reader, so that closing can't lose data.
        try? await worker.close(waitingUntil: end)
    }
}
