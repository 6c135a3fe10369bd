internal import Synchronization

/// The wait of one task for one piece of work. It ends when the work is done or when the wait is given up.
final class CallRace<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters = WaiterList<Bool>()
    }

    private let state = Mutex(State())
    private let waiter: WaiterList<Bool>.ID

    /// The number of times that a wait yields after it was given up, because work that notices its cancellation has a
    /// more specific error.
    private static var grace: Int { 64 }

    init() { waiter = state.withLock { $0.waiters.register() } }

    /// Records that the work is done. Its value is dropped if the task no longer waits for it.
    func finish(_ value: Value) {
        state.withLock { state in
            state.value = value
            return state.waiters.release(waiter, with: true)
        }?.resume()
    }

    /// The value of finished work; nil before the work has finished, and after the value has been taken.
    var value: Value? { state.withLock { $0.value.take() } }

    /// Ends the wait, regardless of the work.
    func giveUp() {
        state.withLock { $0.waiters.release(waiter, with: false) }?.resume()
    }

    /// Waits once. Returns nil if the wait was given up and the work didn't finish soon after.
    func wait() async -> Value? {
        let isDone = await withUnsafeContinuation { continuation in
            state.withLock { $0.waiters.suspend(waiter, continuation, fallback: false) }?.resume()
        }
        var turns = isDone ? 0 : Self.grace
        while turns > 0, state.withLock({ $0.value == nil }) {
            await Task.yield()
            turns -= 1
        }
        return value
    }
}

extension Task where Failure == Never, Success == Void {
    /// Starts a task on the caller's thread and runs it there until it first suspends, so that work that never suspends
    /// doesn't wake another thread. Apple platforms before macOS 26 and iOS 26 start it on another thread.
    static func startingHere(_ operation: sending @escaping @isolated(any) () async -> Void) -> Self {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            .immediate(operation: operation)
        } else {
            Task(operation: operation)
        }
    }
}
