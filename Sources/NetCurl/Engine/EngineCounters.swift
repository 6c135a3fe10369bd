#if os(Linux)
internal import Synchronization

/// What an engine holds and has done; written by the loop, read by anyone.
package final class EngineCounters: Sendable {
    let started = Atomic<Int>(0)
    let finished = Atomic<Int>(0)
    let handles = Atomic<Int>(0)
    let connections = Atomic<Int>(0)
    let queued = Atomic<Int>(0)
    let openStreams = Atomic<Int>(0)

    init() {}

    /// Transfers that have begun and not ended.
    var liveTransfers: Int { started.load(ordering: .relaxed) - finished.load(ordering: .relaxed) }
}

/// A reading of an engine's counters.
package struct EngineStatistics: Sendable, Equatable {
    /// Transfers that have begun and not ended, the waiting ones among them.
    package var liveTransfers: Int
    /// Transfers that wait for a place.
    package var queuedTransfers: Int
    /// libcurl handles: one for each live transfer, and those kept for the next.
    package var handles: Int
    /// Connections opened so far.
    package var openedConnections: Int
    /// Transfers begun so far.
    package var startedTransfers: Int
    /// Byte streams that are connecting or open.
    package var openStreams: Int
}
#endif
