internal import HTTPTypes
public import NetCore

/// Sends credentials with each attempt, and repeats the request once with newer ones if the server rejects them.
///
/// Only requests to the origins in ``scope`` get credentials, which replace a header of the same name. If the status is one
/// of ``challenges`` and the body can be sent again, the middleware asks the provider for a newer credential and sends the
/// request once more with it, whatever the method, because a server that rejects a credential has done nothing. If there is
/// no newer one, or if it is rejected too, the call gets the server's response. An error of the provider ends the call.
///
/// Put it outside of `RetryMiddleware`, so that the repetition uses none of its attempts. Each attempt asks the provider for
/// the credential, so that a token which was renewed during a long `Retry-After` is the one that is sent.
///
///     let tokens = RefreshingCredentials { _ in try .bearer("a1b2") }
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [AuthMiddleware(tokens), RetryMiddleware()]
///     }
///
/// A credential goes into the header that it names, unless its provider says otherwise: ``CredentialProvider/placed(_:)``.
///
/// With several security schemes, each request gets the credentials that it asks for; see ``init(schemes:otherwise:scope:challenges:)``.
public struct AuthMiddleware: Middleware {
    private enum Source: Sendable {
        case one(any CredentialProvider)
        case schemes(SchemeTable)
    }

    /// The origins that get the credentials. Default that of the client's base URL.
    public var scope: CredentialScope
    /// The status codes that reject a credential, never 200. Default 401.
    public var challenges: Set<Int>
    private let source: Source

    /// Creates a middleware that gets its credentials from `provider`, whatever a request says about security schemes. A
    /// ``NetCore/Credential`` is a provider that never changes.
    public init(
        _ provider: any CredentialProvider, scope: CredentialScope = .baseURL, challenges: Set<Int> = [401]
    ) {
        self.scope = scope
        self.challenges = challenges
        source = .one(provider)
    }

    /// Creates a middleware that always sends the same credential.
    public init(_ credential: Credential, scope: CredentialScope = .baseURL) {
        self.init(credential as any CredentialProvider, scope: scope)
    }

    /// Creates a middleware that sends each request the credentials of the security schemes that it asks for
    /// (``NetCore/RequestMetadata/security``).
    ///
    /// It takes the first alternative whose schemes are all among `schemes` and whose providers have a credential now. A
    /// request that needs none gets none. If no alternative can be met, the call ends as
    /// ``NetCore/NetError/Code/authentication`` before anything is sent, with ``UnmetSecurityRequirements`` as its cause.
    ///
    ///     let tokens = RefreshingCredentials { _ in try .bearer("a1b2") }
    ///     let key = try Credential.apiKey("k3y").placed(.query("api_key"))
    ///     let client = HTTPClient(baseURL: "https://api.example.com") {
    ///         $0.middleware = [AuthMiddleware(schemes: ["bearer": tokens, "apiKey": key]), RetryMiddleware()]
    ///     }
    ///
    /// - Parameters:
    ///   - schemes: The providers by the names of their schemes.
    ///   - requirements: The requirements of a request that says nothing about them. Default none: it gets no credentials.
    ///   - scope: The origins that get the credentials. Default that of the client's base URL. Requests to others are passed
    ///     on as they are.
    ///   - challenges: The status codes that reject a credential. Default 401.
    public init(
        schemes: [String: any CredentialProvider], otherwise requirements: SecurityRequirements = .none,
        scope: CredentialScope = .baseURL, challenges: Set<Int> = [401]
    ) {
        self.scope = scope
        self.challenges = challenges
        source = .schemes(SchemeTable(providers: schemes, unstated: requirements))
    }

    public var identitySource: (any IdentitySource)? { self }

    public var endsWithCall: Bool {
        switch source {
        case .one(let provider): Self.endsWithCall(provider)
        case .schemes(let table): table.providers.values.allSatisfy(Self.endsWithCall)
        }
    }

    private static func endsWithCall(_ provider: any CredentialProvider) -> Bool {
        let provider = provider.unplaced
        return provider is Credential || provider is RefreshingCredentials
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard try scope.admits(request, context: context) else { return try await next(request, context) }
        switch source {
        case .one(let provider):
            let credential = try await provider.credential(for: request, during: context)
            return try await CredentialExchange(provider, credential, challenges).send(request, context, next)
        case .schemes(let table):
            var next = next
            for (provider, credential) in try await table.chosen(for: request, context).reversed() {
                next = CredentialExchange(provider, credential, challenges).before(next, name)
            }
            return try await next(request, context)
        }
    }
}

extension AuthMiddleware: IdentitySource {
    /// Returns the login of the provider's credential if the request gets one; with several schemes, all logins that it may
    /// get credentials of.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard try scope.admits(request, context: context) else { return .everyone }
        switch source {
        case .one(let provider): return try await provider.identity(for: request)
        case .schemes(let table):
            var identity = CallIdentity.everyone
            for provider in table.candidates(for: request) {
                identity = identity.union(try await provider.identity(for: request))
            }
            return identity
        }
    }
}

extension AuthMiddleware: CustomReflectable {
    /// The scope, the challenges and the names of the schemes, without the providers.
    public var customMirror: Mirror {
        var children: [(String?, Any)] = [("scope", scope), ("challenges", challenges.sorted())]
        if case .schemes(let table) = source { children.append(("schemes", table.providers.keys.sorted())) }
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
