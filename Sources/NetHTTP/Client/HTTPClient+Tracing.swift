#if Tracing
internal import NetCore
internal import NetObserve
public import Tracing

extension HTTPClient.Configuration {
    /// Makes a span for each call, and one under it for each attempt, with the attributes of OpenTelemetry's semantic
    /// conventions; under the trait `Tracing`.
    ///
    ///     var configuration = HTTPClient.Configuration(baseURL: "https://api.example.com", middleware: [RetryMiddleware()])
    ///     configuration.addTracing()
    ///     let client = HTTPClient(configuration: configuration)
    ///
    /// A call's span belongs to the one of the task that sends, and has the kind `internal`; an attempt's has the kind
    /// `client`, and its context is injected into the request's fields. Both end at the end of the body. URLs are redacted.
    ///
    /// Call it when ``middleware`` is complete: what is added behind it is no part of an attempt's span.
    ///
    /// - Parameter tracer: Who makes the spans. Default nil: the one that the program was started with.
    public mutating func addTracing(_ tracer: (any Tracer)? = nil) {
        let spans = CallSpans(tracer)
        listeners.append(spans)
        middleware.append(spans)
    }
}
#endif
