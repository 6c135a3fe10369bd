internal import NetCore

/// Middleware folded over a transport, outermost first.
struct MiddlewareChain: Sendable {
    private let next: Next

    init(_ middleware: [any Middleware], transport: any HTTPTransport) {
        var next = Next { (request, context) async throws(NetError) -> StreamedResponse in
            try await Self.attempt(request, context, transport)
        }
        for element in middleware.reversed() {
            let inner = next
            next = Next { (request, context) async throws(NetError) -> StreamedResponse in
                try await Self.run(element, request, context, inner)
            }
        }
        self.next = next
    }

    func run(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> StreamedResponse {
        try await next(request, context)
    }

    /// Runs one middleware; an error that is not ours carries its name from here on.
    private static func run(
        _ middleware: any Middleware, _ request: PreparedRequest, _ context: CallContext, _ next: Next
    ) async throws(NetError) -> StreamedResponse {
        do {
            return try await middleware.intercept(request, context: context, next: next)
        } catch let error as NetError {
            throw error.filling(call: context.summary, elapsed: context.elapsed)
        } catch is CancellationError {
            throw context.error(.cancelled, phase: .middleware, message: "the call was cancelled in \(middleware.name)")
        } catch {
            throw context.error(
                .middleware, phase: .middleware, message: "\(middleware.name) failed: \(error)", underlying: error)
        }
    }

    /// One attempt on the transport, with its event when it is over.
    private static func attempt(
        _ request: PreparedRequest, _ context: CallContext, _ transport: any HTTPTransport
    ) async throws(NetError) -> StreamedResponse {
        do {
            var response = try await transport.execute(request, context: context)
            let status = response.head.status.code
            let body = response.body
            response.body = body.onEnd(
                filling: { $0.filling(call: context.summary, elapsed: context.elapsed) },
                { [body] end in
                    var attempt = ActivityEvent.Attempt(number: context.attempt, status: status, metrics: body.metrics)
                    if case .failed(let error, _) = end { attempt.error = error }
                    context.record(.attemptEnded(attempt))
                })
            return response
        } catch {
            let error = error.filling(call: context.summary, elapsed: context.elapsed)
            context.record(.attemptEnded(.init(number: context.attempt, error: error)))
            throw error
        }
    }
}
