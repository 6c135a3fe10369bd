#if Tracing
internal import NetCore
internal import NetObserve
public import Tracing

extension HTTPClient.Configuration {
    /// Creates a span for each call, and a child span for each attempt, with the attributes of OpenTelemetry's semantic
    /// conventions; requires the trait `Tracing`.
    ///
    ///     var configuration = HTTPClient.Configuration(baseURL: "https://api.example.com", middleware: [RetryMiddleware()])
    ///     configuration.addTracing()
    ///     let client = HTTPClient(configuration: configuration)
    ///
    /// A call's span is a child of the calling task's, and has the kind `internal`; an attempt's has the kind `client`, and its
    /// context is injected into the request's headers. Both end at the end of the body. URLs are redacted.
    ///
    /// Call it when ``middleware`` is complete: middleware appended later isn't part of an attempt's span.
    ///
    /// - Parameter tracer: The tracer that creates the spans. Default nil: the one that the program was started with.
    public mutating func addTracing(_ tracer: (any Tracer)? = nil) {
        let spans = CallSpans(tracer)
        listeners.append(spans)
        middleware.append(spans)
    }
}
#endif
