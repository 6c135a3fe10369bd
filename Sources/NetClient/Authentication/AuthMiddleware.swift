internal import HTTPTypes
public import NetCore

/// Sends a credential with each attempt, and repeats the request once with a newer one if the server rejects it.
///
/// Only requests to the origins in ``scope`` get the credential; it replaces a header of the same name. If the status is one
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
public struct AuthMiddleware: Middleware {
    /// The source of the credentials.
    public let provider: any CredentialProvider
    /// The origins that get the credentials. Default that of the client's base URL.
    public var scope: CredentialScope
    /// The status codes that reject a credential, never 200. Default 401.
    public var challenges: Set<Int>
    /// The part of the request that carries the credential. Default its header.
    public var placement: CredentialPlacement
    /// The credential if it never changes, so that the provider needn't be asked.
    private var standing: Credential?

    /// Creates a middleware that gets its credentials from `provider`.
    public init(
        _ provider: any CredentialProvider, scope: CredentialScope = .baseURL, challenges: Set<Int> = [401],
        placement: CredentialPlacement = .header
    ) {
        self.placement = placement
        self.provider = provider
        self.scope = scope
        self.challenges = challenges
    }

    /// Creates a middleware that always sends the same credential.
    public init(
        _ credential: Credential, scope: CredentialScope = .baseURL, placement: CredentialPlacement = .header
    ) {
        self.init(StaticCredential(credential: credential), scope: scope, placement: placement)
        standing = credential
    }

    public var identitySource: (any IdentitySource)? { self }

    public var endsWithCall: Bool { standing != nil || provider is RefreshingCredentials }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard try scope.admits(request, context: context) else { return try await next(request, context) }
        let credential = try await currentCredential(for: request, context)
        let (response, sent) = try await send(request, with: credential, context, next)
        let status = response.status.code
        // Most responses have the status 200, which is never a challenge.
        guard status != 200, challenges.contains(status), request.isReplayable,
            let newer = try await provider.refreshed(from: sent, during: context), newer != sent
        else { return response }
        await response.discardBody()
        var context = context
        try await context.repeatRequest(
            reason: "status \(status), with a newer credential", cause: .renewal)
        return try await send(request, with: newer, context, next).response
    }

    private func currentCredential(for request: PreparedRequest, _ context: CallContext) async throws -> Credential? {
        if let standing { return standing }
        return try await provider.credential(for: request, during: context)
    }

    /// Sends the request with a credential. Returns the response and the credential of the last attempt.
    ///
    /// Marks a response that belongs to another login than the one that the call began with: the login may have changed
    /// while the call waited.
    private func send(
        _ request: PreparedRequest, with credential: Credential?, _ context: CallContext, _ next: Next
    ) async throws -> (response: StreamedResponse, sent: Credential?) {
        var inner = context
        let later = watch(credential, in: &inner)
        // Requested after the credential, so that a logout in between makes the two differ rather than agree.
        let isExpected = try await provider.isExpected(credential, for: request, in: context)
        if let credential, placement == .header { inner = inner.accounting(for: credential.line) }
        var request = request
        try placement.put(credential, into: &request, context)
        var response = try await next(request, inner)
        if !isExpected || later?.isOfOtherIdentity == true { response.isOfOtherIdentity = true }
        return (response, later.map { $0.credential } ?? credential)
    }

    /// Makes later attempts ask for the credential again; nil if it never changes.
    private func watch(_ credential: Credential?, in context: inout CallContext) -> SentCredential? {
        guard standing == nil else { return nil }
        let sent = SentCredential(credential, placement, from: provider)
        context.hooks.append(sent)
        return sent
    }
}

extension AuthMiddleware: IdentitySource {
    /// Returns the login of the provider's credential if the request gets one.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard try scope.admits(request, context: context) else { return .everyone }
        return try await provider.identity(for: request)
    }
}

extension CredentialProvider {
    /// Returns the credential for a request; the wait doesn't outlast the call.
    func credential(for request: PreparedRequest, during context: CallContext) async throws -> Credential? {
        // For other providers, the client itself watches over the call.
        guard let tokens = self as? RefreshingCredentials else { return try await credential(for: request) }
        if let usable = tokens.usable { return usable }
        return try await context.unlessEnded(.middleware) { try await tokens.credential(for: request) }
    }

    /// Returns a newer credential; the wait doesn't outlast the call.
    func refreshed(from rejected: Credential?, during context: CallContext) async throws -> Credential? {
        guard let tokens = self as? RefreshingCredentials else { return try await refreshed(from: rejected) }
        return try await context.unlessEnded(.middleware) { try await tokens.refreshed(from: rejected) }
    }

    /// Returns false if the credential belongs to a login that isn't part of the call's identity.
    func isExpected(
        _ credential: Credential?, for request: PreparedRequest, in context: CallContext
    ) async throws -> Bool {
        guard context.tracksIdentity, request.options.identity == nil, let credential else { return true }
        if context.includes(.holder(of: credential.line)) { return true }
        return context.includes(try await identity(for: request))
    }
}

/// A credential that never changes.
private struct StaticCredential: CredentialProvider {
    let credential: Credential

    func credential(for request: PreparedRequest) async throws -> Credential? { credential }
}

extension AuthMiddleware: CustomReflectable {
    /// The scope and the challenges, without the provider.
    public var customMirror: Mirror {
        Mirror(self, children: ["scope": scope, "challenges": challenges.sorted()], displayStyle: .struct)
    }
}
