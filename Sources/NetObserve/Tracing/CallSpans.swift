#if Tracing
internal import HTTPTypes
internal import NetCore
internal import Synchronization
package import Tracing

/// Creates the spans of calls from their events, and the spans of attempts as a middleware.
package final class CallSpans: ActivityListener, Middleware {
    private struct Running: Sendable {
        let span: any Span
        /// The number of requests sent for the call so far.
        var sent = 0
    }

    private let chosen: (any Tracer)?
    private let running = Mutex<[CallID: Running]>([:])
    private let sockets = Mutex<[CallID: any Span]>([:])

    package init(_ tracer: (any Tracer)?) {
        chosen = tracer
    }

    package let name = "tracing"

    private var tracer: any Tracer { chosen ?? InstrumentationSystem.tracer }

    package func record(_ event: ActivityEvent) {
        switch event.kind {
        // The call starts in the caller's task, whose span is the parent.
        case .started: begin(event)
        case .ended(let outcome): end(event.call, outcome)
        case .attemptEnded, .retrying, .cache, .responded: break
        }
    }

    private func begin(_ event: ActivityEvent) {
        let name = SpanText.name(event.method, event.metadata)
        let span = tracer.startSpan(name, ofKind: .internal)
        span.attributes.merge(SpanText.attributes(event.method, redactedURL: event.url))
        running.withLock { $0[event.call] = Running(span: span) }
    }

    private func end(_ call: CallID, _ outcome: ActivityEvent.Outcome) {
        guard let span = running.withLock({ $0.removeValue(forKey: call)?.span }) else { return }
        if let status = outcome.status { span.attributes["http.response.status_code"] = status }
        switch outcome {
        case .completed: break
        case .rejected(let status, _): span.fail(String(status))
        case .failed(let error):
            span.fail(SemanticConventions.errorType(status: error.status, error: error) ?? error.code.rawValue, error)
        case .cancelled: span.fail(NetError.Code.cancelled.rawValue)
        }
        span.end()
    }

    package var interest: ActivityInterest { [.calls, .sockets] }

    /// Records a WebSocket as a separate span, a child of the span of the call that opened it.
    package func record(_ event: SocketEvent) {
        switch event.kind {
        case .opened(let opening): begin(event, opening)
        case .closed(let ending): end(event.socket, ending)
        case .frame, .roundTrip: break
        }
    }

    private func begin(_ event: SocketEvent, _ opening: SocketEvent.Opening) {
        let call = running.withLock { $0[event.socket]?.span }
        let span = tracer.startSpan(
            event.metadata.operationName.map { "WebSocket \($0)" } ?? "WebSocket",
            context: call?.context ?? .topLevel, ofKind: .client)
        span.attributes.merge(SpanText.attributes(.get, redactedURL: event.url))
        span.attributes["http.request.method"] = nil
        if let address = opening.address {
            span.attributes["network.peer.address"] = ServerAddress(url: "tcp://\(address)").host
        }
        if let subprotocol = opening.subprotocol { span.attributes["swift_net.websocket.subprotocol"] = subprotocol }
        sockets.withLock { $0[event.socket] = span }
    }

    private func end(_ socket: CallID, _ ending: SocketEvent.Ending) {
        guard let span = sockets.withLock({ $0.removeValue(forKey: socket) }) else { return }
        span.attributes["swift_net.websocket.close_code"] = Int(ending.code.rawValue)
        span.attributes["swift_net.websocket.messages.sent"] = ending.sent.messages
        span.attributes["swift_net.websocket.messages.received"] = ending.received.messages
        if ending.error.code != .webSocketClosed { span.fail(ending.error.code.rawValue, ending.error) }
        span.end()
    }

    package var endsWithCall: Bool { true }

    package func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let span = beginAttempt(request, context)
        var request = request
        tracer.inject(span.context, into: &request.head.headerFields, using: FieldInjector())
        do {
            var response = try await next(request, context)
            let body = response.body
            let status = response.status.code
            span.attributes["http.response.status_code"] = status
            response.body = body.onEnd { end in
                Self.endAttempt(span, status, end, body.metrics)
            }
            return response
        } catch {
            span.fail(error.code.rawValue, error)
            span.end()
            throw error
        }
    }

    private func beginAttempt(_ request: PreparedRequest, _ context: CallContext) -> any Span {
        let call = running.withLock { running -> Running? in
            defer { running[context.id]?.sent += 1 }
            return running[context.id]
        }
        let method = request.head.method
        let span = tracer.startSpan(
            SpanText.name(method, request.options.metadata),
            context: call?.span.context ?? ServiceContext.current ?? .topLevel, ofKind: .client)
        let redaction = context.redaction(of: request)
        span.attributes.merge(SpanText.attributes(method, redactedURL: redaction.redact(url: request.url)))
        let resends = call?.sent ?? context.attempt - 1
        if resends > 0 { span.attributes["http.request.resend_count"] = resends }
        return span
    }

    private static func endAttempt(_ span: any Span, _ status: Int, _ end: BodyEnd, _ metrics: TransferMetrics?) {
        if let metrics {
            if !metrics.version.isEmpty { span.attributes["network.protocol.version"] = metrics.version }
            if let remote = metrics.remoteAddress {
                span.attributes["network.peer.address"] = ServerAddress(url: "tcp://\(remote)").host
            }
            span.attributes["http.request.body.size"] = metrics.requestBytes
            span.attributes["http.response.body.size"] = metrics.responseBytes
        }
        switch end {
        case .finished: if status >= 400 { span.fail(String(status)) }
        case .failed(let error, _): span.fail(error.code.rawValue, error)
        case .cancelled: span.fail(NetError.Code.cancelled.rawValue)
        }
        span.end()
    }
}

/// The names and attributes of a request's spans.
private enum SpanText {
    /// Returns a name of low cardinality: the method, and the operation's name if the request has one.
    static func name(_ method: HTTPRequest.Method, _ metadata: RequestMetadata) -> String {
        let known = SemanticConventions.method(method)
        let verb = known == "_OTHER" ? "HTTP" : known
        return metadata.operationName.map { "\(verb) \($0)" } ?? verb
    }

    static func attributes(_ method: HTTPRequest.Method, redactedURL url: String) -> SpanAttributes {
        let address = ServerAddress(url: url)
        var attributes: SpanAttributes = [:]
        attributes["http.request.method"] = SemanticConventions.method(method)
        attributes["url.full"] = url
        attributes["server.address"] = address.host
        if let port = Int(address.port) { attributes["server.port"] = port }
        return attributes
    }
}

/// Adds a tracer's values to the headers of a request; invalid header names are skipped.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        if let name = HTTPField.Name(key) { carrier[name] = value }
    }
}

extension Span {
    /// Marks the span as failed with an error of the given class.
    fileprivate func fail(_ type: String, _ error: NetError? = nil) {
        attributes["error.type"] = type
        setStatus(SpanStatus(code: .error, message: error?.message))
    }
}
#endif
