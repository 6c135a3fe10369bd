internal import HTTPTypes
public import NetCore

/// Sends credentials with each attempt, and repeats the request once with newer ones if the server rejects them.
///
/// Only requests to the origins in ``scope`` get credentials, which replace a header of the same name. If the status is
/// one of ``challenges`` and the body can be sent again, the middleware asks the provider for a newer credential and
/// sends the request once more with it, whatever the method, because a server that rejects a credential hasn't
/// processed the request. If there is no newer credential, or if it is rejected too, the call returns the server's
/// response. An error of the provider ends the call.
///
/// Put it outside `RetryMiddleware`, so that the repetition uses none of its attempts. Each attempt asks the provider
/// for the credential, so that a token renewed during a long `Retry-After` is used.
///
///     let tokens = RefreshingCredentials { _ in try .bearer("a1b2") }
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [AuthMiddleware(tokens), RetryMiddleware()]
///     }
///
/// A credential is sent in the header that it names, unless its provider specifies another place:
/// ``CredentialProvider/placed(_:)``.
///
/// With several security schemes, each request gets the credentials that it requires; see
/// ``init(schemes:otherwise:scope:challenges:)``.
public struct AuthMiddleware: Middleware {
    private enum Source: Sendable {
        case one(CredentialSource)
        case schemes(SchemeTable)
    }

    /// The origins that get the credentials. Default: the origin of the client's base URL.
    public var scope: CredentialScope
    /// The status codes that reject a credential, never 200. Default 401.
    public var challenges: Set<Int>
    private let source: Source

    /// Creates a middleware that gets its credentials from `provider`, regardless of a request's security requirements.
    /// A ``NetCore/Credential`` is a provider that never changes.
    public init(
        _ provider: any CredentialProvider, scope: CredentialScope = .baseURL, challenges: Set<Int> = [401]
    ) {
        self.scope = scope
        self.challenges = challenges
        source = .one(CredentialSource(provider))
    }

    /// Creates a middleware that always sends the same credential.
    public init(_ credential: Credential, scope: CredentialScope = .baseURL) {
        self.init(credential as any CredentialProvider, scope: scope)
    }

    /// Creates a middleware that sends each request the credentials of the security schemes that it requires
    /// (``NetCore/RequestMetadata/security``).
    ///
    /// It uses the first alternative whose schemes are all among `schemes` and whose providers have a credential now. A
    /// request without requirements gets no credentials. If no alternative can be met, the call fails with
    /// ``NetCore/NetError/Code/authentication`` before anything is sent, with ``UnmetSecurityRequirements`` as its
    /// cause.
    ///
    ///     let tokens = RefreshingCredentials { _ in try .bearer("a1b2") }
    ///     let key = try Credential.apiKey("k3y").placed(.query("api_key"))
    ///     let client = HTTPClient(baseURL: "https://api.example.com") {
    ///         $0.middleware = [AuthMiddleware(schemes: ["bearer": tokens, "apiKey": key]), RetryMiddleware()]
    ///     }
    ///
    /// - Parameters:
    ///   - schemes: The providers by the names of their schemes.
    ///   - requirements: The requirements of a request that doesn't specify any. Default none: it gets no credentials.
    ///   - scope: The origins that get the credentials. Default: the origin of the client's base URL. Requests to other
    ///     origins are passed on unchanged.
    ///   - challenges: The status codes that reject a credential. Default 401.
    public init(
        schemes: [String: any CredentialProvider], otherwise requirements: SecurityRequirements = .none,
        scope: CredentialScope = .baseURL, challenges: Set<Int> = [401]
    ) {
        self.scope = scope
        self.challenges = challenges
        source = .schemes(SchemeTable(sources: schemes.mapValues { CredentialSource($0) }, unstated: requirements))
    }

    public var identitySource: (any IdentitySource)? { self }

    public var endsWithCall: Bool {
        switch source {
        case .one(let source): source.endsWithCall
        case .schemes(let table): table.sources.values.allSatisfy(\.endsWithCall)
        }
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard try scope.admits(request, context: context) else { return try await next(request, context) }
        // Before a credential is fetched for another user.
        try await context.checkLogin(sending: request)
        switch source {
        case .one(let source):
            let credential = try await source.credential(for: request, during: context)
            return try await CredentialExchange(source: source, credential: credential, challenges: challenges)
                .send(request, context, next)
        case .schemes(let table):
            var next = next
            for (source, credential) in try await table.chosen(for: request, context).reversed() {
                next = CredentialExchange(source: source, credential: credential, challenges: challenges)
                    .before(next, name)
            }
            return try await next(request, context)
        }
    }
}

extension AuthMiddleware: IdentitySource, LoginSource {
    /// Returns the login of the provider's credential if the request gets one. With several schemes, returns all logins
    /// whose credentials the request may get.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard try scope.admits(request, context: context) else { return .everyone }
        return try await union(of: request) { try await $0.identity(for: request) }
    }

    /// Returns the login of the provider, whether or not the request gets its credential.
    package func login(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        try await union(of: request) { try await $0.login(for: request) }
    }

    package func isGone(
        _ began: CallIdentity, of request: PreparedRequest, sending sent: PreparedRequest, context: CallContext
    ) async throws -> Bool {
        guard try scope.admits(sent, context: context) else { return false }
        return try await !login(for: request, context: context).contains(began)
    }

    private func union(
        of request: PreparedRequest, _ identity: (CredentialSource) async throws -> CallIdentity
    ) async throws -> CallIdentity {
        switch source {
        case .one(let source): return try await identity(source)
        case .schemes(let table):
            var all = CallIdentity.everyone
            for source in table.candidates(for: request) { all = all.union(try await identity(source)) }
            return all
        }
    }
}

extension AuthMiddleware: CustomReflectable {
    /// The scope, the challenges and the names of the schemes, without the providers.
    public var customMirror: Mirror {
        var children: [(String?, Any)] = [("scope", scope), ("challenges", challenges.sorted())]
        if case .schemes(let table) = source { children.append(("schemes", table.sources.keys.sorted())) }
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
