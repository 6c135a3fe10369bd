#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Threads for file work, which may block, apart from the cooperative pool and the network loop.
///
/// They're started on demand, up to a maximum, and then wait for more work until ``end()``.
///
/// `@unchecked Sendable`: every property that changes is read and written while the mutex is held.
package final class FileThreads: @unchecked Sendable {
    /// The threads that most parts share: at most four, which never end.
    package static let shared = FileThreads(maximum: 4)

    private let maximum: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var work: [@Sendable () -> Void] = []
    private var (started, idle) = (0, 0)
    private var isEnded = false

    /// Creates separate threads for work that must not delay other work. The creator must call ``end()``; until then,
    /// started threads wait for more work.
    package init(maximum: Int) {
        self.maximum = maximum
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Stops accepting work; the threads end once the accepted work is done.
    package func end() {
        pthread_mutex_lock(mutex)
        isEnded = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Runs `body` on one of the threads. Cancelling the task doesn't interrupt it.
    ///
    /// - Parameter call: The call that needs the result. If it has ended, or once its total timeout has passed, this
    ///   throws the reason without waiting; the work continues.
    package func run<Value: Sendable>(
        during call: CallContext? = nil, _ body: @escaping @Sendable () throws(NetError) -> Value
    ) async throws(NetError) -> Value {
        guard let call else {
            guard let result = await result(of: body) else { throw Self.noThread }
            return try result.get()
        }
        let race = CallRace<Result<Value, NetError>>()
        guard accept({ race.finish(Result { () throws(NetError) in try body() }) }) else { throw Self.noThread }
        let result = await call.untilCallEnded({ await race.wait() }, giveUp: { race.giveUp() })
        guard let result else { throw call.abandoned(.preparing) }
        return try result.get()
    }

    /// Runs `body` on one of the threads and returns its result. Nil if there is no thread for it: none could be
    /// started, or the threads have ended. Cancelling the task doesn't interrupt it.
    package func result<Value: Sendable, Failure: Error>(
        of body: @escaping @Sendable () throws(Failure) -> Value
    ) async -> Result<Value, Failure>? {
        await withCheckedContinuation { continuation in
            let isAccepted = accept { continuation.resume(returning: Result { () throws(Failure) in try body() }) }
            if !isAccepted { continuation.resume(returning: nil) }
        }
    }

    /// Runs `body` on one of the threads without waiting for it. Returns false if there is no thread for it.
    package func post(_ body: @escaping @Sendable () -> Void) -> Bool { accept(body) }

    private static var noThread: NetError {
        NetError(
            .unknown, phase: .preparing,
            message: "cannot start a thread for file access; raise the process's thread limit")
    }

    /// Returns false if there is no thread and none can be started, or if the threads have ended.
    private func accept(_ body: @escaping @Sendable () -> Void) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isEnded else { return false }
        // Starts a thread unless there is an idle one for each waiting piece of work.
        if idle <= work.count, started < maximum, startThread() { started += 1 }
        guard started > 0 else { return false }
        work.append(body)
        pthread_cond_signal(condition)
        return true
    }

    private func startThread() -> Bool {
        (try? SystemThread { self.serve() }) != nil
    }

    private func serve() {
        while let body = next() { body() }
    }

    /// Waits for work; returns nil once no work is left and no more is accepted.
    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        idle += 1
        while work.isEmpty, !isEnded { pthread_cond_wait(condition, mutex) }
        idle -= 1
        return work.isEmpty ? nil : work.removeFirst()
    }
}
