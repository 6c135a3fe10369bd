internal import HTTPTypes

/// One attempt of a call. It is counted, made on the transport, and reported when it has ended, including its body.
struct CallAttempt: Sendable {
    /// The details of the start. A single reference, because the end of every body holds it.
    private final class Beginning: Sendable {
        let start: Duration
        let method: HTTPRequest.Method
        let url: String
        let trace: TraceParent?

        init(_ request: PreparedRequest, _ context: CallContext) {
            start = context.elapsed
            method = request.head.method
            trace = request.head.headerFields[.traceParent].flatMap { TraceParent($0) }
            url = context.redaction(of: request).redact(url: request.url)
        }
    }

    /// A transport, with properties that are determined once.
    struct Transport: Sendable {
        let transport: any HTTPTransport
        let endsWithCall: Bool
        let connections: (any IdentitySource)?

        init(_ transport: any HTTPTransport) {
            self.transport = transport
            endsWithCall = transport.endsWithCall
            connections = transport.connectionIdentity
        }
    }

    private let context: CallContext
    /// The details of the start; collected only if there is a listener.
    private let beginning: Beginning?

    private init(_ request: PreparedRequest, _ context: CallContext) {
        self.context = context
        beginning = context.call.isHeard ? Beginning(request, context) : nil
    }

    /// Makes one attempt on the transport.
    static func make(
        _ request: PreparedRequest, _ context: CallContext, on transport: Transport
    ) async throws(NetError) -> StreamedResponse {
        var difference = context.difference(of: request)
        if difference == nil, let connections = transport.connections, context.tracksIdentity,
            request.options.identity == nil
        {
            // A middleware may have changed the URL to that of a server that knows the user from the connection.
            let identity = (try? await connections.identity(for: request, context: context)) ?? .unique()
            if !context.includes(identity) { difference = .url }
        }
        let hooks = context.hooks
        let request = hooks.isEmpty ? request : try await request.amended(by: hooks, context)
        // After the credentials were renewed: they belong to the login that is checked now.
        try await context.checkLogin(sending: request)
        try context.checkLife(.queued)
        var context = context
        context.beginAttempt()
        let attempt = CallAttempt(request, context)
        let tape = context.environment.capture?.makeTape(request, context, attempt: context.attempt)
        if !context.environment.socketListeners.isEmpty, request.options.webSocket != nil {
            context.handshake = request
        }
        do {
            var response = try await transport.transport.execute(tape?.taped(request) ?? request, context: context)
            if let tape { response = tape.taped(response) }
            response.difference = difference ?? hooks.lazy.compactMap(\.difference).first ?? response.difference
            // Cancelling its task is enough to end a transport that doesn't end with the call. The body may be read in
            // another task, so it is cancelled separately.
            if !transport.endsWithCall, response.body.whole == nil {
                context.call.onEnd { [body = response.body] in body.cancel() }
            }
            for hook in hooks { hook.didReceive(response.head, to: request, context) }
            response.body = attempt.ending(response)
            return response
        } catch {
            let error = error.belonging(to: context.summary, elapsed: context.elapsed)
            tape?.failed(error)
            attempt.ended(error: error)
            throw error
        }
    }

    /// Returns the body of a response, wrapped so that its end reports the end of the attempt.
    private func ending(_ response: StreamedResponse) -> ResponseBody {
        let (status, body) = (response.status.code, response.body)
        return body.onEnd(
            filling: { [context] in $0.belonging(to: context.summary, elapsed: context.elapsed) },
            { [self, body] end in
                if case .failed(let error, _) = end {
                    ended(status: status, error: error, metrics: body.metrics)
                } else {
                    ended(status: status, metrics: body.metrics)
                }
            })
    }

    private func ended(
        status: Int? = nil, error: NetError? = nil, metrics: @autoclosure () -> TransferMetrics? = nil
    ) {
        guard context.call.isHeard else { return }
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

extension PreparedRequest {
    fileprivate func amended(
        by hooks: [any AttemptHook], _ context: CallContext
    ) async throws(NetError) -> PreparedRequest {
        var request = self
        do throws(NetError) {
            for hook in hooks { try await hook.willSend(&request, context) }
        } catch {
            throw error.belonging(to: context.summary, elapsed: context.elapsed)
        }
        return request
    }
}

extension Next {
    /// Creates the end of a chain, where each attempt is made.
    package init(_ transport: any HTTPTransport) {
        let transport = CallAttempt.Transport(transport)
        self.init { (request, context) async throws(NetError) -> StreamedResponse in
            try await CallAttempt.make(request, context, on: transport)
        }
    }
}
