public import NetCore

extension ActivityStore {
    /// The settings of a store.
    public struct Configuration: Sendable {
        /// Entries that may wait in memory; further ones are dropped and counted. Default 65,536.
        public var maximumQueuedEvents: Int
        /// About the bytes of memory that they may hold. Captured bodies, messages and lines of logs leave a quarter of it
        /// to events. Default 64 MiB.
        public var maximumQueuedBytes: Int
        /// Entries in one transaction. Default 2,000.
        public var batchSize: Int
        /// How long the writer waits for a batch to fill. Default 50 milliseconds.
        public var batchDelay: Duration
        /// How long a statement waits for another connection's lock. Default 5 seconds.
        public var busyTimeout: Duration
        /// The size the database file may grow to, an app's own tables included; a larger file grows no further. When
        /// it is reached, writing fails with `full` until activity is deleted. Default 1 GiB.
        public var maximumFileBytes: Int64
        /// The pause after a failed write; it doubles with each failure in a row. Default 100 milliseconds.
        public var firstRetryDelay: Duration
        /// The longest such pause. Default 5 seconds.
        public var longestRetryDelay: Duration
        /// The bytes that are kept of each captured body. Default 256 KiB.
        public var maximumBodyBytes: Int
        /// The captured messages that are kept of each WebSocket, newest first. Default 10,000.
        public var maximumMessages: Int
        /// What is kept beside the events of calls and WebSockets. Default ``Capture/nothing``.
        public var capture: Capture
        /// What is deleted, and when. Default ``Retention/standard``.
        public var retention: Retention
        /// How often the writer looks for something to delete. Default 10 seconds.
        public var pruneInterval: Duration
        /// The version of the program, for the list of runs. Default nil.
        public var version: String?
        /// The clock that dates runs and ages. Default the system's.
        public var clock: NetClock
        /// How connections to the file are opened. Default nil: as SQLite opens a file.
        ///
        /// For encrypted files: the closure opens the database, sets its key, and returns the `sqlite3*`, which the store
        /// uses on one thread and closes. It is called with the path and whether the connection only reads; once for the
        /// writer, and once for each reader. It must come from the same copy of SQLite that NetStore is linked to.
        public var open: (@Sendable (_ path: String, _ isReadOnly: Bool) throws -> OpaquePointer)?

        /// Creates the settings. Counts and sizes must be positive.
        public init(
            maximumQueuedEvents: Int = 65_536, maximumQueuedBytes: Int = 64 << 20, batchSize: Int = 2000,
            batchDelay: Duration = .milliseconds(50), busyTimeout: Duration = .seconds(5),
            maximumFileBytes: Int64 = 1 << 30, firstRetryDelay: Duration = .milliseconds(100),
            longestRetryDelay: Duration = .seconds(5), maximumBodyBytes: Int = 256 << 10, maximumMessages: Int = 10_000,
            capture: Capture = .nothing, retention: Retention = .standard, pruneInterval: Duration = .seconds(10),
            version: String? = nil,
            clock: NetClock = .system,
            open: (@Sendable (_ path: String, _ isReadOnly: Bool) throws -> OpaquePointer)? = nil
        ) {
            precondition(maximumQueuedEvents > 0, "maximumQueuedEvents must be positive, not \(maximumQueuedEvents)")
            precondition(maximumQueuedBytes > 0, "maximumQueuedBytes must be positive, not \(maximumQueuedBytes)")
            precondition(batchSize > 0, "batchSize must be positive, not \(batchSize)")
            precondition(maximumFileBytes > 0, "maximumFileBytes must be positive, not \(maximumFileBytes)")
            precondition(maximumBodyBytes > 0, "maximumBodyBytes must be positive, not \(maximumBodyBytes)")
            precondition(maximumMessages > 0, "maximumMessages must be positive, not \(maximumMessages)")
            precondition(pruneInterval > .zero, "pruneInterval must be positive, not \(pruneInterval)")
            self.maximumQueuedEvents = maximumQueuedEvents
            self.maximumQueuedBytes = maximumQueuedBytes
            self.batchSize = batchSize
            self.batchDelay = batchDelay
            self.busyTimeout = busyTimeout
            self.maximumFileBytes = maximumFileBytes
            self.firstRetryDelay = firstRetryDelay
            self.longestRetryDelay = longestRetryDelay
            self.maximumBodyBytes = maximumBodyBytes
            self.maximumMessages = maximumMessages
            self.capture = capture
            self.retention = retention
            self.pruneInterval = pruneInterval
            self.version = version
            self.clock = clock
            self.open = open
        }
    }

    /// What a store deletes, oldest first. Pinned entries are spared.
    public struct Retention: Sendable, Hashable {
        /// The age at which an entry is deleted, counted from its end; nil for none. Default 14 days.
        public var age: Duration?
        /// The most entries that are kept; nil for no limit. Default 1,000,000.
        public var entries: Int?
        /// The bytes of the file in use above which entries are deleted; nil for no limit. Ignored in a database that has
        /// tables of an app too. Default 512 MiB.
        public var bytes: Int64?
        /// The age at which roll-ups are deleted; nil for none. Default 400 days.
        public var rollUpAge: Duration?

        /// Creates limits.
        public init(
            age: Duration? = .seconds(14 * 86_400), entries: Int? = 1_000_000, bytes: Int64? = 512 << 20,
            rollUpAge: Duration? = .seconds(400 * 86_400)
        ) {
            self.age = age
            self.entries = entries
            self.bytes = bytes
            self.rollUpAge = rollUpAge
        }

        /// The defaults.
        public static let standard = Retention()
        /// Nothing is ever deleted.
        public static let none = Retention(age: nil, entries: nil, bytes: nil, rollUpAge: nil)
    }
}
