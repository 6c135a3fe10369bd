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

    package init(
        _ middleware: [any Middleware], redirects: RedirectPolicy,
        onRedirect: (@Sendable (ProposedRedirect) -> RedirectChoice)? = nil, transport: any HTTPTransport
    ) {
        identities =
            middleware.contains { $0.usesIdentity }
            ? middleware.compactMap { element in
                element.identitySource.map { Source(source: $0, endsWithCall: element.endsWithCall) }
            } : nil
        // Parts outside this one, such as a cache, run in the caller's task.
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

    /// Runs a foreign part of the chain in its own task, at most until the call ends by its total timeout, its client
    /// or its caller's task. The part's task is then cancelled, and abandoned if it ignores the cancellation.
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
            // The end of the call is the cause; the failure of a part that it cancelled is only a consequence.
            guard let result else { throw context.abandoned(.middleware) }
            return try result.mapError { context.explained($0) }.get()
        }
    }

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
    /// If a source fails, the identity is unique; the credential's own middleware meets the same error at its place in
    /// the chain.
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
}
