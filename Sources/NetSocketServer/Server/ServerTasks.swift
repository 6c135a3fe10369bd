#if Server
internal import NetCore
internal import Synchronization

/// The tasks of a server that may outlive ``SocketServer/run()``, because a program's function can ignore its
/// cancellation. Each is removed when it ends.
final class ServerTasks: Sendable {
    typealias ID = Int

    private struct State {
        var last = 0
        var tasks: [ID: Task<Void, Never>] = [:]
        var waiters = WaiterList<Void>()
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.tasks.count } }

    /// Starts a task.
    @discardableResult
    func start(_ body: @escaping @Sendable () async -> Void) -> ID {
        state.withLock { state in
            state.last += 1
            let id = state.last
            // It can't end before it is added: its end needs the lock.
            state.tasks[id] = Task {
                await body()
                self.ended(id)
            }
            return id
        }
    }

    private func ended(_ id: ID) {
        let waiters = state.withLock { state -> [WaiterList<Void>.Waiter] in
            state.tasks[id] = nil
            return state.tasks.isEmpty ? state.waiters.releaseAll(with: ()) : []
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Cancels a task, unless it has ended.
    func cancel(_ id: ID) { state.withLock { $0.tasks[id] }?.cancel() }

    func cancelAll() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    /// Waits until all tasks have ended, or the caller is cancelled.
    func waitUntilEmpty() async {
        let id = state.withLock { $0.tasks.isEmpty ? nil : $0.waiters.register() }
        guard let id else { return }
        await WaiterList.wait(id, fallback: ()) { change in self.state.withLock { change(&$0.waiters) } }
    }
}
#endif
