internal import HTTPTypes
public import NetCore

/// Sends `traceparent`, `tracestate` and `baggage` (W3C Trace Context and Baggage), so that servers can tell which request
/// theirs came from.
///
/// The trace is that of ``NetCore/TraceContext/current``; without one each call begins a trace, whose id is the call's. Every
/// attempt that passes has a parent id of its own: put it behind ``RetryMiddleware``. A request that brings a `traceparent`
/// keeps it. ``NetCore/ActivityEvent/Attempt/trace`` says what was sent.
///
///     let client = HTTPClient(
///         configuration: .init(
///             baseURL: "https://api.example.com", middleware: [RetryMiddleware(), TracePropagationMiddleware()]))
public struct TracePropagationMiddleware: Middleware, CallEnding {
    /// Whether the fields that a request brings give way. Default false.
    public var replacesExistingFields: Bool
    /// Whether baggage is sent too. Default true.
    public var sendsBaggage: Bool
    /// The only origins that get these fields, as `https://host`; nil for all. Default nil.
    public var origins: Set<String>?

    /// The defaults.
    public init(replacesExistingFields: Bool = false, sendsBaggage: Bool = true, origins: Set<String>? = nil) {
        self.replacesExistingFields = replacesExistingFields
        self.sendsBaggage = sendsBaggage
        self.origins = origins
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        if let origins, !origins.contains(request.origin) { return try await next(request, context) }
        guard replacesExistingFields || request.head.headerFields[.traceParent] == nil else {
            return try await next(request, context)
        }
        let random = context.environment.random
        let current = TraceContext.current
        let parent = current?.parent.child(random: random) ?? TraceParent(context.id, random: random)
        let state = current?.state.fieldValue ?? ""
        var request = request
        request.head.headerFields[.traceParent] = parent.description
        // A state belongs to its trace.
        request.head.headerFields[.traceState] = state.isEmpty ? nil : state
        if sendsBaggage, replacesExistingFields || request.head.headerFields[.baggage] == nil {
            let baggage = current?.baggage.description ?? ""
            request.head.headerFields[.baggage] = baggage.isEmpty ? nil : baggage
        }
        return try await next(request, context)
    }
}
