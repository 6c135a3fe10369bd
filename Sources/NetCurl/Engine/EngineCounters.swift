#if os(Linux)
internal import Synchronization

/// The counters of an engine, safe to use on any thread.
package final class EngineCounters: Sendable {
    let started = Atomic<Int>(0)
    let finished = Atomic<Int>(0)
    let handles = Atomic<Int>(0)
    let connections = Atomic<Int>(0)
    let queued = Atomic<Int>(0)
    let openStreams = Atomic<Int>(0)

    init() {}

    /// The number of transfers that have started and not finished.
    var liveTransfers: Int { started.load(ordering: .relaxed) - finished.load(ordering: .relaxed) }
}

/// A snapshot of an engine's counters.
package struct EngineStatistics: Sendable, Equatable {
    /// Transfers that have started and not finished, including queued ones.
    package var liveTransfers: Int
    /// Transfers that are queued.
    package var queuedTransfers: Int
    /// libcurl handles: one for each running transfer, and those kept for reuse.
    package var handles: Int
    /// Connections opened so far.
    package var openedConnections: Int
    /// Transfers started so far.
    package var startedTransfers: Int
    /// Byte streams that are connecting or open.
    package var openStreams: Int
}
#endif
