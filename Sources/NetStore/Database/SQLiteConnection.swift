internal import CSQLite
internal import NetCore

/// A connection to a database file. It is used by one thread at a time: by the one that opens it, then only by the
/// thread that it's handed to.
final class SQLiteConnection {
    /// The access mode of a connection.
    enum Access {
        /// Reads and writes an existing file.
        case readWrite
        /// Reads only.
        case readOnly
        /// Reads only, and assumes that nothing writes to the file: needs no log file beside the database.
        case immutable
    }

    let path: String
    let handle: OpaquePointer
    private let isOwned: Bool
    private let busyTimeout: Duration
    /// The time at which all waits for locks end, for a store that is being closed; nil if each wait has the busy
    /// timeout.
    var endOfWaits: ContinuousClock.Instant?
    private var isClosed = false
    private var prepared: [String: SQLiteStatement] = [:]

    /// Opens the file and reads its header, so that a file that isn't a database fails here.
    convenience init(path: String, access: Access, busyTimeout: Duration) throws(StoreError) {
        var database: OpaquePointer?
        let mode = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        let uri = access == .immutable ? SQLITE_OPEN_URI : 0
        let name = access == .immutable ? Self.immutableURI(path) : Self.literal(path)
        let flags = mode | uri | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(name, &database, flags, nil)
        guard result == SQLITE_OK, let database else {
            let error = database.map { Self.error(of: $0, path: path, doing: "open the database") }
            sqlite3_close_v2(database)
            throw error ?? StoreError(sqlite: result, text: "out of memory", path: path, doing: "open the database")
        }
        try self.init(adopting: database, path: path, busyTimeout: busyTimeout)
    }

    /// Adopts an open connection and reads the file's header.
    ///
    /// - Parameter isOwned: False if the caller keeps using the connection and closes it.
    init(adopting database: OpaquePointer, path: String, busyTimeout: Duration?, isOwned: Bool = true)
        throws(StoreError)
    {
        handle = database
        self.path = path
        self.isOwned = isOwned
        self.busyTimeout = busyTimeout ?? .milliseconds(100)
        sqlite3_extended_result_codes(handle, 1)
        if let busyTimeout {
            let milliseconds = max(0, busyTimeout.inNanoseconds / 1_000_000)
            sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
        }
        try query("SELECT count(*) FROM sqlite_schema") { _ throws(StoreError) in }
    }

    deinit { close() }

    /// Closes the connection; don't use it afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        prepared.removeAll()
        if isOwned { sqlite3_close_v2(handle) }
    }

    /// Gives the next wait the time that is left until ``endOfWaits``.
    private func limitWait() {
        guard let endOfWaits else { return }
        let rest = min(max(.zero, endOfWaits - .now), busyTimeout)
        sqlite3_busy_timeout(handle, Int32(clamping: rest.inNanoseconds / 1_000_000))
    }

    /// True if SQLite fell back to read-only access because the file isn't writable.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// True if a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The number of rows that the last statement inserted, changed or deleted.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The row ID of the last inserted row.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The path of the main file of a connection that the caller has opened; `:memory:` if it has no file.
    static func path(of database: OpaquePointer) -> String {
        let name = sqlite3_db_filename(database, "main").map { String(cString: $0) } ?? ""
        return name.isEmpty ? ":memory:" : name
    }

    /// Runs one or more statements without parameters.
    func execute(_ sql: String) throws(StoreError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Self.error(of: handle, path: path, doing: "read or write the database")
        }
    }

    /// Gives the file a write-ahead log. Waits for a connection that is doing the same, as long as for any lock: SQLite
    /// ignores the busy timeout for this.
    func writeAhead() throws(StoreError) {
        let end = ContinuousClock.now + busyTimeout
        while true {
            do throws(StoreError) {
                return try execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.code == .locked, ContinuousClock.now < end else { throw error }
                sqlite3_sleep(5)
            }
        }
    }

    /// Prepares a statement for repeated use.
    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        try SQLiteStatement(sql, database: handle, path: path, isPersistent: true)
    }

    /// Runs a statement and keeps it prepared for the next call.
    func run(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) {
        if let statement = prepared[sql] { return try statement.run(values) }
        let statement = try prepare(sql)
        prepared[sql] = statement
        try statement.run(values)
    }

    /// Runs a query and calls `body` with each row.
    func query(
        _ sql: String, _ values: [SQLiteValue] = [], each body: (SQLiteRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try SQLiteStatement(sql, database: handle, path: path, isPersistent: false)
        try statement.query(values, each: body)
    }

    /// Runs a query, keeps it prepared for the next call, and calls `body` with each row.
    func rows(
        _ sql: String, _ values: [SQLiteValue], each body: (SQLiteRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        if let statement = prepared[sql] { return try statement.query(values, each: body) }
        let statement = try prepare(sql)
        prepared[sql] = statement
        try statement.query(values, each: body)
    }

    /// Returns the first column of the first row; nil for NULL or if there are no rows.
    func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) -> Int64? {
        var result: Int64?
        try query(sql, values) { row throws(StoreError) in if result == nil { result = row.integer(0) } }
        return result
    }

    /// Runs the body in a write transaction, which is rolled back if it throws. Within an open transaction, only what
    /// the body has done is rolled back; the open one goes on.
    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        if isInTransaction { return try savepoint(body) }
        limitWait()
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // After some errors, such as a full disk, SQLite has already rolled back the transaction.
            if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    private func savepoint<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try run("SAVEPOINT net_savepoint")
        do throws(StoreError) {
            let value = try body()
            try run("RELEASE net_savepoint")
            return value
        } catch {
            // As above, SQLite may have rolled back the whole transaction.
            if isInTransaction {
                sqlite3_exec(handle, "ROLLBACK TO net_savepoint; RELEASE net_savepoint", nil, nil, nil)
            }
            throw error
        }
    }

    /// Runs queries on one consistent state of the database.
    func snapshot<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try run("BEGIN")
        defer { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
        return try body()
    }

    /// Moves the log into the database file and empties it. Best effort: a reader may prevent it.
    func checkpoint() {
        limitWait()
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    static func error(of database: OpaquePointer, path: String, doing: String) -> StoreError {
        StoreError(
            sqlite: sqlite3_extended_errcode(database), text: String(cString: sqlite3_errmsg(database)),
            systemError: sqlite3_system_errno(database), path: path, doing: doing)
    }

    /// Prefixes a relative path with `./`, so that any name (`file:…`, `:memory:`) means a file.
    static func literal(_ path: String) -> String {
        path.hasPrefix("/") ? path : "./" + path
    }

    private static func immutableURI(_ path: String) -> String {
        var text = "file:"
        for byte in literal(path).utf8 {
            // Escapes everything but unreserved ASCII and the slash: `?`, `#` and `%` are special in a URI.
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return text + "?immutable=1"
    }
}
