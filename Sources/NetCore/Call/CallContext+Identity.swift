public import HTTPTypes

extension CallContext {
    /// The state of a call's identity; kept only if a part of its chain uses it.
    struct IdentityState: Sendable, CustomReflectable {
        /// The identity known so far, from the chain's identity sources and from credential headers.
        var identity: CallIdentity
        /// The credential headers that ``identity`` already covers.
        var accounted: [HTTPField] = []

        /// No children, since the headers are secrets.
        var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// Returns the login that the response to `request` belongs to. It's derived from the credentials that the chain
    /// will add and from those in the request's current headers. ``RequestOptions/identity`` overrides both.
    ///
    /// If no middleware in the chain sets ``Middleware/usesIdentity``, only the headers count.
    public func identity(of request: PreparedRequest) -> CallIdentity {
        if let identity = request.options.identity { return identity }
        return unaccounted(request).reduce(identityState?.identity ?? .everyone) { $0.union(.holder(of: $1)) }
    }

    /// Returns the context for the rest of a chain after a middleware has added a credential, if its ``IdentitySource``
    /// has already returned the credential's identity.
    ///
    /// If a credential isn't accounted for, a cache further inside treats it as a separate identity, and a cache
    /// further outside doesn't store the response.
    public func accounting(for credential: HTTPField) -> CallContext {
        guard identityState != nil else { return self }
        var context = self
        context.identityState?.accounted.append(credential)
        return context
    }

    /// Returns the context of a call whose identity sources have returned `identity`.
    package func identified(as identity: CallIdentity) -> CallContext {
        var context = self
        context.identityState = IdentityState(identity: identity)
        return context
    }

    /// Returns the context of a call made on behalf of another call, with that call's identity.
    package func identified(like other: CallContext) -> CallContext {
        var context = self
        context.identityState = other.identityState
        return context
    }

    /// Returns the context inside a middleware that stores or shares responses by the identity of `request`. If a
    /// credential is added further inside without being accounted for, the response has a different identity.
    package func identified(by request: PreparedRequest) -> CallContext {
        guard request.options.identity == nil else { return self }
        var context = self
        var state = identityState ?? IdentityState(identity: .everyone)
        let unaccounted = unaccounted(request)
        state.identity = unaccounted.reduce(state.identity) { $0.union(.holder(of: $1)) }
        state.accounted += unaccounted
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
        guard let known = identityState?.identity else { return true }
        return identity.parts.allSatisfy { known.parts.contains($0) }
    }

    /// Returns true if the call's identity covers all credentials of a request, or if it isn't tracked.
    package func accounts(for request: PreparedRequest) -> Bool {
        identityState == nil || request.options.identity != nil || unaccounted(request).isEmpty
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

    private func unaccounted(_ request: PreparedRequest) -> [HTTPField] {
        let policy = request.options.redaction ?? environment.redaction
        let isOwn = policy != .safeDefault && policy != .disabled
        let accounted = identityState?.accounted ?? []
        return request.head.headerFields.filter { field in
            (Self.isCredential(field.name) || isOwn && policy.isSensitive(field.name)) && !accounted.contains(field)
        }
    }

    /// Common request headers that are never sensitive. Comparing each name with the whole policy costs more than the
    /// rest of a cache hit.
    package static let plainNames: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "content-encoding", "content-length",
        "content-type", "if-match", "if-modified-since", "if-none-match", "range", "referer", "traceparent",
        "tracestate", "user-agent",
    ]

    private static func isCredential(_ name: HTTPField.Name) -> Bool {
        !plainNames.contains(name.canonicalName) && RedactionPolicy.safeDefault.isSensitive(name)
    }
}
