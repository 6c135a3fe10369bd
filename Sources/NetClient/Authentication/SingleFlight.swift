internal import NetCore
internal import Synchronization

/// Runs one piece of work at a time, for all callers that ask for it while it runs.
///
/// The work continues when its callers are cancelled: a refresh token that has been sent is used up, and the response
/// must not be lost. Each cancelled caller stops waiting immediately.
final class SingleFlight<Value: Sendable>: Sendable {
    private typealias Outcome = Result<Value, any Error>

    private struct State {
        var isRunning = false
        var waiters = WaiterList<Outcome>()
    }

    private let state = Mutex(State())

    /// Joins the work in progress, or starts `body`. Throws the error of the work, or `CancellationError` if the caller
    /// is cancelled.
    func run(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let (id, starts) = state.withLock { state in
            defer { state.isRunning = true }
            return (state.waiters.register(), !state.isRunning)
        }
        if starts { start(body) }
        return try await WaiterList<Outcome>.wait(id, fallback: .failure(CancellationError())) { change in
            state.withLock { change(&$0.waiters) }
        }.get()
    }

    private func start(_ body: @escaping @Sendable () async throws -> Value) {
        Task {
            let outcome: Outcome
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            let waiters = state.withLock { state in
                state.isRunning = false
                return state.waiters.releaseAll(with: outcome)
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}
