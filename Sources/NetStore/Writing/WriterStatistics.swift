/// What became of the events a store was handed. The counts are of events, since the store was opened.
public struct WriterStatistics: Sendable, Hashable {
    /// Committed to the file.
    public var written: Int
    /// Thrown away unwritten because the queue was full, or the store closed.
    public var dropped: Int
    /// Given up: the database refused that very row, or the store was closed while the disk failed.
    public var failed: Int
    /// Waiting in memory.
    public var queued: Int
    /// Transactions that failed. Their events stay queued and are tried again.
    public var failedWrites: Int
    /// The latest error of the writer; it stays after the writer has recovered. nil when there was none.
    public var lastError: StoreError?

    /// Puts the counts together.
    public init(
        written: Int = 0, dropped: Int = 0, failed: Int = 0, queued: Int = 0, failedWrites: Int = 0,
        lastError: StoreError? = nil
    ) {
        self.written = written
        self.dropped = dropped
        self.failed = failed
        self.queued = queued
        self.failedWrites = failedWrites
        self.lastError = lastError
    }
}
