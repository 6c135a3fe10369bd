#if Server
internal import Synchronization

/// One handler that runs, or is about to, and can be cancelled by itself.
///
/// | state | run | cancel | end |
/// |---|---|---|---|
/// | waiting | running | cancelled | – |
/// | running | – | its task is cancelled | ended |
/// | cancelled | – | – | – |
/// | ended | – | – | – |
final class RunningCommand: Sendable {
    /// `@unchecked Sendable`: it is used to cancel the task only, under the lock, and only until the task says that it ends.
    private struct Handle: @unchecked Sendable {
        let task: UnsafeCurrentTask
    }

    private enum State: Sendable {
        case waiting
        case running(Handle)
        case over
    }

    private let state = Mutex(State.waiting)

    /// Runs a handler in the current task. Returns false if it was cancelled before, and hasn't run.
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

    /// Cancels its task, or keeps it from beginning.
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
