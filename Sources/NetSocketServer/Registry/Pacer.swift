#if Server
internal import NetCore
internal import Synchronization

/// Does what channels need later: the ends of their intervals, and telling the engine that nobody is in one any more.
///
/// One task for all channels (``run(_:_:)``).
final class Pacer: Sendable {
    fileprivate struct State {
        var due: [(time: Duration, channel: ServerChannel)] = []
        var empty: [String] = []
        var isClosed = false
        var waiters = WaiterList<Void>()
    }

    private let clock: NetClock
    private let state = Mutex(State())

    init(_ clock: NetClock) {
        self.clock = clock
    }

    func wake(_ channel: ServerChannel, at time: Duration) { change { $0.due.append((time, channel)) } }

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
        case work(due: [ServerChannel], empty: [String])
        case wait(WaiterList<Void>.ID, until: Duration?)
    }

    /// Runs until ``close()``.
    func run(_ channels: ChannelRegistry, _ engine: any FanOutEngine) async {
        while true {
            let now = clock.now()
            switch state.withLock({ $0.step(now) }) {
            case .close: return
            case .work(let due, let empty):
                for channel in due {
                    if let next = channel.intervalEnded(now: now) { wake(channel, at: next) }
                }
                for topic in empty where !channels.isUsed(topic) {
                    try? await engine.unsubscribe(from: topic)
                    // Somebody has joined meanwhile.
                    if channels.isUsed(topic) { try? await engine.subscribe(to: topic) }
                }
            case .wait(let id, let time): await wait(id, until: time)
            }
        }
    }

    private func wait(_ id: WaiterList<Void>.ID, until time: Duration?) async {
        guard let time else { return await suspend(id) }
        let pause = time - clock.now()
        await withTaskGroup { group in
            group.addTask { try? await self.clock.sleep(for: pause) }
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
        let ready = due.filter { $0.time <= now }.map(\.channel)
        guard ready.isEmpty, empty.isEmpty else {
            due.removeAll { $0.time <= now }
            defer { empty = [] }
            return .work(due: ready, empty: empty)
        }
        return .wait(waiters.register(), until: due.map(\.time).min())
    }
}
#endif
