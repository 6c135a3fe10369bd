#if Server && Tracing
internal import NetCore
public import Tracing

extension SocketServerConfiguration {
    /// Creates a span for each command, of the kind `server` and named like the command, in which its handler runs: the
    /// handler's own spans are its children. Requires the trait `Tracing`.
    ///
    ///     var configuration = SocketServerConfiguration()
    ///     configuration.addTracing()
    ///
    /// Each span begins a trace, and is linked to the one that the connection's handshake belongs to. Its attributes are those
    /// of OpenTelemetry's conventions for RPC, and the outcome; `error.type` is the code of the failure that the client is
    /// told. A command without a route of its own is named `_OTHER`. No payload and no text of an error is in a span.
    ///
    /// - Parameter tracer: The tracer that creates the spans. Default nil: the one that the program was started with.
    public mutating func addTracing(_ tracer: (any Tracer)? = nil) { spans = ServerSpans(chosen: tracer) }
}
#endif
