internal import Synchronization

/// One piece of work and the task that waits for it, until the work is done or the wait is given up.
final class CallRace<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters = WaiterList<Bool>()
    }

    private let state = Mutex(State())
    private let waiter: WaiterList<Bool>.ID

    /// How often the task that gives up lets others run first: work that notices its cancellation has the better error.
    private static var grace: Int { 64 }

    init() { waiter = state.withLock { $0.waiters.register() } }

    /// The work is done. Its value is dropped if nobody waits for it any more.
    func finish(_ value: Value) {
        state.withLock { state in
            state.value = value
            return state.waiters.release(waiter, with: true)
        }?.resume()
    }

    /// The value of work that is done; nil before, and once it was taken.
    var value: Value? { state.withLock { $0.value.take() } }

    /// The wait is over, whatever the work does.
    func giveUp() {
        state.withLock { $0.waiters.release(waiter, with: false) }?.resume()
    }

    /// Waits once; nil if the wait was given up and the work did not end soon after.
    func wait() async -> Value? {
        let isDone = await withCheckedContinuation { continuation in
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
    /// Starts a task on the caller's thread and runs it there until it first suspends, so that work that never waits doesn't
    /// wake another thread. Apple platforms before macOS 26 and iOS 26 start it on another thread.
    static func startingHere(_ operation: sending @escaping @isolated(any) () async -> Void) -> Self {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            .immediate(operation: operation)
        } else {
            Task(operation: operation)
        }
    }
}
