/// What went wrong with a store: which file, what SQLite said, and what to do about it.
///
/// `code` is an open set: compare with the constants and keep a `default`.
///
///     do {
///         let store = try ActivityStore(path: "activity.sqlite")
///     } catch where error.code == .locked {
///         print("another program holds the file:", error)
///     }
public struct StoreError: Error, Sendable, Hashable {
    /// What happened: an open set, so that new codes break no caller.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The path cannot name a file: it is empty, holds a NUL byte, or means "in memory" to SQLite.
        public static let invalidPath = Code(rawValue: "invalidPath")
        /// No such file, or its folder does not exist.
        public static let notFound = Code(rawValue: "notFound")
        /// The path names a folder, or something else that is no regular file.
        public static let notAFile = Code(rawValue: "notAFile")
        /// The file is there and is no SQLite database.
        public static let notADatabase = Code(rawValue: "notADatabase")
        /// The file is a database without the store's tables.
        public static let notAStore = Code(rawValue: "notAStore")
        /// The tables were made by a newer version of this library.
        public static let newerSchema = Code(rawValue: "newerSchema")
        /// The database is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The file or its folder may not be read or written.
        public static let permission = Code(rawValue: "permission")
        /// Another connection held the database longer than the busy time-out.
        public static let locked = Code(rawValue: "locked")
        /// The disk is full, or the file has reached its maximum size.
        public static let full = Code(rawValue: "full")
        /// Reading or writing the file failed.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// A row broke a rule of its table.
        public static let invalidRow = Code(rawValue: "invalidRow")
        /// The store is closed.
        public static let closed = Code(rawValue: "closed")
        /// A file that was to be imported isn't one that can be read, or an entry of it can't be.
        public static let invalidImport = Code(rawValue: "invalidImport")
        /// There is a file of that name already.
        public static let exists = Code(rawValue: "exists")
        /// The task was cancelled while it waited.
        public static let cancelled = Code(rawValue: "cancelled")
        /// This SQLite library cannot do what the store needs.
        public static let unsupported = Code(rawValue: "unsupported")
        /// Anything else; see `sqliteCode`.
        public static let unknown = Code(rawValue: "unknown")
    }

    /// What happened.
    public let code: Code
    /// One sentence or two for a person: what was found, and what to do about it.
    public let message: String
    /// The database file.
    public let path: String
    /// SQLite's extended result code; nil when SQLite was not asked.
    public let sqliteCode: Int32?

    /// Puts the parts together.
    public init(_ code: Code, message: String, path: String, sqliteCode: Int32? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.sqliteCode = sqliteCode
    }
}

extension StoreError: CustomStringConvertible {
    /// `locked: database is locked … (activity.sqlite, SQLite code 5)`.
    public var description: String {
        let place = sqliteCode.map { "\(path), SQLite code \($0)" } ?? path
        return "\(code): \(message) (\(place))"
    }
}
