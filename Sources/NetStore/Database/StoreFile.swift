internal import CSQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Checks of a store's path, with a separate message for each mistake, and functions to open it.
enum StoreFile {
    typealias OpenFunction = @Sendable (_ path: String, _ isReadOnly: Bool) throws -> OpaquePointer

    /// Opens the file of an activity store for writing.
    static func openForWriting(
        _ path: String, configuration: ActivityStore.Configuration
    ) throws(StoreError) -> SQLiteConnection {
        try openForWriting(path, busyTimeout: configuration.busyTimeout, open: configuration.open)
    }

    /// Opens the file for writing; creates it, readable only by its owner, if it's missing.
    static func openForWriting(
        _ path: String, busyTimeout: Duration, createsFile: Bool = true, open: OpenFunction? = nil
    ) throws(StoreError) -> SQLiteConnection {
        try checkLibrary(path)
        try check(path)
        if try !exists(path) {
            guard createsFile else { throw StoreError(.notFound, message: "there is no such file", path: path) }
            try create(path)
        }
        let connection =
            if let open {
                try adopt(path, isReadOnly: false, open, busyTimeout: busyTimeout)
            } else {
                try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
            }
        guard !connection.isReadOnly else {
            throw StoreError(
                .permission,
                message: "the database can be read but not written. The file and its folder must be writable",
                path: path)
        }
        return connection
    }

    /// Opens the file for reading; never creates one.
    static func openForReading(
        _ path: String, busyTimeout: Duration, open: OpenFunction? = nil
    ) throws(StoreError) -> SQLiteConnection {
        try checkLibrary(path)
        try check(path)
        guard try exists(path) else { throw StoreError(.notFound, message: "there is no such file", path: path) }
        if let open { return try adopt(path, isReadOnly: true, open, busyTimeout: busyTimeout) }
        do throws(StoreError) {
            return try SQLiteConnection(path: path, access: .readOnly, busyTimeout: busyTimeout)
        } catch {
            // In a folder that isn't writable, SQLite can't create the shared-memory file that a log needs. Without a
            // log file, reading only the database misses nothing.
            let isAboutTheLog = error.sqliteCode.map { [SQLITE_CANTOPEN, SQLITE_READONLY].contains($0 & 0xff) }
            guard isAboutTheLog == true, try !exists(path + "-wal") else { throw error }
            return try SQLiteConnection(path: path, access: .immutable, busyTimeout: busyTimeout)
        }
    }

    /// Adopts a connection that the caller's closure opens.
    private static func adopt(
        _ path: String, isReadOnly: Bool, _ open: OpenFunction, busyTimeout: Duration
    ) throws(StoreError) -> SQLiteConnection {
        let database: OpaquePointer
        do {
            database = try open(path, isReadOnly)
        } catch {
            if let error = error as? StoreError { throw error }
            throw StoreError(.unknown, message: "could not open the database: \(error)", path: path)
        }
        return try SQLiteConnection(adopting: database, path: path, busyTimeout: busyTimeout)
    }

    private static func checkLibrary(_ path: String) throws(StoreError) {
        guard sqlite3_libversion_number() >= 3_037_000, sqlite3_threadsafe() != 0 else {
            let version = String(cString: sqlite3_libversion())
            throw StoreError(
                .unsupported,
                message: "SQLite \(version) cannot be used: 3.37 or later, compiled thread-safe, is needed", path: path)
        }
    }

    private static func check(_ path: String) throws(StoreError) {
        let problem: String? =
            if path.isEmpty {
                "the path is empty"
            } else if path.utf8.contains(0) {
                "the path holds a NUL byte"
            } else if path == ":memory:" {
                "a store can't be in memory: its reader is a second connection to the file"
            } else {
                nil
            }
        if let problem { throw StoreError(.invalidPath, message: "\(problem). Name a file", path: path) }
    }

    private static func exists(_ path: String) throws(StoreError) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else {
            let error = errno
            if error == ENOENT { return false }
            throw StoreError(systemError: error, path: path, doing: "find the file")
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            let kind = information.st_mode & S_IFMT == S_IFDIR ? "a folder" : "something that isn't a regular file"
            throw StoreError(.notAFile, message: "the path names \(kind). Name a file in it", path: path)
        }
        return true
    }

    /// Creates only new files: closing a descriptor of a file that is open elsewhere in this process would drop its
    /// locks.
    private static func create(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let error = errno
            if error == EEXIST { return }
            throw StoreError(systemError: error, path: path, doing: "make the file")
        }
        close(descriptor)
    }
}
