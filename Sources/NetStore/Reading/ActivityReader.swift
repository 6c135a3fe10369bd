internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads a store and never writes: for viewers, and for files that another process is writing.
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
    /// Throws when there is no such file, it is no database, it holds no store or a newer one, or it may not be read.
    /// No database is made. SQLite puts its log's files (`-wal`, `-shm`) beside it where the folder may be written.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - configuration: Of it, `busyTimeout` and `open` matter.
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

    /// The filter in SQL; times before now are resolved here.
    func condition(_ filter: ActivityFilter) -> FilterCondition { FilterCondition(filter, now: now) }

    var now: Date { clock.date() }

    deinit {
        worker.closeWithoutWaiting()
        changes.close()
    }

    /// Ends all live sequences, waits for running queries and closes the file; later queries throw `closed`. Not ended by
    /// cancellation.
    public func close() async {
        changes.close()
        // A reader has nothing to lose, so there is nothing to report.
        try? await worker.close()
    }
}
