internal import NetCore
internal import Synchronization

/// The file access of one download, in order, on the threads for files.
///
/// Chunks are added without waiting, and accumulated chunks are written in one piece. While ``maximumPending`` bytes
/// are waiting, a task that adds more is suspended, and its transfer with it. After a failure, nothing more is
/// written.
final class DownloadWriter: Sendable {
    private enum Work {
        case write(Bytes, at: Int64)
        /// Called with the failure of earlier work, in which case it does nothing; returns its own failure.
        case perform(@Sendable (DownloadError?) -> DownloadError?)
    }

    private struct State {
        var work: [Work] = []
        var pending = 0
        var isRunning = false
        var failure: DownloadError?
        var waiters = WaiterList<Void>()
    }

    /// The maximum number of bytes that may wait while others are written.
    static let maximumPending = 512 << 10

    private let part: PartFile
    private let hash: DownloadHash
    private let threads: DownloadThreads
    private let onWritten: @Sendable () -> DownloadError?
    private let state = Mutex(State())

    /// Creates a writer.
    ///
    /// - Parameter onWritten: Called on a thread for files each time accumulated bytes have been written; returns an
    ///   error to stop writing.
    init(
        part: PartFile, hash: DownloadHash, threads: DownloadThreads,
        onWritten: @escaping @Sendable () -> DownloadError?
    ) {
        self.part = part
        self.hash = hash
        self.threads = threads
        self.onWritten = onWritten
    }

    /// Adds a chunk. Returns immediately unless too many bytes are waiting. Throws the error of earlier work.
    ///
    /// - Parameter more: True if more work follows immediately, to be done together.
    func write(_ chunk: Bytes, at offset: Int64, more: Bool = false) async throws(DownloadError) {
        let waiter = try add(.write(chunk, at: offset), bytes: chunk.count, more: more)
        guard let waiter else { return }
        await WaiterList<Void>.wait(waiter, fallback: ()) { change in state.withLock { change(&$0.waiters) } }
    }

    /// Adds work that runs after everything added before, and together with the work added next. Throws the error of
    /// earlier work.
    func post(_ body: @escaping @Sendable () throws(DownloadError) -> Void) throws(DownloadError) {
        let work = Work.perform { failure in
            if let failure { return failure }
            do throws(DownloadError) { try body() } catch { return error }
            return nil
        }
        _ = try add(work, bytes: 0, more: true)
    }

    /// Runs work after everything added before, and returns its result. Cancelling the task doesn't interrupt it.
    /// Throws the error of earlier work, or its own, which doesn't affect later work.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let result: Result<Value, DownloadError> = await withCheckedContinuation { continuation in
            let work = Work.perform { failure in
                if let failure {
                    continuation.resume(returning: .failure(failure))
                } else {
                    continuation.resume(returning: Result { () throws(DownloadError) in try body() })
                }
                return nil
            }
            do throws(DownloadError) {
                _ = try add(work, bytes: 0)
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    /// Waits until everything that was added has been written. Throws its error.
    func drain() async throws(DownloadError) { try await run {} }

    /// Returns a waiter if the caller must wait before it adds more.
    private func add(_ work: Work, bytes: Int, more: Bool = false) throws(DownloadError) -> WaiterList<Void>.ID? {
        let (failure, starts, waiter) = state.withLock { state -> (DownloadError?, Bool, WaiterList<Void>.ID?) in
            if let failure = state.failure { return (failure, false, nil) }
            state.work.append(work)
            state.pending += bytes
            let isMuch = state.pending > Self.maximumPending
            let starts = !state.isRunning && (!more || isMuch)
            state.isRunning = state.isRunning || starts
            return (nil, starts, isMuch ? state.waiters.register() : nil)
        }
        if let failure { throw failure }
        if starts { begin() }
        return waiter
    }

    private func begin() {
        // Each batch waits for its turn, so that a fast download doesn't monopolize a thread.
        if !threads.post({ self.writeBatch() }) { fail() }
    }

    private func writeBatch() {
        let (batch, earlier, waiters) = state.withLock { state in
            defer { (state.work, state.pending) = ([], 0) }
            return (state.work, state.failure, state.waiters.releaseAll(with: ()))
        }
        for waiter in waiters { waiter.resume() }
        var failure = earlier
        for work in batch {
            switch work {
            case .write(let chunk, let offset):
                guard failure == nil else { continue }
                do throws(DownloadError) {
                    try part.write(chunk, at: offset)
                    hash.update(chunk, at: offset)
                } catch {
                    failure = error
                }
            case .perform(let body):
                let own = body(failure)
                failure = failure ?? own
            }
        }
        let reason = failure == nil ? onWritten() : nil
        let hasMore = state.withLock { state in
            state.failure = state.failure ?? failure ?? reason
            state.isRunning = !state.work.isEmpty
            return state.isRunning
        }
        if hasMore { begin() }
    }

    /// Fails all waiting work, because no thread is available any more.
    private func fail() {
        let error = DownloadError(
            .shutDown, message: "the manager was shut down; create another one and restore its tasks")
        let (batch, waiters) = state.withLock { state in
            defer { (state.work, state.pending, state.failure, state.isRunning) = ([], 0, error, false) }
            return (state.work, state.waiters.releaseAll(with: ()))
        }
        for waiter in waiters { waiter.resume() }
        for case .perform(let body) in batch { _ = body(error) }
    }
}
