/// What became of what a store was handed, since it was opened. An event of a call, an event of a WebSocket, a line of a log,
/// a captured attempt and a message count as one each.
public struct WriterStatistics: Sendable, Hashable {
    /// What was thrown away unwritten because the queue was full, or the store closed.
    public struct Dropped: Sendable, Hashable {
        /// Events of calls.
        public var calls: Int
        /// Events of WebSockets.
        public var sockets: Int
        /// Events of jobs.
        public var jobs: Int
        /// Lines of logs.
        public var logs: Int
        /// Captured fields and bodies of attempts.
        public var captures: Int
        /// Captured messages of WebSockets.
        public var messages: Int

        /// Puts the counts together.
        public init(
            calls: Int = 0, sockets: Int = 0, jobs: Int = 0, logs: Int = 0, captures: Int = 0, messages: Int = 0
        ) {
            self.calls = calls
            self.sockets = sockets
            self.jobs = jobs
            self.logs = logs
            self.captures = captures
            self.messages = messages
        }

        /// All together.
        public var total: Int { calls + sockets + jobs + logs + captures + messages }
    }

    /// Committed to the file.
    public var written: Int
    /// Thrown away unwritten.
    public var dropped: Dropped
    /// Given up: the database refused that very row, or the store was closed while the disk failed.
    public var failed: Int
    /// Waiting in memory.
    public var queued: Int
    /// About the bytes of memory that they hold.
    public var queuedBytes: Int
    /// Transactions that failed. What they were to write stays queued and is tried again.
    public var failedWrites: Int
    /// The latest error of the writer; it stays after the writer has recovered. nil if there was none.
    public var lastError: StoreError?

    /// Puts the counts together.
    public init(
        written: Int = 0, dropped: Dropped = Dropped(), failed: Int = 0, queued: Int = 0, queuedBytes: Int = 0,
        failedWrites: Int = 0, lastError: StoreError? = nil
    ) {
        self.written = written
        self.dropped = dropped
        self.failed = failed
        self.queued = queued
        self.queuedBytes = queuedBytes
        self.failedWrites = failedWrites
        self.lastError = lastError
    }
}

extension WriterStatistics.Dropped {
    mutating func count(_ entry: PendingEntry) {
        switch entry {
        case .call: calls += 1
        case .socket: sockets += 1
        case .job: jobs += 1
        case .log: logs += 1
        case .capture: captures += 1
        case .message: messages += 1
        case .lost: break
        }
    }
}
