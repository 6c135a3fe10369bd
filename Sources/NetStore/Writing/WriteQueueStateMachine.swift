/// What waits to be written, who waits for it, and whether the writer sleeps.
///
/// | event | open | closing | closed |
/// |---|---|---|---|
/// | `received(_:)` | queued, or dropped when full | dropped | dropped |
/// | `requested(_:)` | waits for the events before it | refused | refused |
/// | `writerIsReady` | events, jobs or sleep | events, jobs, then finish | – |
/// | `closeWasRequested` | → closing | waits too | answered at once |
/// | `writerFinished` | – | → closed | – |
struct WriteQueueStateMachine {
    /// Work for the writer that comes after the entries accepted before it.
    struct Job {
        let id: UInt64
        /// Entries accepted before the job.
        let ticket: Int
        /// Run on the writer's thread, with the error that kept those entries from being written.
        let run: @Sendable (StoreDesk, StoreError?) -> Void
        /// Run instead when the job is taken back.
        let refuse: @Sendable (StoreError) -> Void
    }

    /// What the writer does next.
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
    /// What the try that runs now answers: the jobs that came before it, and a wish to close if it came before it too.
    private var currentTry: (lastJob: UInt64, wasOpen: Bool) = (0, true)
    /// Entries taken by the writer and not yet written, and the bytes that they hold until the last of them is.
    private var inHand = 0
    private var bytesInHand = 0
    private var accepted = 0
    private var written = 0
    private var dropped = WriterStatistics.Dropped()
    /// The ends of entries that were dropped, among those pending.
    private var lostEnds = 0
    private var failed = 0
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
            queuedBytes: pendingBytes + bytesInHand, failedWrites: failedWrites, lastError: lastError)
    }

    /// Whether somebody waits for the writer: then it neither gathers nor pauses.
    private var isUrgent: Bool { phase != .open || !jobs.isEmpty }

    // MARK: Callers

    /// Takes one entry; true when the writer must be woken.
    ///
    /// Of an entry whose end is dropped, the loss is taken instead, so that it doesn't seem to be under way forever.
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

    /// Takes a job and returns its id; nil when the store is closed.
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

    /// Takes a waiting job back; nil when it has run or is running.
    mutating func jobWasCancelled(_ id: UInt64) -> Job? {
        jobs.firstIndex { $0.id == id }.map { jobs.remove(at: $0) }
    }

    /// Notes who waits for the end; false when that has come already.
    mutating func closeWasRequested(_ closer: (@Sendable (StoreError?) -> Void)?) -> Bool {
        guard phase != .closed else { return false }
        phase = .closing
        if let closer { closers.append(closer) }
        sleep = .awake
        return true
    }

    /// Whether somebody waits for what is written: then entries under way are written at once.
    var isAwaited: Bool { isUrgent }

    // MARK: The writer

    /// What to do next: jobs whose entries are handled, then entries, then sleep or the end.
    ///
    /// - Parameter idle: The longest sleep; nil for none.
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

    /// Entries were written, or given up because no try can store them.
    mutating func entriesWereHandled(written good: Int, failed bad: Int) {
        inHand -= good + bad
        if inHand == 0 { bytesInHand = 0 }
        written += good
        failed += bad
    }

    /// The database refused a row, which is given up.
    mutating func rowWasRefused(_ error: StoreError) { lastError = error }

    /// Something that the writer does by itself failed, and is tried again.
    mutating func housekeepingFailed(_ error: StoreError) {
        failedWrites += 1
        lastError = error
    }

    /// A transaction is tried; returns the figures to write with it.
    mutating func writeBegins() -> WriterStatistics {
        currentTry = (nextJob, phase == .open)
        return statistics
    }

    /// A transaction failed. Returns the jobs that waited for its entries, and whether it is tried again after a pause.
    ///
    /// Who came while it ran waits for the next try: what kept this one from writing may have gone before they asked.
    mutating func writeFailed(_ error: StoreError) -> (jobs: [Job], isRetried: Bool) {
        failedWrites += 1
        lastError = error
        let waiting = takeJobs { [handled, currentTry] in $0.ticket > handled && $0.id <= currentTry.lastJob }
        // A job that came in time for the next try shall not wait for the pause.
        sleep = .untilUrgent
        return (waiting, currentTry.wasOpen)
    }

    /// The writer gave up so many entries, and all that still wait: the store is to close.
    mutating func entriesWereLost(_ lost: Int) {
        inHand -= lost
        failed += lost + pending.count
        pending = []
        (pendingBytes, bytesInHand) = (0, 0)
    }

    /// The writer ends. Returns the jobs left and who waits for the end.
    mutating func writerFinished(error: StoreError?) -> (jobs: [Job], closers: [@Sendable (StoreError?) -> Void]) {
        if let error { lastError = error }
        phase = .closed
        defer { closers = [] }
        return (takeJobs { _ in true }, closers)
    }

    /// Entries that are written or given up; they are handled in the order they came in.
    private var handled: Int { written + failed }

    private mutating func takeJobs(where isWanted: (Job) -> Bool) -> [Job] {
        guard !jobs.isEmpty else { return [] }
        let taken = jobs.filter(isWanted)
        jobs.removeAll(where: isWanted)
        return taken
    }
}
