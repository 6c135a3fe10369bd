internal import Synchronization

/// Sorts events by call, and hands out the trace of each call once, when it has ended.
///
/// A call whose beginning was not heard is passed over.
package final class CallTraceAssembler: Sendable {
    private let calls = Mutex<[CallID: CallTraceBuilder]>([:])

    package init() {}

    /// Calls that have begun and not ended.
    package var pending: Int { calls.withLock { $0.count } }

    /// Takes an event; returns the trace that it completes.
    package func add(_ event: ActivityEvent) -> CallTrace? {
        calls.withLock { calls in
            if case .started = event.kind { calls[event.call] = CallTraceBuilder(event) }
            guard let trace = calls[event.call]?.add(event) else { return nil }
            calls[event.call] = nil
            return trace
        }
    }
}
