internal import NetCore
internal import Synchronization

/// A thread with a connection to an outbox. It runs jobs one after another, and groups jobs that write into one
/// transaction.
///
/// Jobs that arrive while a commit is being flushed to the disk share the next commit. The connection is opened, used
/// and closed only on that thread.
final class OutboxWorker: Sendable {
    typealias Opener = @Sendable () throws(StoreError) -> OutboxTables

    /// A job. It does its work and returns a function that reports the result after the commit, or the error of the
    /// commit.
    private struct Job: Sendable {
        let writes: Bool
        let run: @Sendable (OutboxTables) -> (error: StoreError?, report: @Sendable (StoreError?) -> Void)
        let refuse: @Sendable (StoreError) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var closers: [@Sendable () -> Void] = []
        var isClosing = false
        var hasEnded = false
    }

    private let path: String
    private let state = Mutex(State())
    private let signal = WakeSignal()
    private let thread = Mutex<SystemThread?>(nil)

    /// Starts the thread and waits until it has opened its connection.
    init(path: String, open: @escaping Opener) throws(StoreError) {
        self.path = path
        let started = try SystemThread.opening(path: path, open) { [self] tables in run(tables) }
        thread.withLock { $0 = started }
    }

    /// The number of waiting jobs.
    var waitingJobs: Int { state.withLock { $0.jobs.count } }

    /// Runs a job that changes the file, and returns once the change is on the disk. Cancellation has no effect, so
    /// that the caller always knows the outcome.
    ///
    /// - Parameter committed: Called on the thread after the commit; for several jobs, in the order of their changes.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (OutboxTables) throws(StoreError) -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws(StoreError) -> Value {
        try await perform(writes: true, body, committed: committed)
    }

    /// Runs a job that only reads committed data.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (OutboxTables) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await perform(writes: false, body) { _ in }
    }

    private func perform<Value: Sendable>(
        writes: Bool, _ body: @escaping @Sendable (OutboxTables) throws(StoreError) -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let job = Job(writes: writes) { tables in
                let result = Result { () throws(StoreError) in try body(tables) }
                let error: StoreError? = if case .failure(let error) = result { error } else { nil }
                return (
                    error,
                    { failure in
                        if failure == nil, case .success(let value) = result { committed(value) }
                        continuation.resume(returning: failure.map { .failure($0) } ?? result)
                    }
                )
            } refuse: {
                continuation.resume(returning: .failure($0))
            }
            let isOpen = state.withLock { state in
                if !state.isClosing { state.jobs.append(job) }
                return !state.isClosing
            }
            if isOpen { signal.raise() } else { job.refuse(.closed(path)) }
        }
        return try result.get()
    }

    /// Runs the waiting jobs, closes the connection and ends the thread.
    func close() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isClosing = true
                if !state.hasEnded { state.closers.append { continuation.resume() } }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() } else { signal.raise() }
        }
        thread.withLock { $0 }?.join()
    }

    /// Requests closing without waiting for it.
    func closeWithoutWaiting() {
        state.withLock { $0.isClosing = true }
        signal.raise()
    }
}

// MARK: On the thread

extension OutboxWorker {
    private func run(_ tables: OutboxTables) {
        while true {
            let (jobs, isClosing) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isClosing)
            }
            if jobs.isEmpty {
                if isClosing { return finish(tables) }
                signal.wait()
                continue
            }
            write(jobs.filter(\.writes), tables)
            for job in jobs where !job.writes { job.run(tables).report(nil) }
        }
    }

    /// Runs jobs in one transaction. Reports no result before the commit has returned, since only then the changes are
    /// on the disk.
    private func write(_ jobs: [Job], _ tables: OutboxTables) {
        guard !jobs.isEmpty else { return }
        let connection = tables.connection
        var reports: [@Sendable (StoreError?) -> Void] = []
        var count = 0
        do throws(StoreError) {
            try connection.transaction { () throws(StoreError) in
                for job in jobs {
                    try connection.run("SAVEPOINT job")
                    let (error, report) = job.run(tables)
                    count += 1
                    reports.append(report)
                    if let error {
                        // After some errors, such as a full disk, SQLite has already rolled back the whole transaction.
                        if connection.isInTransaction { try connection.run("ROLLBACK TO job") } else { throw error }
                    }
                    try connection.run("RELEASE job")
                }
            }
            FileChanges.announce(path)
            for report in reports { report(nil) }
        } catch {
            // The log may contain the commit that couldn't be flushed, which could reappear after a crash. Another
            // commit replaces it.
            try? tables.touch()
            for report in reports { report(error) }
            for job in jobs.dropFirst(count) { job.refuse(error) }
        }
    }

    private func finish(_ tables: OutboxTables) {
        tables.connection.close()
        let (jobs, closers) = state.withLock { state in
            state.hasEnded = true
            defer { (state.jobs, state.closers) = ([], []) }
            return (state.jobs, state.closers)
        }
        for job in jobs { job.refuse(.closed(path)) }
        for closer in closers { closer() }
    }
}
