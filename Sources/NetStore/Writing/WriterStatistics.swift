/// The totals of a store since it was opened. Each event of a call or a WebSocket, log line, captured attempt and
/// captured message counts as one entry.
public struct WriterStatistics: Sendable, Hashable {
    /// The numbers of entries discarded because the queue was full or the store was closed.
    public struct Dropped: Sendable, Hashable {
        /// Events of calls.
        public var calls: Int
        /// Events of WebSockets.
        public var sockets: Int
        /// Events of jobs.
        public var jobs: Int
        /// Log lines.
        public var logs: Int
        /// Captured headers and bodies of attempts.
        public var captures: Int
        /// Captured messages of WebSockets.
        public var messages: Int

        /// Creates the counts.
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

        /// The sum of all counts.
        public var total: Int { calls + sockets + jobs + logs + captures + messages }
    }

    /// The number of entries committed to the file.
    public var written: Int
    /// The numbers of entries discarded unwritten.
    public var dropped: Dropped
    /// The number of entries given up: the database refused the row, or the store was closed while the disk failed.
    public var failed: Int
    /// The number of calls, WebSockets, jobs and log lines that changed nothing: they were already stored, by this
    /// process or another. They are among the written entries.
    public var alreadyStored: Int
    /// The number of entries waiting in memory.
    public var queued: Int
    /// The approximate memory of the waiting entries, in bytes.
    public var queuedBytes: Int
    /// The number of failed transactions. Their entries stay queued and are retried.
    public var failedWrites: Int
    /// The latest error of the writer, kept after it has recovered; nil if there was none.
    public var lastError: StoreError?

    /// Creates statistics.
    public init(
        written: Int = 0, dropped: Dropped = Dropped(), failed: Int = 0, queued: Int = 0, queuedBytes: Int = 0,
        failedWrites: Int = 0, lastError: StoreError? = nil, alreadyStored: Int = 0
    ) {
        self.written = written
        self.dropped = dropped
        self.failed = failed
        self.queued = queued
        self.queuedBytes = queuedBytes
        self.failedWrites = failedWrites
        self.lastError = lastError
        self.alreadyStored = alreadyStored
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
