/// An error of a store: the file, SQLite's message, and advice.
///
/// `code` is an open set: compare with the constants and keep a `default`.
///
///     do {
///         let store = try ActivityStore(path: "activity.sqlite")
///     } catch where error.code == .locked {
///         print("another program holds the file:", error)
///     }
public struct StoreError: Error, Sendable, Hashable {
    /// The kind of error: an open set, so that new codes don't break callers.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The path can't name a file: it is empty, contains a NUL byte, or means "in memory" to SQLite.
        public static let invalidPath = Code(rawValue: "invalidPath")
        /// The file or its folder doesn't exist.
        public static let notFound = Code(rawValue: "notFound")
        /// The path names a folder, or something else that isn't a regular file.
        public static let notAFile = Code(rawValue: "notAFile")
        /// The file exists and isn't an SQLite database.
        public static let notADatabase = Code(rawValue: "notADatabase")
        /// The file is a database without the store's tables.
        public static let notAStore = Code(rawValue: "notAStore")
        /// The tables were made by a newer version of this library.
        public static let newerSchema = Code(rawValue: "newerSchema")
        /// The database is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The process lacks permission to read or write the file or its folder.
        public static let permission = Code(rawValue: "permission")
        /// Another connection held the database longer than the busy timeout.
        public static let locked = Code(rawValue: "locked")
        /// The disk is full, or the file has reached its maximum size.
        public static let full = Code(rawValue: "full")
        /// Reading or writing the file failed.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// A row violated a constraint of its table.
        public static let invalidRow = Code(rawValue: "invalidRow")
        /// The store is closed.
        public static let closed = Code(rawValue: "closed")
        /// A file to import, or an entry of it, can't be read.
        public static let invalidImport = Code(rawValue: "invalidImport")
        /// A file with this name already exists.
        public static let exists = Code(rawValue: "exists")
        /// The task was cancelled while waiting.
        public static let cancelled = Code(rawValue: "cancelled")
        /// This SQLite library lacks a feature that the store needs.
        public static let unsupported = Code(rawValue: "unsupported")
        /// Anything else; see `sqliteCode`.
        public static let unknown = Code(rawValue: "unknown")
    }

    /// The kind of error.
    public let code: Code
    /// One or two sentences for people: the problem, and advice.
    public let message: String
    /// The database file.
    public let path: String
    /// SQLite's extended result code; nil if the error doesn't come from SQLite.
    public let sqliteCode: Int32?

    /// Creates an error.
    public init(_ code: Code, message: String, path: String, sqliteCode: Int32? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.sqliteCode = sqliteCode
    }
}

extension StoreError: CustomStringConvertible {
    /// The code, the message and the place, such as `locked: database is locked … (activity.sqlite, SQLite code 5)`.
    public var description: String {
        let place = sqliteCode.map { "\(path), SQLite code \($0)" } ?? path
        return "\(code): \(message) (\(place))"
    }
}
