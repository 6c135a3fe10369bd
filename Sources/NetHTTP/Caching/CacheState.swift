internal import Synchronization

/// What the calls through one cache know of one another.
///
/// Calls have tickets, which count up: what an invalidation came after may not be stored.
final class CacheState: Sendable {
    private struct State {
        var refreshing: Set<CacheEntry.ID> = []
        var invalidations: [CacheKey: UInt64] = [:]
        /// Up to that ticket, everything may have been invalidated.
        var forgotten: UInt64 = 0
    }

    /// So many invalidations are remembered one by one.
    static let maximumInvalidations = 1000

    private let state = Mutex(State())
    private let tickets = Atomic<UInt64>(0)

    /// The next ticket.
    func ticket() -> UInt64 { tickets.add(1, ordering: .relaxed).newValue }

    /// Whether nobody renews the entry in the background yet; whoever hears true does, and says when it is over.
    func beginRefreshing(_ entry: CacheEntry) -> Bool { state.withLock { $0.refreshing.insert(entry.id).inserted } }

    func endRefreshing(_ entry: CacheEntry) { state.withLock { _ = $0.refreshing.remove(entry.id) } }

    /// What was asked for before is out of date from now on.
    func invalidate(_ key: CacheKey) {
        let ticket = ticket()
        state.withLock { state in
            if state.invalidations.count >= Self.maximumInvalidations {
                state.forgotten = state.invalidations.values.max() ?? 0
                state.invalidations = [:]
            }
            state.invalidations[key] = ticket
        }
    }

    /// Whether the answer to the request with that ticket may be stored.
    func mayStore(_ key: CacheKey, ticket: UInt64) -> Bool {
        state.withLock { state in ticket > (state.invalidations[key] ?? 0) && ticket > state.forgotten }
    }
}
