internal import NetCore
internal import Synchronization

/// The network changes for the downloads of one manager: a change ends their waits, and the transfers that stall
/// afterwards.
final class NetworkChanges: Sendable {
    private struct State {
        var isUnreachable = false
        /// The number of changes so far.
        var count = 0
        var waiters = WaiterList<Void>()
        var last = 0
        var transfers: [Int: Watched] = [:]
    }

    /// A transfer that a network change may have cut off.
    struct Watched: Sendable {
        /// The number of bytes received.
        let bytes: @Sendable () -> Int64
        /// Ends the transfer.
        let end: @Sendable () -> Void
    }

    /// The time within which a transfer must receive bytes after a change; otherwise, it's requested again.
    static let patience = Duration.milliseconds(500)

    private let clock: NetClock
    private let state: Holder
    private let task: Task<Void, Never>

    /// The state, in a separate object, so that the task doesn't keep the owner alive, whose release ends the task.
    private final class Holder: Sendable {
        let state = Mutex(State())

        /// Ends the transfers that receive no bytes within ``NetworkChanges/patience``: their path may no longer
        /// exist.
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
                // If the first status arrives late, it may already be that of a restored network.
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

    /// Waits for a time, or until a network change later than the change number `count`; while the network is
    /// unreachable, waits only for the change. Returns early if the task is cancelled.
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

    /// Watches a transfer from now on, until the returned number is passed to ``leave(_:)``.
    func join(_ transfer: Watched) -> Int {
        state.state.withLock { state in
            state.last += 1
            state.transfers[state.last] = transfer
            return state.last
        }
    }

    func leave(_ number: Int) { state.state.withLock { $0.transfers[number] = nil } }
}
