internal import NetCore

/// A transport wrapped in middleware, outermost first; redirects are followed outside of all middleware.
package struct MiddlewareChain: Sendable {
    /// A source of the call's identity.
    private struct Source: Sendable {
        let source: any IdentitySource
        /// True if it never waits past the end of the call.
        let endsWithCall: Bool

        func identity(for request: PreparedRequest, _ context: CallContext) async throws -> CallIdentity {
            if endsWithCall { return try await source.identity(for: request, context: context) }
            return try await context.unlessEnded(.middleware) {
                try await source.identity(for: request, context: context)
            }
        }
    }

    private let next: Next
    private let redirects: RedirectFollower
    /// The sources of the call's identity; nil if no middleware uses it.
    private let identities: [Source]?
    /// True if no part of the chain waits past the end of the call.
    package let endsWithCall: Bool

    package init(_ middleware: [any Middleware], redirects: RedirectPolicy, transport: any HTTPTransport) {
        let transportEndsWithCall = Self.endsWithCall(transport)
        identities =
            middleware.contains { $0.usesIdentity }
            ? middleware.compactMap { element in
                element.identitySource.map { Source(source: $0, endsWithCall: Self.endsWithCall(element)) }
            } : nil
        // Parts outside of this one, such as a cache, run in the caller's task.
        let outermost =
            middleware.firstIndex { !Self.endsWithCall($0) } ?? (transportEndsWithCall ? nil : middleware.count)
        endsWithCall = outermost == nil
        var next = Next { (request, context) async throws(NetError) -> StreamedResponse in
            try await Self.attempt(request, context, transport, endsWithCall: transportEndsWithCall)
        }
        if outermost == middleware.count { next = Self.lasting(next) }
        for (index, element) in middleware.enumerated().reversed() {
            next = Next(element, before: next)
            if index == outermost { next = Self.lasting(next) }
        }
        self.next = next
        self.redirects = RedirectFollower(
            policy: redirects, hosts: middleware.lazy.compactMap { ($0 as? HSTSMiddleware)?.store }.first)
    }

    /// Runs a foreign part of the chain in its own task, at most until the call ends: by its total timeout, its client or its
    /// caller's task. The part's task is then cancelled, and abandoned if it ignores the cancellation.
    private static func lasting(_ next: Next) -> Next {
        Next { (request, context) async throws(NetError) -> StreamedResponse in
            // Watched until the end of the body.
            _ = context.recorder.watchDeadline()
            let result: Result<StreamedResponse, NetError>? = await context.unlessEnded {
                do throws(NetError) {
                    return .success(try await next(request, context))
                } catch {
                    return .failure(error)
                }
            }
            // The end of the call is the cause; the failure of a part that it cancelled is only a consequence.
            guard let result else { throw context.abandoned(.middleware) }
            return try result.mapError { context.explained($0) }.get()
        }
    }

    private static func endsWithCall(_ part: any Sendable) -> Bool { (part as? any CallEnding)?.endsWithCall ?? false }

    package func run(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> StreamedResponse {
        let response: StreamedResponse
        if let identities {
            let context = await context.identified(as: Self.identity(of: request, context, identities))
            response = try await next(request, context)
        } else {
            response = try await next(request, context)
        }
        // Redirects aren't a middleware, so that other responses cost only one comparison.
        guard response.head.status.kind == .redirection else { return response }
        guard let identities else { return try await redirects.follow(response, to: request, context, next) }
        // Each hop has its own identity: credentials aren't sent to every origin.
        let hop = Next { [next] (request, context) async throws(NetError) -> StreamedResponse in
            try await next(request, context.identified(as: Self.identity(of: request, context, identities)))
        }
        return try await redirects.follow(response, to: request, context, hop)
    }

    /// Returns the combined identity of the sources.
    ///
    /// If a source fails, the identity is unique; the credential's own middleware meets the same error at its place in the
    /// chain.
    private static func identity(
        of request: PreparedRequest, _ context: CallContext, _ sources: [Source]
    ) async -> CallIdentity {
        // The request has a named identity, or is for public data.
        guard request.options.identity == nil else { return .everyone }
        var identity = CallIdentity.everyone
        for source in sources {
            do {
                identity = identity.union(try await source.identity(for: request, context))
            } catch {
                return .unique()
            }
        }
        return identity
    }

    /// Makes one attempt on the transport, and records an event when it ends.
    private static func attempt(
        _ request: PreparedRequest, _ context: CallContext, _ transport: any HTTPTransport, endsWithCall: Bool
    ) async throws(NetError) -> StreamedResponse {
        let isAccounted = context.accounts(for: request)
        let hooks = context.hooks
        let request = hooks.isEmpty ? request : try await request.amended(by: hooks, context)
        let log = AttemptLog(request, context)
        do {
            try context.checkLife(.queued)
            var response = try await transport.execute(request, context: context)
            if !isAccounted { response.isOfOtherIdentity = true }
            // Cancelling the task ends a transport that isn't aware of the client, but its body may be read in another task.
            if !endsWithCall, response.body.whole == nil {
                context.recorder.onEnd { [body = response.body] in body.cancel() }
            }
            for hook in hooks { hook.didReceive(response.head, to: request, context) }
            let status = response.head.status.code
            let body = response.body
            response.body = body.onEnd(
                filling: { $0.belonging(to: context.summary, elapsed: context.elapsed) },
                { [body] end in
                    if case .failed(let error, _) = end {
                        log.ended(status: status, error: error, metrics: body.metrics)
                    } else {
                        log.ended(status: status, metrics: body.metrics)
                    }
                })
            return response
        } catch {
            let error = error.belonging(to: context.summary, elapsed: context.elapsed)
            log.ended(error: error)
            throw error
        }
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
