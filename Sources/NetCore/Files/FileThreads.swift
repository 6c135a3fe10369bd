#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Threads for file work, which may block, apart from the cooperative pool and the network loop.
///
/// They're started on demand, at most four, and then wait for more work.
///
/// `@unchecked Sendable`: every property that changes is read and written while the mutex is held.
package final class FileThreads: @unchecked Sendable {
    package static let shared = FileThreads(maximum: 4)

    private let maximum: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var work: [@Sendable () -> Void] = []
    private var (started, idle) = (0, 0)

    private init(maximum: Int) {
        self.maximum = maximum
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    /// Runs `body` on one of the threads. Cancelling the task doesn't interrupt it.
    ///
    /// - Parameter call: The call that needs the result. If it has ended, or once its total time-out has passed, this
    ///   throws the reason without waiting; the work continues.
    package func run<Value: Sendable>(
        during call: CallContext? = nil, _ body: @escaping @Sendable () throws(NetError) -> Value
    ) async throws(NetError) -> Value {
        guard let call else { return try await wait(for: body).get() }
        let race = CallRace<Result<Value, NetError>>()
        guard accept({ race.finish(Result { () throws(NetError) in try body() }) }) else { throw Self.noThread }
        let result = await call.untilCallEnded({ await race.wait() }, giveUp: { race.giveUp() })
        guard let result else { throw call.abandoned(.preparing) }
        return try result.get()
    }

    private func wait<Value: Sendable>(
        for body: @escaping @Sendable () throws(NetError) -> Value
    ) async -> Result<Value, NetError> {
        await withCheckedContinuation { continuation in
            let isAccepted = accept { continuation.resume(returning: Result { () throws(NetError) in try body() }) }
            if !isAccepted { continuation.resume(returning: .failure(Self.noThread)) }
        }
    }

    private static var noThread: NetError {
        NetError(
            .unknown, phase: .preparing,
            message: "no thread for file work can be started; raise the process's limit of threads")
    }

    /// Returns false if there is no thread and none can be started.
    private func accept(_ body: @escaping @Sendable () -> Void) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        // Each waiting piece of work has an idle thread for itself, or a new one is started.
        if idle <= work.count, started < maximum, startThread() { started += 1 }
        guard started > 0 else { return false }
        work.append(body)
        pthread_cond_signal(condition)
        return true
    }

    private func startThread() -> Bool {
        (try? SystemThread { FileThreads.shared.serve() }) != nil
    }

    private func serve() -> Never {
        while true {
            pthread_mutex_lock(mutex)
            idle += 1
            while work.isEmpty { pthread_cond_wait(condition, mutex) }
            idle -= 1
            let body = work.removeFirst()
            pthread_mutex_unlock(mutex)
            body()
        }
    }
}
