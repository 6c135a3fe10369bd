internal import NetCore
internal import Synchronization

/// The resources of a job on a worker's thread.
struct StoreDesk {
    let connection: SQLiteConnection
    /// Nil on a reader thread.
    let writer: ItemWriter?
    /// The totals so far.
    let counts: WriterStatistics
}

/// A thread with a connection. It writes queued entries in batches, and runs jobs between them.
///
/// The connection is opened, used and closed only on that thread. A reader is a worker without entries.
final class StoreWorker: Sendable {
    /// Opens a worker's connection.
    typealias Opener = @Sendable () throws(StoreError) -> (SQLiteConnection, ItemWriter?)

    private final class JobSlot: Sendable {
        let id = Mutex<UInt64?>(nil)
    }

    private let path: String
    private let batchSize: Int
    private let retry: (first: Duration, longest: Duration)
    private let state: Mutex<WriteQueueStateMachine>
    private let signal = WakeSignal()
    private let thread = Mutex<SystemThread?>(nil)
    private let busyTimeout: Duration
    /// The time at which a store that is being closed no longer waits for locks; nil while it's open.
    private let endOfWaits = Mutex<ContinuousClock.Instant?>(nil)

    /// Starts the thread and waits until it has opened its connection.
    init(
        path: String, configuration: ActivityStore.Configuration, capacity: Int, open: @escaping Opener
    ) throws(StoreError) {
        self.path = path
        batchSize = configuration.batchSize
        busyTimeout = configuration.busyTimeout
        retry = (configuration.firstRetryDelay, configuration.longestRetryDelay)
        state = Mutex(
            WriteQueueStateMachine(
                path: path, capacity: capacity, byteCapacity: configuration.maximumQueuedBytes,
                batch: configuration.batchSize, patience: configuration.batchDelay))
        let started = try SystemThread.opening(path: path, open) { [self] opened in run(opened.0, opened.1) }
        thread.withLock { $0 = started }
    }

    var statistics: WriterStatistics { state.withLock { $0.statistics } }

    /// Queues an entry. The cost is a lock, an append, and a wake-up if the writer sleeps.
    func record(_ entry: PendingEntry) {
        if state.withLock({ $0.received(entry) }) { signal.raise() }
    }

    /// Runs the body on the thread once the entries recorded before are written; throws if they couldn't be written.
    ///
    /// Cancelling the task withdraws a waiting job; a running job is completed.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (StoreDesk) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let slot = JobSlot()
        let result: Result<Value, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let id = state.withLock { state in
                    state.requested { desk, error in
                        continuation.resume(returning: Self.result(desk, error, body))
                    } refuse: {
                        continuation.resume(returning: .failure($0))
                    }
                }
                guard let id else { return continuation.resume(returning: .failure(.closed(path))) }
                slot.id.withLock { $0 = id }
                signal.raise()
                // The cancellation handler may have run before the ID was stored.
                if Task.isCancelled { takeBack(id) }
            }
        } onCancel: {
            if let id = slot.id.withLock({ $0 }) { takeBack(id) }
        }
        return try result.get()
    }

    /// Writes the queued entries, closes the connection and ends the thread; throws the error if entries couldn't be
    /// written.
    ///
    /// - Parameter end: The time at which it no longer waits for locks; nil for that after one busy timeout.
    func close(waitingUntil end: ContinuousClock.Instant? = nil) async throws(StoreError) {
        endWaits(by: end)
        let error: StoreError? = await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.closeWasRequested { continuation.resume(returning: $0) }
            }
            if isOpen { signal.raise() } else { continuation.resume(returning: nil) }
        }
        thread.withLock { $0 }?.join()
        if let error { throw error }
    }

    /// Requests closing without waiting for it.
    func closeWithoutWaiting() {
        endWaits(by: nil)
        if state.withLock({ $0.closeWasRequested(nil) }) { signal.raise() }
    }

    private func endWaits(by end: ContinuousClock.Instant?) {
        endOfWaits.withLock { $0 = $0 ?? end ?? .now + busyTimeout }
    }

    private func takeBack(_ id: UInt64) {
        let job = state.withLock { $0.jobWasCancelled(id) }
        job?.refuse(StoreError(.cancelled, message: "the task was cancelled", path: path))
    }

    private static func result<Value>(
        _ desk: StoreDesk, _ error: StoreError?, _ body: (StoreDesk) throws(StoreError) -> Value
    ) -> Result<Value, StoreError> {
        if let error { return .failure(error) }
        return Result { () throws(StoreError) in try body(desk) }
    }
}

// MARK: On the thread

extension StoreWorker {
    private func run(_ connection: SQLiteConnection, _ writer: ItemWriter?) {
        var hasWritten = false
        while true {
            // Tasks that wait for the entries just written don't wait for maintenance too.
            let idle = hasWritten && isAwaited ? Duration.zero : writer.flatMap { tidy($0) }
            hasWritten = false
            connection.endOfWaits = endOfWaits.withLock { $0 }
            switch state.withLock({ $0.writerIsReady(idle: idle) }) {
            case .write(let entries):
                hasWritten = true
                guard let writer, let (lost, error) = write(entries, connection, writer) else { continue }
                return finish(connection, writer, lost: lost, error: error)
            case .run(let jobs):
                let desk = desk(connection, writer)
                for job in jobs { job.run(desk, nil) }
            case .sleep(let limit):
                signal.wait(atMost: limit)
            case .finish:
                return finish(connection, writer, lost: 0, error: nil)
            }
        }
    }

    private var isAwaited: Bool { state.withLock { $0.isAwaited } }

    private func desk(_ connection: SQLiteConnection, _ writer: ItemWriter?) -> StoreDesk {
        StoreDesk(connection: connection, writer: writer, counts: statistics)
    }

    /// Does maintenance that is due, and returns the time until more is due.
    private func tidy(_ writer: ItemWriter) -> Duration {
        do throws(StoreError) {
            return try writer.tidy(statistics) { isAwaited }
        } catch {
            state.withLock { $0.housekeepingFailed(error) }
            return retry.longest
        }
    }

    /// Writes the entries batch by batch. Retries while the disk fails; gives up only if an attempt fails that began
    /// after closing was requested.
    private func write(
        _ entries: [PendingEntry], _ connection: SQLiteConnection, _ writer: ItemWriter
    ) -> (lost: Int, error: StoreError)? {
        var rest = entries[...]
        while !rest.isEmpty {
            let batch = writer.decide(rest.prefix(batchSize), writesAllOpen: isAwaited)
            if let error = commit(batch, connection, writer) { return (rest.count, error) }
            rest = rest.dropFirst(batch.count)
        }
        return nil
    }

    /// Commits a batch, with as many retries as needed; returns the error if it gave up.
    private func commit(_ batch: Batch, _ connection: SQLiteConnection, _ writer: ItemWriter) -> StoreError? {
        var pause = retry.first
        var (refused, known) = (0, 0)
        while true {
            var counts = state.withLock { $0.writeBegins() }
            connection.endOfWaits = endOfWaits.withLock { $0 }
            counts.written += batch.count
            counts.alreadyStored += known
            let outcome = writer.commit(batch, counts: counts)
            refused += outcome.refused
            known += outcome.alreadyStored
            if let error = outcome.rowError { state.withLock { $0.rowWasRefused(error) } }
            guard let error = outcome.error else {
                let failed = min(refused, batch.count)
                state.withLock {
                    $0.entriesWereHandled(written: batch.count - failed, failed: failed, alreadyStored: known)
                }
                return nil
            }
            let (jobs, isRetried) = state.withLock { $0.writeFailed(error) }
            let desk = desk(connection, writer)
            for job in jobs { job.run(desk, error) }
            guard isRetried else { return error }
            signal.wait(atMost: pause)
            pause = min(pause * 2, retry.longest)
        }
    }

    private func finish(_ connection: SQLiteConnection, _ writer: ItemWriter?, lost: Int, error: StoreError?) {
        // Counts lost entries before the totals are written for the last time.
        let count = state.withLock { $0.entriesWereLost(lost) }
        let error = error.map { $0.losing(count) }
        connection.endOfWaits = endOfWaits.withLock { $0 }
        let known = writer?.finish(statistics) ?? 0
        state.withLock { $0.entriesWereHandled(written: 0, failed: 0, alreadyStored: known) }
        connection.close()
        let (jobs, closers) = state.withLock { $0.writerFinished(error: error) }
        for job in jobs { job.refuse(error ?? .closed(path)) }
        for closer in closers { closer(error) }
    }
}
