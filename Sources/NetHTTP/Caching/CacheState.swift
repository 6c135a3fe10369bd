internal import Synchronization

/// State that the calls through one cache share.
///
/// Each call has a ticket from a counter. A response isn't stored if its key was invalidated after its ticket was
/// issued.
final class CacheState: Sendable {
    private struct State {
        var refreshing: Set<CacheEntry.ID> = []
        var invalidations: [CacheKey: UInt64] = [:]
        /// Any key may have been invalidated up to this ticket.
        var forgotten: UInt64 = 0
        /// The hashes of the keys that responses were stored under, with their identity and without it.
        var stored: Set<Int> = []
    }

    /// The number of hashes of stored keys; beyond it, all are forgotten, and a miss no longer says that the response of
    /// another identity is stored.
    static let maximumStored = 4000

    /// The number of invalidations that are remembered individually.
    static let maximumInvalidations = 1000

    private let state = Mutex(State())
    private let tickets = Atomic<UInt64>(0)

    /// Returns the next ticket.
    func ticket() -> UInt64 { tickets.add(1, ordering: .relaxed).newValue }

    /// True if no task is refreshing the entry yet. The caller then refreshes it, and calls `endRefreshing(_:)` when
    /// it's done.
    func beginRefreshing(_ entry: CacheEntry) -> Bool { state.withLock { $0.refreshing.insert(entry.id).inserted } }

    func endRefreshing(_ entry: CacheEntry) { state.withLock { _ = $0.refreshing.remove(entry.id) } }

    /// Invalidates the responses to all requests that were sent before.
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

    /// Remembers that a response is stored under a key.
    func stored(_ key: CacheKey) {
        let hashes = (key.hashValue, key.forEveryone.hashValue)
        state.withLock { state in
            if state.stored.count >= Self.maximumStored { state.stored = [] }
            state.stored.insert(hashes.0)
            state.stored.insert(hashes.1)
        }
    }

    /// True if responses of other identities were stored for a key's URL, and none of the key's own identity.
    func isOfOtherIdentity(_ key: CacheKey) -> Bool {
        let hashes = (key.hashValue, key.forEveryone.hashValue)
        return state.withLock { $0.stored.contains(hashes.1) && !$0.stored.contains(hashes.0) }
    }

    /// True if the response to the request with this ticket may be stored.
    func mayStore(_ key: CacheKey, ticket: UInt64) -> Bool {
        state.withLock { state in ticket > (state.invalidations[key] ?? 0) && ticket > state.forgotten }
    }
}
