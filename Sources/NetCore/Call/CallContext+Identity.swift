public import HTTPTypes

extension CallContext {
    /// The identity of a call; kept only if something in its chain asks for it.
    struct IdentityState: Sendable, CustomReflectable {
        /// The identity that the chain's sources gave.
        var identity: CallIdentity
        /// The credential headers that those sources have added on the way.
        var accounted: [HTTPField] = []

        /// No parts: the headers are secrets.
        var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The login whose data the response to `request` is: the credentials that the chain will add, and those in the
    /// request's headers here. The request's own ``RequestOptions/identity`` takes the place of both.
    ///
    /// In a chain in which no middleware says that it ``Middleware/usesIdentity``, only the headers count.
    public func identity(of request: PreparedRequest) -> CallIdentity {
        if let identity = request.options.identity { return identity }
        return unaccounted(request).reduce(identityState?.identity ?? .everyone) { $0.union(.holder(of: $1)) }
    }

    /// The context for the rest of a chain in which a middleware has added a credential whose identity its
    /// ``IdentitySource`` has given.
    ///
    /// A credential that nobody accounts for is an identity of its own to a cache further inside, and keeps a cache further
    /// outside from storing the response.
    public func accounting(for credential: HTTPField) -> CallContext {
        guard identityState != nil else { return self }
        var context = self
        context.identityState?.accounted.append(credential)
        return context
    }

    /// The context of a call whose sources were asked.
    package func identified(as identity: CallIdentity) -> CallContext {
        var context = self
        context.identityState = IdentityState(identity: identity)
        return context
    }

    /// The context of a call that is made on behalf of another one, with its identity.
    package func identified(like other: CallContext) -> CallContext {
        var context = self
        context.identityState = other.identityState
        return context
    }

    /// The context inside of something that keeps or shares responses by the identity of `request`: credentials that are
    /// added from there on without being accounted for make a response one of another identity.
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

    /// The identity of `request`, in a context that ``identified(by:)`` has made for it.
    package func knownIdentity(of request: PreparedRequest) -> CallIdentity {
        request.options.identity ?? identityState?.identity ?? .everyone
    }

    /// True if something further outside keeps or shares responses, so that credentials must be accounted for.
    package var tracksIdentity: Bool { identityState != nil }

    /// True if an identity is part of the one that the call has.
    package func includes(_ identity: CallIdentity) -> Bool {
        guard let known = identityState?.identity else { return true }
        return identity.parts.allSatisfy { known.parts.contains($0) }
    }

    /// True if a request carries no credentials but those that the call's identity is made of.
    package func accounts(for request: PreparedRequest) -> Bool {
        identityState == nil || request.options.identity != nil || unaccounted(request).isEmpty
    }

    /// The headers that select among stored responses: the identity stands for credentials that a source accounts for, except
    /// cookies.
    package func selecting(_ fields: HTTPFields) -> HTTPFields {
        guard let accounted = identityState?.accounted, !accounted.isEmpty else { return fields }
        var fields = fields
        for field in accounted where field.name != .cookie && fields[fields: field.name].contains(field) {
            fields[field.name] = nil
        }
        return fields
    }

    private func unaccounted(_ request: PreparedRequest) -> [HTTPField] {
        let policy = request.options.redaction ?? environment.redaction
        let isOwn = policy != .safeDefault && policy != .disabled
        let accounted = identityState?.accounted ?? []
        return request.head.headerFields.filter { field in
            (Self.isCredential(field.name) || isOwn && policy.isSensitive(field.name)) && !accounted.contains(field)
        }
    }

    /// Common request headers that are never sensitive. Comparing each name with the whole policy costs more than the rest of
    /// a cache hit.
    package static let plainNames: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "content-encoding", "content-length",
        "content-type", "if-match", "if-modified-since", "if-none-match", "range", "referer", "traceparent",
        "tracestate", "user-agent",
    ]

    private static func isCredential(_ name: HTTPField.Name) -> Bool {
        !plainNames.contains(name.canonicalName) && RedactionPolicy.safeDefault.isSensitive(name)
    }
}
