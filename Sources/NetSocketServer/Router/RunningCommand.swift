#if Server
internal import Synchronization

/// One handler that is running or about to run, and can be cancelled individually.
///
/// | state | run | cancel | end |
/// |---|---|---|---|
/// | waiting | running | cancelled | – |
/// | running | – | its task is cancelled | ended |
/// | cancelled | – | – | – |
/// | ended | – | – | – |
final class RunningCommand: Sendable {
    /// `@unchecked Sendable`: only used to cancel the task, under the lock, and only until the task reports that it is
    /// ending.
    private struct Handle: @unchecked Sendable {
        let task: UnsafeCurrentTask
    }

    private enum State: Sendable {
        case waiting
        case running(Handle)
        case over
    }

    private let state = Mutex(State.waiting)

    /// Runs a handler in the current task. Returns false, without running it, if it was already cancelled.
    func run(_ body: @escaping @Sendable () async -> Void) async -> Bool {
        await withUnsafeCurrentTask { task in
            guard let task, begin(Handle(task: task)) else { return false }
            await body()
            state.withLock { $0 = .over }
            return true
        }
    }

    private func begin(_ handle: Handle) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .running(handle)
            return true
        }
    }

    /// Cancels the handler's task, or prevents it from starting.
    func cancel() {
        state.withLock { state in
            switch state {
            case .waiting: state = .over
            case .running(let handle): handle.task.cancel()
            case .over: break
            }
        }
    }
}
#endif
