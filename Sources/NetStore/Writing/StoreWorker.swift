internal import NetCore
internal import Synchronization

/// One thread with one connection: it writes the events it is handed, in batches, and runs jobs between them.
///
/// The connection is opened, used and closed on that thread only. A reader is a worker that is handed no events.
final class StoreWorker: Sendable {
    /// How a worker opens its connection.
    typealias Opener = @Sendable () throws(StoreError) -> (SQLiteConnection, EventBatchWriter?)

    private final class Opening: Sendable {
        let error = Mutex<StoreError?>(nil)
        let signal = WakeSignal()
    }

    private final class JobSlot: Sendable {
        let id = Mutex<UInt64?>(nil)
    }

    private let path: String
    private let retry: (first: Duration, longest: Duration)
    private let state: Mutex<WriteQueueStateMachine>
    private let signal = WakeSignal()
    private let thread = Mutex<SystemThread?>(nil)

    /// Starts the thread and waits until it has opened its connection.
    init(
        path: String, configuration: ActivityStore.Configuration, capacity: Int, open: @escaping Opener
    ) throws(StoreError) {
        self.path = path
        retry = (configuration.firstRetryDelay, configuration.longestRetryDelay)
        state = Mutex(
            WriteQueueStateMachine(
                path: path, capacity: capacity, batch: configuration.batchSize, patience: configuration.batchDelay))
        let opening = Opening()
        let started: SystemThread
        do {
            started = try SystemThread { [self] in
                do throws(StoreError) {
                    let (connection, writer) = try open()
                    opening.signal.raise()
                    run(connection, writer)
                } catch {
                    opening.error.withLock { $0 = error }
                    opening.signal.raise()
                }
            }
        } catch {
            throw StoreError(systemError: error.number, path: path, doing: "start a thread")
        }
        opening.signal.wait()
        if let error = opening.error.withLock({ $0 }) {
            started.join()
            throw error
        }
        thread.withLock { $0 = started }
    }

    var statistics: WriterStatistics { state.withLock { $0.statistics } }

    /// Queues an event: a lock, an append, and a wake-up when the writer sleeps.
    func record(_ event: ActivityEvent) {
        let pending = PendingEvent(event)
        if state.withLock({ $0.received(pending) }) { signal.raise() }
    }

    /// Runs the body on the thread once the events recorded before are written; throws when they could not be.
    ///
    /// A cancelled task takes a waiting job back; one that runs is waited for.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let slot = JobSlot()
        let result: Result<Value, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let id = state.withLock { state in
                    state.requested { connection, error in
                        continuation.resume(returning: Self.result(connection, error, body))
                    } refuse: {
                        continuation.resume(returning: .failure($0))
                    }
                }
                guard let id else { return continuation.resume(returning: .failure(closedError)) }
                slot.id.withLock { $0 = id }
                signal.raise()
                // The handler may have run before the slot was filled.
                if Task.isCancelled { takeBack(id) }
            }
        } onCancel: {
            if let id = slot.id.withLock({ $0 }) { takeBack(id) }
        }
        return try result.get()
    }

    /// Writes what is queued, closes the connection and ends the thread; throws what kept events from being written.
    func close() async throws(StoreError) {
        let error: StoreError? = await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.closeWasRequested { continuation.resume(returning: $0) }
            }
            if isOpen { signal.raise() } else { continuation.resume(returning: nil) }
        }
        thread.withLock { $0 }?.join()
        if let error { throw error }
    }

    /// Asks for the same and does not wait.
    func closeWithoutWaiting() {
        if state.withLock({ $0.closeWasRequested(nil) }) { signal.raise() }
    }

    private var closedError: StoreError {
        StoreError(.closed, message: "the store is closed. Open it again to use it", path: path)
    }

    private func takeBack(_ id: UInt64) {
        let job = state.withLock { $0.jobWasCancelled(id) }
        job?.refuse(StoreError(.cancelled, message: "the task was cancelled", path: path))
    }

    private static func result<Value>(
        _ connection: SQLiteConnection, _ error: StoreError?,
        _ body: (SQLiteConnection) throws(StoreError) -> Value
    ) -> Result<Value, StoreError> {
        if let error { return .failure(error) }
        return Result { () throws(StoreError) in try body(connection) }
    }
}

// MARK: On the thread

extension StoreWorker {
    private func run(_ connection: SQLiteConnection, _ writer: EventBatchWriter?) {
        while true {
            switch state.withLock({ $0.writerIsReady() }) {
            case .write(let events):
                guard let writer, let (lost, error) = write(events, connection, writer) else { continue }
                return finish(connection, writer, lost: lost, error: error)
            case .run(let jobs):
                for job in jobs { job.run(connection, nil) }
            case .sleep(let limit):
                signal.wait(atMost: limit)
            case .finish:
                return finish(connection, writer, lost: 0, error: nil)
            }
        }
    }

    /// Writes the events batch by batch, again and again while the disk fails; gives up only when a try fails that began
    /// after the store was to close.
    private func write(
        _ events: [PendingEvent], _ connection: SQLiteConnection, _ writer: EventBatchWriter
    ) -> (lost: Int, error: StoreError)? {
        var rest = events[...]
        var pause = retry.first
        while !rest.isEmpty {
            let before = state.withLock { $0.writeBegins() }
            let outcome = writer.write(rest, before: before, on: connection)
            rest = rest.dropFirst(outcome.written + outcome.failed)
            if outcome.written + outcome.failed > 0 {
                pause = retry.first
                state.withLock {
                    $0.eventsWereHandled(written: outcome.written, failed: outcome.failed, error: outcome.rowError)
                }
            }
            guard let error = outcome.error else { continue }
            let (jobs, isRetried) = state.withLock { $0.writeFailed(error) }
            for job in jobs { job.run(connection, error) }
            guard isRetried else { return (rest.count, error) }
            signal.wait(atMost: pause)
            pause = min(pause * 2, retry.longest)
        }
        return nil
    }

    private func finish(
        _ connection: SQLiteConnection, _ writer: EventBatchWriter?, lost: Int, error: StoreError?
    ) {
        let statistics = state.withLock { $0.statistics }
        writer?.finish(statistics, on: connection)
        connection.close()
        let (jobs, closers) = state.withLock { $0.writerFinished(lost: lost, error: error) }
        for job in jobs { job.refuse(error ?? closedError) }
        for closer in closers { closer(error) }
    }
}
