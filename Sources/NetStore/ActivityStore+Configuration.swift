public import NetCore

extension ActivityStore {
    /// The limits of a store.
    public struct Configuration: Sendable {
        /// Events that may wait in memory; further ones are dropped and counted. Default 65,536.
        public var maximumQueuedEvents: Int
        /// Events in one transaction. Default 500.
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
        /// The clock that dates the writer's sessions. Default the system's.
        public var clock: NetClock

        /// Sets the limits. Counts and sizes must be positive.
        public init(
            maximumQueuedEvents: Int = 65_536, batchSize: Int = 500, batchDelay: Duration = .milliseconds(50),
            busyTimeout: Duration = .seconds(5), maximumFileBytes: Int64 = 1 << 30,
            firstRetryDelay: Duration = .milliseconds(100), longestRetryDelay: Duration = .seconds(5),
            clock: NetClock = .system
        ) {
            precondition(maximumQueuedEvents > 0, "maximumQueuedEvents must be positive, not \(maximumQueuedEvents)")
            precondition(batchSize > 0, "batchSize must be positive, not \(batchSize)")
            precondition(maximumFileBytes > 0, "maximumFileBytes must be positive, not \(maximumFileBytes)")
            self.maximumQueuedEvents = maximumQueuedEvents
            self.batchSize = batchSize
            self.batchDelay = batchDelay
            self.busyTimeout = busyTimeout
            self.maximumFileBytes = maximumFileBytes
            self.firstRetryDelay = firstRetryDelay
            self.longestRetryDelay = longestRetryDelay
            self.clock = clock
        }
    }
}
