internal import CSQLite

extension SQLiteConnection {
    /// Adds the functions that a ``FilterCondition`` calls. Call it once for each connection that uses filters.
    func addFilterFunctions() throws(StoreError) {
        for subject in FilterSubject.allCases {
            // Prevents calls from triggers and views of a file that somebody else may have made.
            let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
            let result = sqlite3_create_function_v2(
                handle, subject.function, subject == .body ? 3 : 2, flags,
                UnsafeMutableRawPointer(bitPattern: subject.rawValue), callFilterFunction, nil, nil, nil)
            guard result == SQLITE_OK else {
                throw Self.error(of: handle, path: path, doing: "add a function to the database")
            }
        }
    }
}

/// A parsed pattern that SQLite keeps as long as the parameter stays the same.
private final class KeptPattern {
    let pattern: FilterPattern
    init(_ pattern: FilterPattern) { self.pattern = pattern }
}

private func callFilterFunction(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let arguments, let subject = FilterSubject(rawValue: Int(bitPattern: sqlite3_user_data(context))) else {
        return sqlite3_result_int(context, 0)
    }
    let kept = keptPattern(context, count - 1, arguments[Int(count) - 1])
    let isCompressed = count == 3 && sqlite3_value_int(arguments[1]) != 0
    let isMatch = withBytes(of: arguments[0]) { bytes in
        isCompressed
            ? InflatedBody.withBytes(of: bytes) { bytes, _ in subject.matches(bytes, kept.pattern) }
            : subject.matches(bytes, kept.pattern)
    }
    sqlite3_result_int(context, isMatch ?? false ? 1 : 0)
}

private func keptPattern(_ context: OpaquePointer?, _ index: Int32, _ value: OpaquePointer?) -> KeptPattern {
    if let kept = sqlite3_get_auxdata(context, index) {
        return Unmanaged<KeptPattern>.fromOpaque(kept).takeUnretainedValue()
    }
    let text = withBytes(of: value) { String(decoding: $0, as: UTF8.self) } ?? ""
    let kept = KeptPattern(FilterPattern(text))
    sqlite3_set_auxdata(context, index, Unmanaged.passRetained(kept).toOpaque()) { kept in
        if let kept { Unmanaged<KeptPattern>.fromOpaque(kept).release() }
    }
    return kept
}

/// Calls `body` with the bytes of a text or a blob, valid inside the closure; returns nil for NULL.
private func withBytes<Value>(of value: OpaquePointer?, _ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
    let start: UnsafeRawPointer?
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_BLOB: start = sqlite3_value_blob(value)
    default: start = UnsafeRawPointer(sqlite3_value_text(value))
    }
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value))))
}
