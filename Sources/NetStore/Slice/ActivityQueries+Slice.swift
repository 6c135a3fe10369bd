internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension ActivityQueries {
    /// Writes entries into a store of their own: to attach to a report of an error, or to keep.
    ///
    ///     let reader = try ActivityReader(path: "activity.sqlite")
    ///     try await reader.writeSlice(to: "bug.sqlite", matching: ActivityFilter("~e ~since 1h"))
    ///
    /// What belongs to an entry comes with it: attempts, captured headers, bodies and messages, notes and artifacts; of a call
    /// its WebSocket, its log lines and its job; of a job its calls; the runs that wrote them. Roll-ups count only these
    /// entries. What is under way is left out. Entries keep their numbers, and the file holds nothing of any other entry.
    ///
    /// It is one state of the store, also while another process writes, and memory doesn't grow with the number of entries.
    /// Until it's done, this reader answers nothing else.
    ///
    /// - Parameters:
    ///   - path: The new file, which only its owner may read. Must not exist.
    ///   - filter: Which entries. Default ``ActivityFilter/all``.
    ///   - limit: The most entries, the newest, not counting what belongs to them; nil, the default, for all.
    ///
    /// Writes no file if no entry matches. Throws `exists` if the file is there already.
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

/// A new store that takes its name when it's complete.
private struct SliceFile {
    let path: String
    private let draft: String

    init(path: String) {
        self.path = path
        draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
    }

    /// Throws if there is a file of that name.
    func check() throws(StoreError) {
        var information = stat()
        if lstat(path, &information) == 0 { throw exists }
    }

    private var exists: StoreError {
        StoreError(.exists, message: "there is such a file already. Name another, or delete it", path: path)
    }

    /// Makes the tables, runs the body and closes the database.
    func write(_ body: (SQLiteConnection) throws(StoreError) -> Int) throws(StoreError) -> Int {
        let connection = try StoreFile.openForWriting(draft, configuration: ActivityStore.Configuration())
        defer { connection.close() }
        // Nobody else knows the file, and an incomplete one is deleted: it needs no journal yet.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try StoreSchema.migrator.migrate(connection)
        let count = try body(connection)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        connection.checkpoint()
        return count
    }

    /// Gives the file its name; returns its size.
    func commit() throws(StoreError) -> Int64 {
        let descriptor = open(draft, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(errno) }
        defer { close(descriptor) }
        var information = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &information) == 0 else { throw failed(errno) }
        // Unlike a rename, a link never takes the place of another file.
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
