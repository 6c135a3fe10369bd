internal import CSQLite
internal import NetCore

/// One row of a result, read by position. It is valid only while its statement stands on it.
struct SQLiteRow {
    let statement: OpaquePointer
    let path: String

    /// The integer, nil for NULL.
    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    /// The integer as an `Int`, nil for NULL.
    func int(_ column: Int32) -> Int? { integer(column).map { Int(clamping: $0) } }

    /// The integer as a truth value, nil for NULL.
    func bool(_ column: Int32) -> Bool? { integer(column).map { $0 != 0 } }

    /// The text, nil for NULL; bytes that are no UTF-8 are replaced.
    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The bytes, nil for NULL.
    func blob(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count > 0, let base = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// The value as it is stored; text that is no UTF-8 is repaired.
    func value(_ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_BLOB: .blob(blob(column) ?? [])
        default: .text(text(column) ?? "")
        }
    }

    /// An ID of 16 bytes, nil for anything else.
    func id(_ column: Int32) -> CallID? { blob(column).flatMap { CallID(bytes: $0) } }

    /// A time of microseconds, nil for NULL.
    func duration(_ column: Int32) -> Duration? { integer(column).map(StoredTime.duration) }

    /// The error for a value that this library never writes.
    func unexpected(_ what: String) -> StoreError {
        StoreError(.corrupt, message: "a stored row holds \(what); the file was changed by another program", path: path)
    }
}
