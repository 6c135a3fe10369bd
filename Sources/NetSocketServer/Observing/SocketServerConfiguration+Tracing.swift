#if Server && Tracing
internal import NetCore
public import Tracing

extension SocketServerConfiguration {
    /// Creates a span of kind `server` for each command, named after the command. The command's handler runs in it:
    /// the handler's own spans are its children. Requires the trait `Tracing`.
    ///
    ///     var configuration = SocketServerConfiguration()
    ///     configuration.addTracing()
    ///
    /// Each span starts a trace, and is linked to the trace of the connection's handshake. Its attributes are those of
    /// OpenTelemetry's conventions for RPC, and the outcome; `error.type` is the code of the failure that the client
    /// receives. A command without its own route is named `_OTHER`. Spans contain neither payloads nor error messages.
    ///
    /// - Parameter tracer: The tracer that creates the spans. Default nil: the program's global tracer.
    public mutating func addTracing(_ tracer: (any Tracer)? = nil) { spans = ServerSpans(chosen: tracer) }
}
#endif
