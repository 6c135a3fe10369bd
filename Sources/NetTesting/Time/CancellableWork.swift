package import NetCore
internal import Synchronization

/// Work that can't block its caller: a time limit or a cancellation ends the wait immediately, even if the work itself
/// ignores it. A later result of the work is discarded.
package struct CancellableWork<Value: Sendable>: Sendable {
    private final class Shared: Sendable {
        struct State {
            var result: Result<Value, any Error>?
            var waiter: CheckedContinuation<Value, any Error>?
            var tasks: [Task<Void, Never>] = []
        }

        let state = Mutex(State())

        /// Only the first result counts; the other tasks are cancelled.
        func settle(_ result: Result<Value, any Error>) {
            let before = state.withLock { state -> State? in
                guard state.result == nil else { return nil }
                let before = state
                state = State(result: result)
                return before
            }
            guard let before else { return }
            for task in before.tasks { task.cancel() }
            before.waiter?.resume(with: result)
        }

        func adopt(_ task: Task<Void, Never>) {
            let isLate = state.withLock { state in
                if state.result == nil { state.tasks.append(task) }
                return state.result != nil
            }
            if isLate { task.cancel() }
        }

        func wait(_ continuation: CheckedContinuation<Value, any Error>) {
            let result = state.withLock { state in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Runs `work`; throws `timeout()` after `limit` on `clock` (nil for no limit), and `CancellationError` on
    /// cancellation.
    package static func run(
        within limit: Duration? = nil, on clock: NetClock = .system,
        timeout: @escaping @Sendable () -> any Error = { CancellationError() },
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let shared = Shared()
        return try await withTaskCancellationHandler {
            shared.adopt(
                Task {
                    do { shared.settle(.success(try await work())) } catch { shared.settle(.failure(error)) }
                })
            if let limit {
                shared.adopt(
                    Task {
                        guard (try? await clock.sleep(for: limit)) != nil else { return }
                        shared.settle(.failure(timeout()))
                    })
            }
            return try await withCheckedThrowingContinuation { shared.wait($0) }
        } onCancel: {
            shared.settle(.failure(CancellationError()))
        }
    }
}
