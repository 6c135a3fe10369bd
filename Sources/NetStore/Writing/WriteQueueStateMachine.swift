/// The queue of a writer: entries waiting to be written, jobs waiting for them, and the writer's sleep state.
///
/// | event | open | closing | closed |
/// |---|---|---|---|
/// | `received(_:)` | queued, or dropped if full | dropped | dropped |
/// | `requested(_:)` | waits for the events before it | refused | refused |
/// | `writerIsReady` | events, jobs or sleep | events, jobs, then finish | – |
/// | `closeWasRequested` | → closing | waits too | completed immediately |
/// | `writerFinished` | – | → closed | – |
struct WriteQueueStateMachine {
    /// A job for the writer, to run after the entries accepted before it.
    struct Job {
        let id: UInt64
        /// The number of entries accepted before the job.
        let ticket: Int
        /// Runs on the writer thread, with the error if those entries couldn't be written.
        let run: @Sendable (StoreDesk, StoreError?) -> Void
        /// Runs instead if the job is withdrawn.
        let refuse: @Sendable (StoreError) -> Void
    }

    /// The writer's next action.
    enum Next {
        case write([PendingEntry])
        case run([Job])
        case sleep(atMost: Duration?)
        case finish
    }

    private enum Phase { case open, closing, closed }
    private enum Sleep { case awake, untilAnything, untilBatch, untilUrgent }

    let path: String
    let capacity: Int
    let byteCapacity: Int
    let batch: Int
    let patience: Duration

    private var phase = Phase.open
    private var sleep = Sleep.awake
    private var pending: [PendingEntry] = []
    private var pendingBytes = 0
    private var jobs: [Job] = []
    private var closers: [@Sendable (StoreError?) -> Void] = []
    private var isGathering = false
    private var nextJob: UInt64 = 0
    /// The last job requested before the current transaction attempt, and whether closing hadn't been requested by
    /// then.
    private var currentTry: (lastJob: UInt64, wasOpen: Bool) = (0, true)
    /// The number of entries taken by the writer and not yet written, and their bytes until the last of them is
    /// written.
    private var inHand = 0
    private var bytesInHand = 0
    private var accepted = 0
    private var written = 0
    private var dropped = WriterStatistics.Dropped()
    /// The number of pending entries that replace a dropped end.
    private var lostEnds = 0
    private var failed = 0
    private var alreadyStored = 0
    private var failedWrites = 0
    private var lastError: StoreError?

    init(path: String, capacity: Int, byteCapacity: Int, batch: Int, patience: Duration) {
        self.path = path
        self.capacity = capacity
        self.byteCapacity = byteCapacity
        self.batch = batch
        self.patience = patience
    }

    var statistics: WriterStatistics {
        WriterStatistics(
            written: written, dropped: dropped, failed: failed, queued: pending.count + inHand,
            queuedBytes: pendingBytes + bytesInHand, failedWrites: failedWrites, lastError: lastError,
            alreadyStored: alreadyStored)
    }

    /// True if a task waits for the writer, which then neither gathers entries nor pauses.
    private var isUrgent: Bool { phase != .open || !jobs.isEmpty }

    // MARK: Callers

    /// Queues an entry; returns true if the writer must be woken.
    ///
    /// If the end of an entry is dropped, its loss is queued instead, so that the entry doesn't appear to be under way
    /// forever.
    mutating func received(_ entry: PendingEntry) -> Bool {
        guard phase == .open else {
            dropped.count(entry)
            return false
        }
        let bytes = entry.bytes
        guard hasRoom(for: entry, bytes) else {
            dropped.count(entry)
            guard let item = entry.endedItem, lostEnds < capacity else { return false }
            lostEnds += 1
            return append(.lost(PendingEntry.LostEnd(item)), 0)
        }
        return append(entry, bytes)
    }

    private func hasRoom(for entry: PendingEntry, _ bytes: Int) -> Bool {
        guard pending.count + inHand - lostEnds < capacity else { return false }
        let limit = entry.isSecondary ? byteCapacity / 4 * 3 : byteCapacity
        return pendingBytes + bytesInHand + bytes <= limit
    }

    private mutating func append(_ entry: PendingEntry, _ bytes: Int) -> Bool {
        pending.append(entry)
        pendingBytes += bytes
        accepted += 1
        switch sleep {
        case .awake, .untilUrgent: return false
        case .untilBatch where pending.count < batch: return false
        case .untilAnything, .untilBatch:
            sleep = .awake
            return true
        }
    }

    /// Queues a job and returns its ID; nil if the store is closed.
    mutating func requested(
        run: @escaping @Sendable (StoreDesk, StoreError?) -> Void,
        refuse: @escaping @Sendable (StoreError) -> Void
    ) -> UInt64? {
        guard phase == .open else { return nil }
        nextJob += 1
        jobs.append(Job(id: nextJob, ticket: accepted, run: run, refuse: refuse))
        sleep = .awake
        return nextJob
    }

    /// Withdraws a waiting job; returns nil if it has run or is running.
    mutating func jobWasCancelled(_ id: UInt64) -> Job? {
        jobs.firstIndex { $0.id == id }.map { jobs.remove(at: $0) }
    }

    /// Begins closing and registers a callback for its end; returns false if the queue is already closed.
    mutating func closeWasRequested(_ closer: (@Sendable (StoreError?) -> Void)?) -> Bool {
        guard phase != .closed else { return false }
        phase = .closing
        if let closer { closers.append(closer) }
        sleep = .awake
        return true
    }

    /// True if a task waits for the writer: entries under way are then written immediately.
    var isAwaited: Bool { isUrgent }

    // MARK: The writer

    /// Returns the next action: jobs whose entries are handled, then entries, then sleep or the end.
    ///
    /// - Parameter idle: The maximum sleep; nil for no limit.
    mutating func writerIsReady(idle: Duration? = nil) -> Next {
        sleep = .awake
        let ready = takeJobs { [handled] in $0.ticket <= handled }
        if !ready.isEmpty { return .run(ready) }
        guard !pending.isEmpty else {
            if phase != .open { return .finish }
            sleep = .untilAnything
            return .sleep(atMost: idle)
        }
        if !isUrgent, !isGathering, pending.count < batch {
            isGathering = true
            sleep = .untilBatch
            return .sleep(atMost: patience)
        }
        isGathering = false
        inHand = pending.count
        bytesInHand = pendingBytes
        pendingBytes = 0
        lostEnds = 0
        defer { pending = [] }
        return .write(pending)
    }

    /// Counts entries that were written, or given up because they can't be stored. `known` of the written ones were
    /// already stored.
    mutating func entriesWereHandled(written good: Int, failed bad: Int, alreadyStored known: Int = 0) {
        alreadyStored += known
        inHand -= good + bad
        if inHand == 0 { bytesInHand = 0 }
        written += good
        failed += bad
    }

    /// Records the error of a row that the database refused.
    mutating func rowWasRefused(_ error: StoreError) { lastError = error }

    /// Records an error of maintenance, which is retried.
    mutating func housekeepingFailed(_ error: StoreError) {
        failedWrites += 1
        lastError = error
    }

    /// Records the beginning of a transaction; returns the totals to write with it.
    mutating func writeBegins() -> WriterStatistics {
        currentTry = (nextJob, phase == .open)
        return statistics
    }

    /// Records a failed transaction. Returns the jobs that waited for its entries, and true if the transaction is
    /// retried after a pause.
    ///
    /// Jobs that arrived during the transaction wait for the next one: the cause of the failure may have gone before
    /// they were requested.
    mutating func writeFailed(_ error: StoreError) -> (jobs: [Job], isRetried: Bool) {
        failedWrites += 1
        lastError = error
        let waiting = takeJobs { [handled, currentTry] in $0.ticket > handled && $0.id <= currentTry.lastJob }
        // A job that arrives from now on interrupts the pause before the retry.
        sleep = .untilUrgent
        return (waiting, currentTry.wasOpen)
    }

    /// Counts the given number of entries, and all waiting ones, as failed: the store is closing. Returns their number.
    @discardableResult
    mutating func entriesWereLost(_ lost: Int) -> Int {
        let count = lost + pending.count
        inHand -= lost
        failed += count
        pending = []
        (pendingBytes, bytesInHand) = (0, 0)
        return count
    }

    /// Ends the queue. Returns the remaining jobs and the callbacks that wait for the end.
    mutating func writerFinished(error: StoreError?) -> (jobs: [Job], closers: [@Sendable (StoreError?) -> Void]) {
        if let error { lastError = error }
        phase = .closed
        defer { closers = [] }
        return (takeJobs { _ in true }, closers)
    }

    /// The number of entries that were written or given up. Entries are handled in the order of arrival.
    private var handled: Int { written + failed }

    private mutating func takeJobs(where isWanted: (Job) -> Bool) -> [Job] {
        guard !jobs.isEmpty else { return [] }
        let taken = jobs.filter(isWanted)
        jobs.removeAll(where: isWanted)
        return taken
    }
}
