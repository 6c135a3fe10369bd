internal import Synchronization

/// Groups events by call, and returns the trace of each call once, when it has ended.
///
/// Skips calls whose start wasn't reported.
package final class CallTraceAssembler: Sendable {
    private let calls = Mutex<[CallID: CallTraceBuilder]>([:])

    package init() {}

    /// The number of calls that have started and not ended.
    package var pending: Int { calls.withLock { $0.count } }

    /// Adds an event; returns the trace that it completes.
    package func add(_ event: ActivityEvent) -> CallTrace? {
        calls.withLock { calls in
            if case .started = event.kind { calls[event.call] = CallTraceBuilder(event) }
            guard let trace = calls[event.call]?.add(event) else { return nil }
            calls[event.call] = nil
            return trace
        }
    }
}
