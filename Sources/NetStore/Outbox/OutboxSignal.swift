internal import NetCore
internal import Synchronization

/// Wakes one waiting task. A signal raised before the wait ends that wait immediately.
final class OutboxSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiters = WaiterList<Void>()
    }

    private let state = Mutex(State())

    /// Ends the current wait, or the next one.
    func raise() {
        let waiters = state.withLock { state in
            let waiters = state.waiters.isEmpty ? [] : state.waiters.releaseAll(with: ())
            state.isRaised = true
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the signal is raised, the time has passed, or the task is cancelled.
    func wait(atMost limit: Duration?, on clock: NetClock) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            if let limit { group.addTask { try? await clock.sleep(for: limit) } }
            await group.next()
            group.cancelAll()
        }
        state.withLock { $0.isRaised = false }
    }

    private func wait() async {
        let id = state.withLock { $0.isRaised ? nil : $0.waiters.register() }
        guard let id else { return }
        await WaiterList.wait(id, fallback: ()) { change in state.withLock { change(&$0.waiters) } }
    }
}
