internal import NetCore

/// The store that an exporter reads, and the connection that writes the cursor.
struct OTLPSource: Sendable {
    let reader: ActivityReader
    /// Nil if no cursor is stored.
    let writer: StoreWorker?
    /// True if the exporter opened both itself.
    let isOwned: Bool

    /// Uses a store that is open in this process: its own writer moves the cursor.
    init(_ store: ActivityStore, hasCursor: Bool) {
        reader = store.reader
        writer = hasCursor ? store.writer : nil
        isOwned = false
    }

    /// Opens a file that another process may be writing. Never creates one; migrates its tables to the newest version,
    /// unless there is no cursor to write.
    init(path: String, configuration: ActivityStore.Configuration, hasCursor: Bool) throws(StoreError) {
        isOwned = true
        // Opened first, because the reader never creates a file.
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
        // It only writes cursors, and each transaction has been awaited: no error can be lost.
        try? await writer?.close()
    }

    func closeWithoutWaiting() {
        if isOwned { writer?.closeWithoutWaiting() }
    }
}
