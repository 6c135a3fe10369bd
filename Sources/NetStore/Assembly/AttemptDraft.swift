internal import NetCore

/// An attempt of a call that is still being assembled.
final class AttemptDraft: Sendable {
    let number: Int
    let status: Int?
    let failure: PendingEvent.Failure?
    let metrics: TransferMetrics?
    /// The method and URL sent; nil if they were the call's own.
    let method, url: String?
    /// Times since the start of the call, in microseconds.
    let start: Int64?
    let end: Int64
    let trace: TraceParent?

    init(_ attempt: ActivityEvent.Attempt, of event: ActivityEvent) {
        number = attempt.number
        status = attempt.status ?? attempt.error?.status
        failure = attempt.error.map(PendingEvent.Failure.init)
        metrics = attempt.metrics
        method = attempt.method.flatMap { $0 == event.method ? nil : $0.rawValue }
        url = attempt.url.flatMap { $0 == event.url ? nil : $0 }
        start = attempt.start.map { StoredTime.microseconds(of: $0) }
        end = StoredTime.microseconds(of: event.elapsed)
        trace = attempt.trace
    }
}
