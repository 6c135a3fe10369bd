internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension ActivityQueries {
    /// Writes entries into a separate store, to attach to an error report or to keep.
    ///
    ///     let reader = try ActivityReader(path: "activity.sqlite")
    ///     try await reader.writeSlice(to: "bug.sqlite", matching: ActivityFilter("~e ~since 1h"))
    ///
    /// Related data is included: attempts, captured headers, bodies and messages, notes and artifacts; the WebSocket,
    /// log lines and job of a call; the calls of a job; and the runs that wrote them. Roll-ups count only these
    /// entries. Entries under way are omitted. Entries keep their numbers, and the file contains nothing of any other
    /// entry.
    ///
    /// The slice is one consistent state of the store, even while another process writes, and memory use doesn't grow
    /// with the number of entries. Until it's done, this reader runs no other query.
    ///
    /// - Parameters:
    ///   - path: The new file, readable only by its owner. It must not exist.
    ///   - filter: The entries to write. Default ``ActivityFilter/all``.
    ///   - limit: The maximum number of entries, newest first, not counting related ones. Default nil: all.
    ///
    /// Doesn't write a file if no entry matches. Throws `exists` if the file already exists.
    @discardableResult
    public func writeSlice(
        to path: String, matching filter: ActivityFilter = .all, limit: Int? = nil
    ) async throws(StoreError) -> ActivityExport {
        let condition = reader.condition(filter)
        return try await reader.worker.perform { desk throws(StoreError) in
            let file = SliceFile(path: path)
            try file.check()
            do throws(StoreError) {
                let items = try file.write { target throws(StoreError) in
                    try StoreSlice(source: desk.connection, target: target).copy(condition, limit: limit)
                }
                guard items > 0 else {
                    file.discard()
                    return ActivityExport()
                }
                return ActivityExport(items: items, entries: items, bytes: try file.commit())
            } catch {
                file.discard()
                throw error
            }
        }
    }
}

/// A new store under a temporary name, renamed when it's complete.
private struct SliceFile {
    let path: String
    private let draft: String

    init(path: String) {
        self.path = path
        draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
    }

    /// Throws if the file exists.
    func check() throws(StoreError) {
        var information = stat()
        if lstat(path, &information) == 0 { throw exists }
    }

    private var exists: StoreError {
        StoreError(.exists, message: "the file already exists. Name another one, or delete it", path: path)
    }

    /// Creates the tables, runs the body and closes the database.
    func write(_ body: (SQLiteConnection) throws(StoreError) -> Int) throws(StoreError) -> Int {
        let connection = try StoreFile.openForWriting(draft, configuration: ActivityStore.Configuration())
        defer { connection.close() }
        // The file isn't in use by anyone else, and is deleted if incomplete: no journal is needed yet.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try StoreSchema.migrator.migrate(connection)
        let count = try body(connection)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        connection.checkpoint()
        return count
    }

    /// Gives the file its final name; returns its size.
    func commit() throws(StoreError) -> Int64 {
        let descriptor = open(draft, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(errno) }
        defer { close(descriptor) }
        var information = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &information) == 0 else { throw failed(errno) }
        // Unlike `rename`, `link` never replaces an existing file.
        if link(draft, path) == 0 {
            unlink(draft)
        } else {
            let error = errno
            if error == EEXIST { throw exists }
            try check()
            guard rename(draft, path) == 0 else { throw failed(errno) }
        }
        return Int64(information.st_size)
    }

    func discard() { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }

    private func failed(_ error: CInt) -> StoreError {
        StoreError(systemError: error, path: path, doing: "write the file")
    }
}
