#if Server && Tracing
internal import HTTPTypes
internal import NetCore
internal import Tracing

/// Creates the spans of a server's commands.
struct ServerSpans: Sendable {
    let chosen: (any Tracer)?

    private var tracer: any Tracer { chosen ?? InstrumentationSystem.tracer }

    /// Returns the trace context that a handshake carries; nil if it carries none.
    func context(of headers: HTTPFields) -> ServiceContext? {
        var context = ServiceContext.topLevel
        tracer.extract(headers, into: &context, using: FieldExtractor())
        return context.isEmpty ? nil : context
    }

    /// Starts the span of a command. The span is linked to the trace of its connection's handshake, but not part of
    /// it: a client doesn't decide which spans of a server are recorded, and a trace shouldn't last as long as a
    /// connection.
    func begin(_ command: SocketServerActivity.Command, _ connection: ServerConnection) -> any Span {
        let span = tracer.startSpan(command.event, context: .topLevel, ofKind: .server)
        span.attributes["rpc.system"] = "websocket"
        span.attributes["rpc.method"] = command.event
        span.attributes["url.path"] = connection.shownPath
        span.attributes["swift_net.websocket.wire"] = connection.head.wire.name
        span.attributes["swift_net.websocket.connection"] = connection.id.description
        if let topic = command.topic { span.attributes["swift_net.websocket.topic"] = topic }
        if let origin = connection.head.origin.context { span.addLink(SpanLink(context: origin, attributes: [:])) }
        return span
    }

    /// Ends a span. As for HTTP, a client's error doesn't count as an error of the server.
    static func end(_ span: any Span, _ command: SocketServerActivity.Command) {
        span.attributes["swift_net.websocket.outcome"] = command.outcome.rawValue
        if let code = command.code { span.attributes["error.type"] = code }
        if command.outcome == .failed || command.outcome == .timeout { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }
}

/// Reads a tracer's values from the header fields of a handshake.
private struct FieldExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? { HTTPField.Name(key).flatMap { carrier[$0] } }
}
#endif
