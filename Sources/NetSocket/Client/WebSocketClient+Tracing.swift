#if Tracing
internal import NetCore
internal import NetObserve
public import Tracing

extension WebSocketClient.Configuration {
    /// Creates a span for each opening handshake, and a child span for each attempt, with the attributes of
    /// OpenTelemetry's semantic conventions. Requires the trait `Tracing`.
    ///
    ///     var configuration = WebSocketClient.Configuration(baseURL: "wss://example.com")
    ///     configuration.addTracing()
    ///     let client = WebSocketClient(configuration: configuration)
    ///
    /// A span ends when the server has accepted the WebSocket. URLs are redacted. Call this function when
    /// ``middleware`` is complete: middleware appended later isn't part of an attempt's span.
    ///
    /// - Parameter tracer: The tracer that creates the spans. Default nil: the tracer that the program bootstrapped.
    public mutating func addTracing(_ tracer: (any Tracer)? = nil) {
        let spans = CallSpans(tracer)
        listeners.append(spans)
        middleware.append(spans)
    }
}
#endif
