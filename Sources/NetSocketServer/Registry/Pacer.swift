#if Server
internal import NetCore
internal import Synchronization

/// Runs deferred work: the ends of channels' intervals and of pauses in reading, and unsubscribing from channels that
/// are empty. One task runs all of it (``run(_:_:)``).
final class Pacer: Sendable {
    fileprivate struct State {
        var due = DueQueue<@Sendable () -> Void>()
        /// The time at which the task wakes up; nil if it is running, or sleeps until it is woken.
        var sleepsUntil: Duration?
        var empty: [String] = []
        var later: [@Sendable () async -> Void] = []
        var isClosed = false
        var waiters = WaiterList<Void>()
    }

    private let clock: NetClock
    private let state = Mutex(State())

    init(_ clock: NetClock) {
        self.clock = clock
    }

    /// Runs work at a time, on the pacer's task. The work must not block.
    @discardableResult
    func run(at time: Duration, _ work: @escaping @Sendable () -> Void) -> DueQueue<@Sendable () -> Void>.ID {
        let (id, waiters) = state.withLock { state in
            let id = state.due.add(at: time, work)
            // The task needn't wake up for work that is due after its wake-up time.
            if let until = state.sleepsUntil, until <= time { return (id, [WaiterList<Void>.Waiter]()) }
            return (id, state.waiters.releaseAll(with: ()))
        }
        for waiter in waiters { waiter.resume() }
        return id
    }

    /// Removes work that hasn't begun.
    func cancel(_ id: DueQueue<@Sendable () -> Void>.ID) { state.withLock { $0.due.cancel(id) } }

    /// Runs work soon, in a separate task.
    func runLater(_ work: @escaping @Sendable () async -> Void) { change { $0.later.append(work) } }

    func unsubscribe(_ topic: String) { change { $0.empty.append(topic) } }

    func close() { change { $0.isClosed = true } }

    private func change(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    fileprivate enum Step {
        case close
        case work(due: [@Sendable () -> Void], empty: [String], later: [@Sendable () async -> Void])
        case wait(WaiterList<Void>.ID, until: Duration?)
    }

    /// Runs until ``close()`` is called and all work that it started has ended. A slow engine delays no channel's
    /// interval.
    func run(_ channels: ChannelRegistry) async {
        await withDiscardingTaskGroup { group in
            while true {
                switch state.withLock({ $0.step(clock.now()) }) {
                case .close: return
                case .work(let due, let empty, let later):
                    for work in due { work() }
                    for work in later { group.addTask { await work() } }
                    for topic in empty { group.addTask { await channels.unsubscribe(topic) } }
                case .wait(let id, let time): await wait(id, until: time)
                }
            }
        }
    }

    private func wait(_ id: WaiterList<Void>.ID, until time: Duration?) async {
        guard let time else { return await suspend(id) }
        await withTaskGroup { group in
            group.addTask { try? await self.clock.sleep(until: time) }
            group.addTask { await self.suspend(id) }
            await group.next()
            group.cancelAll()
        }
    }

    private func suspend(_ id: WaiterList<Void>.ID) async {
        await WaiterList.wait(id, fallback: ()) { change in self.state.withLock { change(&$0.waiters) } }
    }
}

extension Pacer.State {
    fileprivate mutating func step(_ now: Duration) -> Pacer.Step {
        if isClosed { return .close }
        sleepsUntil = nil
        let ready = due.takeDue(now)
        guard ready.isEmpty, empty.isEmpty, later.isEmpty else {
            defer { (empty, later) = ([], []) }
            return .work(due: ready, empty: empty, later: later)
        }
        sleepsUntil = due.next
        return .wait(waiters.register(), until: due.next)
    }
}
#endif
