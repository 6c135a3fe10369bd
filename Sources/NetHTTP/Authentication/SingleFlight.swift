internal import NetCore
internal import Synchronization

/// Runs a piece of work once for all who ask for it meanwhile.
///
/// The work goes on when those who wait are cancelled: a refresh token that was sent is used up, and its answer must not be
/// lost. Each of them stops waiting at once.
final class SingleFlight<Value: Sendable>: Sendable {
    private struct State {
        var isRunning = false
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Result<Value, any Error>, Never>] = [:]
        /// Cancelled before they waited.
        var gone: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Joins the work that runs, or starts `body`. Throws what that throws, or `CancellationError`.
    func run(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        defer { state.withLock { _ = $0.gone.remove(id) } }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isGone, starts) = state.withLock { state in
                    if state.gone.contains(id) { return (true, false) }
                    state.waiters[id] = continuation
                    defer { state.isRunning = true }
                    return (false, !state.isRunning)
                }
                if isGone { continuation.resume(returning: .failure(CancellationError())) }
                if starts { start(body) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.gone.insert(id)
                return state.waiters.removeValue(forKey: id)
            }
            waiter?.resume(returning: .failure(CancellationError()))
        }.get()
    }

    private func start(_ body: @escaping @Sendable () async throws -> Value) {
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            let waiters = state.withLock { state in
                state.isRunning = false
                defer { state.waiters = [:] }
                return state.waiters.values
            }
            for waiter in waiters { waiter.resume(returning: result) }
        }
    }
}
