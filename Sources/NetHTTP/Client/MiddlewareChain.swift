internal import NetCore

/// Middleware folded over a transport, outermost first; around it, what follows redirects.
struct MiddlewareChain: Sendable {
    private let next: Next
    private let redirects: RedirectFollower

    init(_ middleware: [any Middleware], redirects: RedirectPolicy, transport: any HTTPTransport) {
        let endsCalls = transport is any CallEndingTransport
        var next = Next { (request, context) async throws(NetError) -> StreamedResponse in
            try await Self.attempt(request, context, transport, endsCalls: endsCalls)
        }
        for element in middleware.reversed() {
            next = Next(element, before: next)
        }
        self.next = next
        self.redirects = RedirectFollower(
            policy: redirects, hosts: middleware.lazy.compactMap { ($0 as? HSTSMiddleware)?.store }.first)
    }

    func run(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> StreamedResponse {
        let response = try await next(request, context)
        // No middleware of its own: a response that is no redirect pays for one comparison.
        guard response.head.status.kind == .redirection else { return response }
        return try await redirects.follow(response, to: request, context, next)
    }

    /// One attempt on the transport, with its event when it is over.
    private static func attempt(
        _ request: PreparedRequest, _ context: CallContext, _ transport: any HTTPTransport, endsCalls: Bool
    ) async throws(NetError) -> StreamedResponse {
        let hooks = context.hooks
        let request = hooks.isEmpty ? request : request.amended(by: hooks, context)
        let log = AttemptLog(request, context)
        do {
            try context.checkLife(.queued)
            var response =
                endsCalls
                ? try await transport.execute(request, context: context)
                : try await watched(request, context, transport)
            for hook in hooks { hook.didReceive(response.head, to: request, context) }
            let status = response.head.status.code
            let body = response.body
            response.body = body.onEnd(
                filling: { $0.filling(call: context.summary, elapsed: context.elapsed) },
                { [body] end in
                    if case .failed(let error, _) = end {
                        log.ended(status: status, error: error, metrics: body.metrics)
                    } else {
                        log.ended(status: status, metrics: body.metrics)
                    }
                })
            return response
        } catch {
            let error = error.filling(call: context.summary, elapsed: context.elapsed)
            log.ended(error: error)
            throw error
        }
    }

    /// Runs a transport that knows nothing of the client in a task that the client can end.
    private static func watched(
        _ request: PreparedRequest, _ context: CallContext, _ transport: any HTTPTransport
    ) async throws(NetError) -> StreamedResponse {
        let result: Result<StreamedResponse, NetError> = await context.unlessEnded {
            do throws(NetError) {
                return .success(try await transport.execute(request, context: context))
            } catch {
                return .failure(error)
            }
        }
        let response: StreamedResponse
        do {
            response = try result.get()
        } catch {
            throw context.explained(error)
        }
        if response.body.whole == nil { context.recorder.onEnd { response.body.cancel() } }
        return response
    }
}

extension PreparedRequest {
    fileprivate func amended(by hooks: [any AttemptHook], _ context: CallContext) -> PreparedRequest {
        var request = self
        for hook in hooks { hook.willSend(&request, context) }
        return request
    }
}
