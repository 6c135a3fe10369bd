internal import Synchronization

/// The secrets that the parts of one call have added to its requests: credentials, signatures and cookies of users.
///
/// Every output of the call hides them by value, whichever part of the chain creates it: a middleware outside of the one
/// that adds a credential sees no header by which it could know it, but the body of a response may quote it.
package final class CallSecrets: Sendable {
    private struct State {
        var known = KnownSecrets()
        /// Secrets that no output has needed yet: finding their parts and forms takes longer than most calls have for it.
        var added: [(text: String, isCredential: Bool)] = []
    }

    private let state = Mutex(State())
    private let isUsed = Atomic<Bool>(false)

    package init() {}

    /// Adds a secret, or the value of a header with credentials.
    func note(_ text: String, isCredential: Bool) {
        state.withLock { $0.added.append((text, isCredential)) }
        isUsed.store(true, ordering: .releasing)
    }

    /// Adds the secrets of an opening handshake that isn't redacted yet.
    func note(_ handshake: CapturedExchange.Request, by policy: RedactionPolicy) {
        state.withLock { $0.known.note(handshake, by: policy) }
        isUsed.store(true, ordering: .releasing)
    }

    /// The secrets so far; nil if there are none.
    var current: KnownSecrets? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        return state.withLock { state in
            for (text, isCredential) in state.added {
                let parts = isCredential ? SecretForms.parts(ofCredential: text) : [text]
                for part in parts { state.known.note(part) }
            }
            state.added = []
            return state.known.isEmpty ? nil : state.known
        }
    }
}

extension CallSecrets: CustomStringConvertible, CustomReflectable {
    /// A fixed text without the secrets.
    package var description: String { "CallSecrets" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RedactionPolicy {
    /// A reference to the secrets of a call. It doesn't count in comparisons of policies.
    struct Values: Sendable, Hashable {
        var secrets: CallSecrets?

        static func == (left: Values, right: Values) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// Returns the policy, which also hides the secrets of an opening handshake by value.
    func hiding(secretsOf handshake: CapturedExchange.Request) -> RedactionPolicy {
        guard self != .disabled else { return self }
        let secrets = values.secrets ?? CallSecrets()
        secrets.note(handshake, by: self)
        return hiding(secrets)
    }

    /// Returns the policy, which also hides the secrets of a call by value.
    package func hiding(_ secrets: CallSecrets?) -> RedactionPolicy {
        guard let secrets, self != .disabled else { return self }
        var policy = self
        policy.values.secrets = secrets
        return policy
    }

    /// Returns the policy that also hides what `other` hides, with the placeholder of this one. A policy that hides
    /// nothing stays unchanged.
    package func joined(with other: RedactionPolicy?) -> RedactionPolicy {
        guard let other, self != .disabled, other != .disabled else { return self }
        // The usual case, in which nothing is looked up: copies of a set are compared by their identity.
        if self == other { return values.secrets == nil ? hiding(other.values.secrets) : self }
        var policy = self
        if !other.headerNames.isSubset(of: headerNames) { policy.headerNames.formUnion(other.headerNames) }
        if !other.queryNames.isSubset(of: queryNames) { policy.queryNames.formUnion(other.queryNames) }
        if !other.bodyNames.isSubset(of: bodyNames) { policy.bodyNames.formUnion(other.bodyNames) }
        policy.pathRules.formUnion(other.pathRules)
        if other.hidesRecognizedValues { policy.hidesRecognizedValues = true }
        if policy.values.secrets == nil { policy.values = other.values }
        return policy
    }
}

extension CallContext {
    /// Hides a value in everything that the call shows or records from now on: logs, events, errors, captured attempts
    /// and recordings, as it was sent, percent-encoded, and escaped in JSON and XML. Call it before you add a credential
    /// to a request. A value shorter than eight bytes isn't hidden, because it may be part of ordinary words.
    ///
    ///     struct Ticket: Middleware {
    ///         let ticket: String
    ///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
    ///             context.hide(ticket)
    ///             var request = request
    ///             request.head.headerFields[.authorization] = "Ticket \(ticket)"
    ///             return try await next(request, context)
    ///         }
    ///     }
    public func hide(_ secret: String) {
        if secret.utf8.count >= KnownSecrets.shortest { call.makeSecrets().note(secret, isCredential: false) }
    }

    /// Hides the value of a header with credentials, and its parts: the token behind the scheme, and the password inside
    /// `Basic`.
    package func hide(credential value: String) { call.makeSecrets().note(value, isCredential: true) }

    /// The policy for everything that shows or records a request of this call: that of the request, or else that of the
    /// client, which also hides the secrets of the call.
    package func redaction(of request: PreparedRequest) -> RedactionPolicy {
        (request.options.redaction ?? environment.redaction).hiding(call.makeSecrets())
    }
}
