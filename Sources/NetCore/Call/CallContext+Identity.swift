public import HTTPTypes

extension CallContext {
    /// Returns the login that the response to `request` belongs to. It's derived from the credentials that the chain
    /// will add, from those in the request's current headers, and from other headers that middleware has added and that
    /// may identify a user. ``RequestOptions/identity`` overrides all of them.
    ///
    /// If no middleware in the chain sets ``Middleware/usesIdentity``, only the headers count.
    public func identity(of request: PreparedRequest) -> CallIdentity {
        if let identity = request.options.identity, !identity.isOfCredential { return identity }
        return (identityState ?? IdentityState(.everyone, of: request)).identity(of: request, policy(for: request))
    }

    /// Returns the context for the rest of the chain, with `field` marked as covered by the identity that your
    /// ``IdentitySource`` has returned, or as a header that doesn't identify a user. Call it after adding the header to
    /// the request.
    ///
    /// If a header isn't accounted for, a cache further inside treats it as a separate identity, and a cache further
    /// outside doesn't store the response. Common headers that don't identify a user, such as `Accept` and
    /// `traceparent`, need no accounting; docs/caching.md lists them.
    public func accounting(for field: HTTPField) -> CallContext {
        changingIdentity { $0.account(for: field) }
    }

    /// Returns the context for the rest of the chain, in which the change of the URL from that of `request` to that of
    /// `sent` is covered by the identity that your ``IdentitySource`` has returned, or is the same for all users.
    ///
    /// If a change of the URL isn't accounted for, a cache further outside doesn't store the response.
    ///
    ///     struct Region: Middleware {
    ///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
    ///             var sent = request
    ///             sent.head.authority = "eu.example.com"
    ///             return try await next(sent, context.accounting(forURLOf: sent, insteadOf: request))
    ///         }
    ///     }
    public func accounting(forURLOf sent: PreparedRequest, insteadOf request: PreparedRequest) -> CallContext {
        changingIdentity { $0.account(forURLOf: sent, insteadOf: request) }
    }

    /// Returns the context of a call whose identity sources have returned `identity` for `request`.
    package func identified(as identity: CallIdentity, of request: PreparedRequest) -> CallContext {
        var context = self
        context.identityState = IdentityState(identity, of: request)
        return context
    }

    /// Returns the context of a call made on behalf of another call, with that call's identity and login.
    package func identified(like other: CallContext) -> CallContext {
        var context = self
        context.identityState = other.identityState
        context.login = other.login
        return context
    }

    /// Returns the context inside a middleware that stores or shares responses by the identity of `request`. If
    /// something that identifies a user is added further inside without being accounted for, the response has a
    /// different identity.
    package func identified(by request: PreparedRequest) -> CallContext {
        guard request.options.identity == nil else { return self }
        var context = self
        var state = identityState ?? IdentityState(.everyone, of: request)
        state.identify(request, policy(for: request))
        context.identityState = state
        return context
    }

    /// Returns the identity of `request` in a context that ``identified(by:)`` created for it.
    package func knownIdentity(of request: PreparedRequest) -> CallIdentity {
        request.options.identity ?? identityState?.identity ?? .everyone
    }

    /// True if a part further outside stores or shares responses, so that credentials must be accounted for.
    package var tracksIdentity: Bool { identityState != nil }

    /// Returns true if `identity` is part of the call's identity, or if the call's identity isn't tracked.
    package func includes(_ identity: CallIdentity) -> Bool {
        identityState?.identity.contains(identity) ?? true
    }

    /// Returns the part of a request that the call's identity doesn't cover; nil if it covers all, or isn't tracked.
    package func difference(of request: PreparedRequest) -> IdentityDifference? {
        guard let identityState, request.options.identity == nil else { return nil }
        return identityState.difference(of: request, policy(for: request))
    }

    /// Returns the headers that select among stored responses. Credentials that are accounted for are omitted, because
    /// the identity represents them; cookies are kept.
    package func selecting(_ headers: HTTPFields) -> HTTPFields {
        guard let accounted = identityState?.accounted, !accounted.isEmpty else { return headers }
        var headers = headers
        for field in accounted where field.name != .cookie && headers[fields: field.name].contains(field) {
            headers[field.name] = nil
        }
        return headers
    }

    private func policy(for request: PreparedRequest) -> RedactionPolicy {
        request.options.redaction ?? environment.redaction
    }

    private func changingIdentity(_ change: (inout IdentityState) -> Void) -> CallContext {
        guard var state = identityState else { return self }
        change(&state)
        var context = self
        context.identityState = state
        return context
    }
}
