internal import CSQLite
internal import NetCore

/// A prepared statement. Use it only on the thread of its connection.
///
/// Statements that run for each row bind their parameters one by one (``set(_:_:)-(_,Int64?)``) and end with ``run()``,
/// which also throws the errors of the bindings.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let path: String
    private var bindResult = SQLITE_OK

    init(_ sql: String, database: OpaquePointer, path: String, isPersistent: Bool) throws(StoreError) {
        var statement: OpaquePointer?
        let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let result = sqlite3_prepare_v3(database, sql, -1, flags, &statement, nil)
        guard result == SQLITE_OK, let statement else {
            throw SQLiteConnection.error(of: database, path: path, doing: "prepare a statement")
        }
        handle = statement
        self.database = database
        self.path = path
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters

    func set(_ index: Int32, _ value: Int64?) {
        note(value.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
    }

    func set(_ index: Int32, _ value: Int?) { set(index, value.map { Int64($0) }) }

    func set(_ index: Int32, _ value: Bool?) { set(index, value.map { $0 ? Int64(1) : 0 }) }

    /// Binds a copy of the text.
    func set(_ index: Int32, _ value: String?) {
        guard var value else { return note(sqlite3_bind_null(handle, index)) }
        note(
            value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    net_sqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count))
                }
            })
    }

    /// Binds a copy of the bytes.
    func set(_ index: Int32, _ value: UnsafeRawBufferPointer) {
        note(net_sqlite_bind_blob(handle, index, value.baseAddress, UInt64(value.count)))
    }

    /// Binds the 16 bytes of an ID.
    func set(_ index: Int32, _ id: CallID) {
        withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { set(index, $0) }
    }

    private func note(_ result: Int32) {
        if result != SQLITE_OK { bindResult = result }
    }

    private func bind(_ values: [SQLiteValue]) {
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            switch value {
            case .null: note(sqlite3_bind_null(handle, index))
            case .integer(let number): set(index, number)
            case .real(let number): note(sqlite3_bind_double(handle, index, number))
            case .text(let text): set(index, text)
            case .blob(let bytes): bytes.withUnsafeBytes { set(index, $0) }
            }
        }
    }

    // MARK: Running

    /// Runs the statement to completion with the bound parameters, which stay bound.
    func run() throws(StoreError) {
        defer { sqlite3_reset(handle) }
        try step { _ throws(StoreError) in }
    }

    /// Runs the statement to completion with the bound parameters and calls `body` with each row; a row is valid only
    /// inside the closure.
    func rows(_ body: (SQLiteRow) throws(StoreError) -> Void) throws(StoreError) {
        defer { sqlite3_reset(handle) }
        try step(body)
    }

    /// Runs the statement to completion with these parameters.
    func run(_ values: [SQLiteValue]) throws(StoreError) {
        try query(values) { _ throws(StoreError) in }
    }

    /// Runs the statement with these parameters and calls `body` with each row; a row is valid only inside the closure.
    func query(
        _ values: [SQLiteValue], each body: (SQLiteRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        bind(values)
        try step(body)
    }

    private func step(_ body: (SQLiteRow) throws(StoreError) -> Void) throws(StoreError) {
        guard bindResult == SQLITE_OK else {
            let result = bindResult
            bindResult = SQLITE_OK
            throw StoreError(
                sqlite: result, text: String(cString: sqlite3_errstr(result)), path: path, doing: "bind a value")
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(SQLiteRow(statement: handle, path: path))
            case SQLITE_DONE: return
            default: throw SQLiteConnection.error(of: database, path: path, doing: "read or write the database")
            }
        }
    }
}
