internal import CSQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension StoreError {
    /// Maps SQLite's result code to a code and a message with advice.
    init(sqlite result: Int32, text: String, systemError: Int32 = 0, path: String, doing: String) {
        // A query uses the search index, but this SQLite library was compiled without the extension.
        let lacksSearch = result == SQLITE_ERROR && text.contains("no such module")
        let code = lacksSearch ? .unsupported : Self.code(for: result, systemError: systemError)
        var message = "could not \(doing): \(text)"
        if systemError != 0, code == .permission || code == .inputOutput || code == .unknown {
            message += " (\(Self.text(ofSystemError: systemError)))"
        }
        if let advice = Self.advice(for: code) { message += ". \(advice)" }
        self.init(code, message: message, path: path, sqliteCode: result)
    }

    /// Maps an `errno` of the file system.
    init(systemError: Int32, path: String, doing: String) {
        let code: Code =
            switch systemError {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM, EROFS: .permission
            case EISDIR: .notAFile
            case ENOSPC, EDQUOT: .full
            default: .inputOutput
            }
        var message = "could not \(doing): \(Self.text(ofSystemError: systemError))"
        if code == .notFound { message += ". Create the folder first" }
        if code == .permission, let advice = Self.advice(for: code) { message += ". \(advice)" }
        self.init(code, message: message, path: path)
    }

    /// Returns the error for a store that was closed before it could write some entries.
    func losing(_ count: Int) -> StoreError {
        let entries = count == 1 ? "1 queued entry was" : "\(count) queued entries were"
        return StoreError(
            code, message: "\(message). \(entries) not written: lost, and counted as failed", path: path,
            sqliteCode: sqliteCode)
    }

    /// True if retrying the same rows can't succeed.
    var isAboutTheRow: Bool { code == .invalidRow }

    private static func code(for result: Int32, systemError: Int32) -> Code {
        switch result & 0xff {
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_CORRUPT: .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .locked
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .permission
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: .invalidRow
        case SQLITE_INTERRUPT: .cancelled
        case SQLITE_IOERR: .inputOutput
        case SQLITE_CANTOPEN:
            switch systemError {
            case EACCES, EPERM, EROFS: .permission
            case EISDIR: .notAFile
            case ENOENT, ENOTDIR: .notFound
            default: .inputOutput
            }
        default: .unknown
        }
    }

    private static func advice(for code: Code) -> String? {
        switch code {
        case .notADatabase: "Choose another path, or move that file away"
        case .corrupt: "Recover what can be read with `sqlite3 FILE .recover`, then start a new file"
        case .permission: "The file and its folder must be writable: SQLite keeps its log beside the file"
        case .locked: "Another program holds the database; end its transaction or raise the busy timeout"
        case .unsupported: "Use an SQLite that is compiled with FTS5"
        case .full: "Free space, raise `maximumFileBytes`, or delete stored activity"
        default: nil
        }
    }

    private static func text(ofSystemError error: Int32) -> String {
        strerror(error).map { String(cString: $0) } ?? "system error \(error)"
    }
}
