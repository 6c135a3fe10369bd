internal import NetCore

/// A transport wrapped in middleware, outermost first; redirects are followed outside of all middleware.
package struct MiddlewareChain: Sendable {
    private let next: Next
    private let redirects: RedirectFollower
    /// The middleware that knows whose credentials it adds.
    private let logins: [CallLogin.Source]
    /// The sources of the call's identity, including the transport; nil if no middleware uses it.
    private let identities: [CallLogin.Source]?
    /// True if no part of the chain waits past the end of the call.
    package let endsWithCall: Bool

    package init(
        _ middleware: [any Middleware], redirects: RedirectPolicy,
        onRedirect: (@Sendable (ProposedRedirect) -> RedirectChoice)? = nil, transport: any HTTPTransport
    ) {
        logins = middleware.compactMap { element in
            element.identitySource.map { CallLogin.Source($0, endsWithCall: element.endsWithCall) }
        }
        let connections = transport.connectionIdentity.map {
            CallLogin.Source($0, endsWithCall: transport.endsWithCall)
        }
        identities = middleware.contains { $0.usesIdentity } ? logins + [connections].compactMap { $0 } : nil
        // The outermost part that may wait past the end of the call; nil if there is none. Parts outside it, such as a
        // cache, run in the caller's task.
        let outermost =
            middleware.firstIndex { !$0.endsWithCall } ?? (transport.endsWithCall ? nil : middleware.count)
        endsWithCall = outermost == nil
        var next = Next(transport)
        if outermost == middleware.count { next = Self.lasting(next) }
        for (index, element) in middleware.enumerated().reversed() {
            next = Next(element, before: next)
            if index == outermost { next = Self.lasting(next) }
        }
        self.next = next
        self.redirects = RedirectFollower(policy: redirects, onRedirect: onRedirect)
    }

    /// Runs a part that may wait past the end of the call, and everything inside it, in a separate task.
    ///
    /// If the call is ended first, by its total timeout, by its client or because the caller's task is cancelled, the
    /// separate task is cancelled, and abandoned if it ignores the cancellation.
    private static func lasting(_ next: Next) -> Next {
        Next { (request, context) async throws(NetError) -> StreamedResponse in
            // Watched until the end of the body.
            _ = context.call.watchDeadline()
            let result: Result<StreamedResponse, NetError>? = await context.unlessEnded {
                do throws(NetError) {
                    return .success(try await next(request, context))
                } catch {
                    return .failure(error)
                }
            }
            // If the call was ended, the reason for that is thrown: the error of a part that was cancelled because of
            // it is only a consequence.
            guard let result else { throw context.abandoned(.middleware) }
            return try result.mapError { context.explained($0) }.get()
        }
    }

    package func run(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> StreamedResponse {
        var context = context
        // Before the identity, which may wait for a credential.
        context.login = await login(of: request, context)
        let response: StreamedResponse
        if let identities {
            let identity = await Self.identity(of: request, context, identities)
            response = try await next(request, context.identified(as: identity, of: request))
        } else {
            response = try await next(request, context)
        }
        // Redirects aren't a middleware, so that other responses cost only one comparison.
        guard response.head.status.kind == .redirection else { return response }
        guard let identities else { return try await redirects.follow(response, to: request, context, next) }
        // Each hop has its own identity: credentials aren't sent to every origin.
        let hop = Next { [next] (request, context) async throws(NetError) -> StreamedResponse in
            let identity = await Self.identity(of: request, context, identities)
            return try await next(request, context.identified(as: identity, of: request))
        }
        return try await redirects.follow(response, to: request, context, hop)
    }

    /// Returns the logins that all attempts of a request must be sent with; nil if there are none.
    package func login(of request: PreparedRequest, _ context: CallContext) async -> CallLogin? {
        if let login = request.options.login { return login }
        return logins.isEmpty ? nil : await CallLogin(of: request, context, logins)
    }

    /// Returns the combined identity of the sources.
    ///
    /// If a source fails, the identity is unique; the credential's own middleware meets the same error at its place in
    /// the chain.
    private static func identity(
        of request: PreparedRequest, _ context: CallContext, _ sources: [CallLogin.Source]
    ) async -> CallIdentity {
        // The request's own identity overrides the sources, so they aren't asked.
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
}
