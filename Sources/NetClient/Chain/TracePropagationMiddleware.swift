internal import HTTPTypes
public import NetCore

/// Sends `traceparent`, `tracestate` and `baggage` (W3C Trace Context and Baggage), so that servers can relate their
/// requests to this one.
///
/// The trace is that of the request's ``NetCore/RequestMetadata/traceContext``, or otherwise of
/// ``NetCore/TraceContext/current``. Without either, each call starts a trace, whose ID is the call's. Each attempt
/// that passes through gets its own parent ID, so list this middleware after `RetryMiddleware`. A request with its own
/// `traceparent` keeps it. ``NetCore/ActivityEvent/Attempt/trace`` contains the value that was sent.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [RetryMiddleware(), TracePropagationMiddleware()]
///     }
public struct TracePropagationMiddleware: Middleware {
    /// True to replace the request's own trace headers. Default false.
    public var replacesExistingHeaders: Bool
    /// True to also send baggage. Default true.
    public var sendsBaggage: Bool
    /// The only origins that receive these headers, as `https://host`; nil for all. Default nil.
    public var origins: Set<String>?

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - replacesExistingHeaders: True to replace the request's own trace headers. Default false.
    ///   - sendsBaggage: True to also send baggage. Default true.
    ///   - origins: The only origins that receive these headers, as `https://host`; nil for all. Default nil.
    public init(replacesExistingHeaders: Bool = false, sendsBaggage: Bool = true, origins: Set<String>? = nil) {
        self.replacesExistingHeaders = replacesExistingHeaders
        self.sendsBaggage = sendsBaggage
        self.origins = origins
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        if let origins, !origins.contains(request.origin) { return try await next(request, context) }
        guard replacesExistingHeaders || request.head.headerFields[.traceParent] == nil else {
            return try await next(request, context)
        }
        let random = context.environment.random
        let current = request.options.metadata.traceContext ?? TraceContext.current
        let parent = current?.parent.child(random: random) ?? TraceParent(context.id, random: random)
        let state = current?.state.fieldValue ?? ""
        var request = request
        request.head.headerFields[.traceParent] = parent.description
        // Always replaced, since a state belongs to its trace.
        request.head.headerFields[.traceState] = state.isEmpty ? nil : state
        if sendsBaggage, replacesExistingHeaders || request.head.headerFields[.baggage] == nil {
            let baggage = current?.baggage.description ?? ""
            request.head.headerFields[.baggage] = baggage.isEmpty ? nil : baggage
        }
        return try await next(request, context)
    }
}
