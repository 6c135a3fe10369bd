internal import CSQLite

/// A value for a parameter of a statement.
enum SQLiteValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)

    static func optional(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
    static func optional(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
    static func optional(_ value: Int?) -> SQLiteValue { value.map { .integer(Int64($0)) } ?? .null }
}

/// A prepared statement. It belongs to the thread that its connection belongs to.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let path: String

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

    /// Runs the statement to its end with these parameters.
    func run(_ values: [SQLiteValue]) throws(StoreError) {
        try query(values) { _ throws(StoreError) in }
    }

    /// Runs the statement and hands over each row; the row is valid only inside the closure.
    func query(
        _ values: [SQLiteValue], each body: (SQLiteRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (offset, value) in values.enumerated() { try bind(value, at: Int32(offset + 1)) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(SQLiteRow(statement: handle, path: path))
            case SQLITE_DONE: return
            default: throw SQLiteConnection.error(of: database, path: path, doing: "read or write the database")
            }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) throws(StoreError) {
        let result: Int32
        switch value {
        case .null: result = sqlite3_bind_null(handle, index)
        case .integer(let number): result = sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            result = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    net_sqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count))
                }
            }
        }
        guard result == SQLITE_OK else {
            throw SQLiteConnection.error(of: database, path: path, doing: "bind a value")
        }
    }
}

/// One row of a result, read by position. It is valid only while its statement stands on it.
struct SQLiteRow {
    fileprivate let statement: OpaquePointer
    fileprivate let path: String

    /// The integer, nil for NULL.
    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    /// The text, nil for NULL; bytes that are no UTF-8 are replaced.
    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The error for a value that this library never writes.
    func unexpected(_ what: String) -> StoreError {
        StoreError(.corrupt, message: "a stored row holds \(what); the file was changed by another program", path: path)
    }
}
