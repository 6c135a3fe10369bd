public import NetCore

extension ActivityStore {
    /// The settings of a store.
    public struct Configuration: Sendable {
        /// The maximum number of entries waiting in memory; further ones are dropped and counted. Default 65,536.
        public var maximumQueuedEvents: Int
        /// The approximate maximum memory of the waiting entries, in bytes. Captured bodies, messages and log lines use
        /// at most three quarters of it; the rest is reserved for events. Default 64 MiB.
        public var maximumQueuedBytes: Int
        /// The maximum number of entries in one transaction. Default 2,000.
        public var batchSize: Int
        /// The maximum time that the writer waits for a batch to fill. Default 50 milliseconds.
        public var batchDelay: Duration
        /// The maximum time that a statement waits for another connection's lock. Default 5 seconds.
        public var busyTimeout: Duration
        /// The maximum size of the database file in bytes, including an app's own tables; a larger file doesn't grow
        /// any further. At the limit, writing fails with `full` until activity is deleted. Default 1 GiB.
        public var maximumFileBytes: Int64
        /// The pause after a failed write; it doubles with each failure in a row. Default 100 milliseconds.
        public var firstRetryDelay: Duration
        /// The longest such pause. Default 5 seconds.
        public var longestRetryDelay: Duration
        /// The maximum number of bytes kept of each captured body. Default 256 KiB.
        public var maximumBodyBytes: Int
        /// The maximum number of captured messages kept per WebSocket; the newest are kept. Default 10,000.
        public var maximumMessages: Int
        /// The data kept in addition to the events of calls and WebSockets. Default ``Capture/nothing``.
        public var capture: Capture
        /// The limits beyond which entries are deleted. Default ``Retention/standard``.
        public var retention: Retention
        /// The interval at which the writer looks for entries to delete. Default 10 seconds.
        public var pruneInterval: Duration
        /// The version of the program, for the list of runs. Default nil.
        public var version: String?
        /// The clock that dates runs and computes ages. Default: the system clock.
        public var clock: NetClock
        /// Opens connections to the file. Default nil: SQLite opens it.
        ///
        /// Use this for encrypted files: the closure opens the database, sets its key, and returns the `sqlite3*`,
        /// which the store uses on one thread and closes. It is called with the path and true if the connection only
        /// reads: once for the writer, and once for each reader. The `sqlite3*` must come from the same copy of SQLite
        /// that NetStore is linked to.
        public var open: (@Sendable (_ path: String, _ isReadOnly: Bool) throws -> OpaquePointer)?

        /// Creates a configuration. Counts and sizes must be positive.
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

    /// The limits beyond which a store deletes entries, oldest first. Pinned entries are never deleted.
    public struct Retention: Sendable, Hashable {
        /// The maximum age of an entry, counted from its end; nil for no limit. Default 14 days.
        public var age: Duration?
        /// The maximum number of entries; nil for no limit. Default 1,000,000.
        public var entries: Int?
        /// The maximum number of bytes in use in the file; nil for no limit. Ignored in a database that also contains
        /// an app's tables. Default 512 MiB.
        public var bytes: Int64?
        /// The maximum age of roll-ups; nil for no limit. Default 400 days.
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
        /// Never deletes anything.
        public static let none = Retention(age: nil, entries: nil, bytes: nil, rollUpAge: nil)
    }
}
