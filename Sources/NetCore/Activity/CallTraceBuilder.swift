internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Builds the trace of one call from its events.
///
/// | event | before the end | after it |
/// |---|---|---|
/// | `started` | the request's bytes | – |
/// | `attemptEnded` | an attempt, with the retry that was reported before it | – |
/// | `retrying` | kept for the next attempt | – |
/// | `cache` | the decision | – |
/// | `responded` | the body is streamed | – |
/// | `ended` | the trace | – |
struct CallTraceBuilder {
    private var trace: CallTrace
    /// The retries by the number of the attempt that follows; two attempts may be running at the same time.
    private var retries: [Int: CallTrace.Retry] = [:]
    private var hasEnded = false

    /// Starts with any event of the call; the events before it are unknown.
    init(_ event: ActivityEvent) {
        trace = CallTrace(
            call: event.call, method: event.method, url: event.url, metadata: event.metadata,
            date: event.date.addingTimeInterval(-event.elapsed.inSeconds), duration: .zero, outcome: .cancelled)
    }

    /// Adds the next event. Returns the trace once, for the last event.
    mutating func add(_ event: ActivityEvent) -> CallTrace? {
        guard !hasEnded else { return nil }
        switch event.kind {
        case .started(let requestBytes): trace.requestBytes = requestBytes
        case .attemptEnded(let attempt): add(attempt, at: event.elapsed)
        case .retrying(let next, let delay, let reason):
            retries[next] = CallTrace.Retry(reason: reason, delay: delay)
        case .cache(let decision): trace.cacheDecisions.append(decision)
        case .responded: trace.isStreamed = true
        case .ended(let outcome):
            hasEnded = true
            trace.outcome = outcome
            trace.duration = event.elapsed
            trace.requestBytes = trace.requestBytes ?? trace.attempts.last?.metrics?.requestBytes
            trace.responseBytes = outcome.responseBytes ?? trace.attempts.last?.metrics?.responseBytes
            return trace
        }
        return nil
    }

    private mutating func add(_ attempt: ActivityEvent.Attempt, at elapsed: Duration) {
        let retry = retries.removeValue(forKey: attempt.number)
        // An attempt after a redirect response is the next hop, unless it was announced as a repetition.
        let isRedirect =
            retry == nil && trace.attempts.last?.status.map { RedirectDecision.statuses.contains($0) } ?? false
        trace.attempts.append(
            CallTrace.Attempt(
                number: attempt.number, method: attempt.method ?? trace.method, url: attempt.url ?? trace.url,
                start: attempt.start, end: elapsed, status: attempt.status, error: attempt.error,
                metrics: attempt.metrics, trace: attempt.trace, retry: retry, followsRedirect: isRedirect))
    }
}
