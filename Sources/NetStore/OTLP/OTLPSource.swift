internal import NetCore

/// The store that an exporter reads, and the connection that writes its cursor.
struct OTLPSource: Sendable {
    let reader: ActivityReader
    /// Nil without a cursor.
    let writer: StoreWorker?
    /// Whether both were opened for the exporter.
    let isOwned: Bool

    /// A store that is open in this process: its own writer moves the cursor.
    init(_ store: ActivityStore, hasCursor: Bool) {
        reader = store.reader
        writer = hasCursor ? store.writer : nil
        isOwned = false
    }

    /// Opens a file that another process may be writing. Never makes one; brings its tables to the newest version, unless
    /// there is no cursor to write.
    init(path: String, configuration: ActivityStore.Configuration, hasCursor: Bool) throws(StoreError) {
        isOwned = true
        // First, since it makes no file.
        reader = try ActivityReader(path: path, configuration: configuration)
        guard hasCursor else {
            writer = nil
            return
        }
        do throws(StoreError) {
            writer = try StoreWorker(path: path, configuration: configuration, capacity: 0) { () throws(StoreError) in
                let connection = try StoreFile.openForWriting(path, configuration: configuration)
                try connection.execute("PRAGMA synchronous = NORMAL")
                try StoreSchema.migrator.migrate(connection)
                return (connection, nil)
            }
        } catch {
            reader.worker.closeWithoutWaiting()
            reader.changes.close()
            throw error
        }
    }

    func close() async {
        guard isOwned else { return }
        await reader.close()
        // It only writes cursors, each in a transaction that is waited for.
        try? await writer?.close()
    }

    func closeWithoutWaiting() {
        if isOwned { writer?.closeWithoutWaiting() }
    }
}
