internal import HTTPTypes
internal import NetCore

/// Reports the end of one attempt; the details of its start are collected only if there is a listener.
struct AttemptLog: Sendable {
    /// The details of the start: one reference, because the end of every body holds it.
    private final class Beginning: Sendable {
        let start: Duration
        let method: HTTPRequest.Method
        let url: String
        let trace: TraceParent?

        init(_ request: PreparedRequest, _ context: CallContext) {
            start = context.elapsed
            method = request.head.method
            trace = request.head.headerFields[.traceParent].flatMap { TraceParent($0) }
            url = (request.options.redaction ?? context.environment.redaction).redact(url: request.url)
        }
    }

    private let context: CallContext
    private let beginning: Beginning?

    init(_ request: PreparedRequest, _ context: CallContext) {
        self.context = context
        beginning = context.recorder.isHeard ? Beginning(request, context) : nil
    }

    func ended(status: Int? = nil, error: NetError? = nil, metrics: @autoclosure () -> TransferMetrics? = nil) {
        guard context.recorder.isHeard else { return }
        let metrics = metrics()
        var attempt = ActivityEvent.Attempt(number: context.attempt, status: status, error: error, metrics: metrics)
        if let beginning {
            attempt.start = beginning.start
            attempt.method = beginning.method
            attempt.url = beginning.url
            attempt.trace = beginning.trace
        }
        context.record(.attemptEnded(attempt))
    }
}
