import CSQLite
import Foundation

@testable import NetStore

/// A database that is open in an app itself.
enum AppDatabase {
    static func open(_ path: String, isReadOnly: Bool = false) throws -> OpaquePointer {
        var database: OpaquePointer?
        let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK, let database else {
            throw CommandError(text: "could not open \(path)")
        }
        return database
    }

    static func execute(_ sql: String, on database: OpaquePointer) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw CommandError(text: String(cString: sqlite3_errmsg(database)))
        }
    }

    static func close(_ database: OpaquePointer) { sqlite3_close(database) }
}

extension SQLiteConnection {
    /// Opens a file for writing, and creates it if needed.
    convenience init(at path: String) throws {
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
        try self.init(path: path, access: .readWrite, busyTimeout: .seconds(5))
    }
}
