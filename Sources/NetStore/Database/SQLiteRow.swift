internal import CSQLite
internal import NetCore

/// One row of a result, read by column index. It is valid only until its statement moves on.
struct SQLiteRow {
    let statement: OpaquePointer
    let path: String

    /// Returns the integer; nil for NULL.
    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    /// Returns the integer as an `Int`; nil for NULL.
    func int(_ column: Int32) -> Int? { integer(column).map { Int(clamping: $0) } }

    /// Returns the integer as a Boolean; nil for NULL.
    func bool(_ column: Int32) -> Bool? { integer(column).map { $0 != 0 } }

    /// Returns the text; nil for NULL. Invalid UTF-8 is repaired.
    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Returns the bytes; nil for NULL.
    func blob(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count > 0, let base = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Returns the value in its stored type; invalid UTF-8 is repaired.
    func value(_ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_BLOB: .blob(blob(column) ?? [])
        default: .text(text(column) ?? "")
        }
    }

    /// Returns an ID of 16 bytes; nil for anything else.
    func id(_ column: Int32) -> CallID? { blob(column).flatMap { CallID(bytes: $0) } }

    /// Returns a duration stored in microseconds; nil for NULL.
    func duration(_ column: Int32) -> Duration? { integer(column).map(StoredTime.duration) }

    /// Returns the error for a value that this library never writes.
    func unexpected(_ what: String) -> StoreError {
        StoreError(.corrupt, message: "a stored row holds \(what); the file was changed by another program", path: path)
    }
}
