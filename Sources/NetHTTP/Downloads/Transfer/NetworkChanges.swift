internal import NetCore
internal import Synchronization

/// The changes of the network for the downloads of one manager: ends their waits, and transfers that stand still afterwards.
final class NetworkChanges: Sendable {
    private struct State {
        var isUnreachable = false
        /// The number of changes so far.
        var count = 0
        var waiters = WaiterList<Void>()
        var last = 0
        var transfers: [Int: Watched] = [:]
    }

    /// A transfer that a change of the network may have cut off.
    struct Watched: Sendable {
        /// The number of bytes that have come.
        let bytes: @Sendable () -> Int64
        /// Ends the transfer.
        let end: @Sendable () -> Void
    }

    /// The time in which a transfer must bring bytes after a change, or else it's asked for again.
    static let patience = Duration.milliseconds(500)

    private let clock: NetClock
    private let state: Holder
    private let task: Task<Void, Never>

    /// The state, apart from the object whose release ends the task.
    private final class Holder: Sendable {
        let state = Mutex(State())

        /// Ends the transfers that bring no byte within ``NetworkChanges/patience``: their packets may have no way any more.
        func endHeldTransfers(_ clock: NetClock) async {
            let before = state.withLock { $0.transfers.mapValues { $0.bytes() } }
            guard !before.isEmpty else { return }
            try? await clock.sleep(for: NetworkChanges.patience)
            for (number, transfer) in state.withLock({ $0.transfers }) where before[number] == transfer.bytes() {
                transfer.end()
            }
        }
    }

    init(_ network: any NetworkStatusProvider, clock: NetClock) {
        self.clock = clock
        let holder = Holder()
        state = holder
        let statuses = network.statuses
        task = Task {
            var known: NetworkStatus?
            for await status in statuses {
                let isUnreachable = status.reachability == .unreachable
                // Where the first status comes late, it may be that of a network that is back already.
                let isFirst = known == nil
                let isNews = !isUnreachable && known.map { !$0.hasSamePath(as: status) } ?? true
                known = status
                let waiters = holder.state.withLock { state -> [WaiterList<Void>.Waiter] in
                    state.isUnreachable = isUnreachable
                    guard isNews else { return [] }
                    state.count += 1
                    return state.waiters.releaseAll(with: ())
                }
                for waiter in waiters { waiter.resume() }
                if isNews, !isFirst { await holder.endHeldTransfers(clock) }
            }
        }
    }

    /// The number of changes so far, for ``wait(for:since:)``.
    var count: Int { state.state.withLock { $0.count } }

    deinit { task.cancel() }

    /// Waits for a time, or until the network has changed after the change with the number `count`; while there is none, only for
    /// the change. Returns early if the task is cancelled.
    func wait(for duration: Duration, since count: Int) async {
        let holder = state
        let clock = clock
        let id = holder.state.withLock { $0.count == count ? $0.waiters.register() : nil }
        guard let id else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await WaiterList<Void>.wait(id, fallback: ()) { change in
                    holder.state.withLock { change(&$0.waiters) }
                }
            }
            if !holder.state.withLock({ $0.isUnreachable }) {
                group.addTask { try? await clock.sleep(for: duration) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Watches a transfer from now on, until the returned number is given to ``leave(_:)``.
    func join(_ transfer: Watched) -> Int {
        state.state.withLock { state in
            state.last += 1
            state.transfers[state.last] = transfer
            return state.last
        }
    }

    func leave(_ number: Int) { state.state.withLock { $0.transfers[number] = nil } }
}
