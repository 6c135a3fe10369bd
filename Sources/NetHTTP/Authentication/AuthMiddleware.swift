internal import HTTPTypes
public import NetCore

/// Sends a credential with each attempt, and once more with a newer one when the server does not take it.
///
/// Only requests to the origins of its ``scope`` get the credential; it takes the place of a field of the same name. When the
/// status is one of ``challenges`` and the body can be sent again, the provider is asked for a newer credential, and the
/// request goes out once more with it: whatever the method, since a server that refuses a credential has done nothing. No
/// newer one, or none that is taken: the answer is the call's. What the provider throws ends the call.
///
/// Put it outside of ``RetryMiddleware``: the repetition costs none of its attempts.
///
///     let tokens = RefreshingCredentials { _ in try .bearer("a1b2") }
///     let client = HTTPClient(
///         configuration: .init(
///             baseURL: "https://api.example.com", middleware: [AuthMiddleware(tokens), RetryMiddleware()]))
public struct AuthMiddleware: Middleware, CallEnding {
    /// Where credentials come from.
    public let provider: any CredentialProvider
    /// Which origins get them. Default that of the client's base URL.
    public var scope: CredentialScope
    /// The status codes that say that a credential was not taken, never 200. Default 401.
    public var challenges: Set<Int>
    /// The credential for ever: nobody has to be asked for it.
    private var standing: Credential?

    /// Creates a middleware that gets its credentials from `provider`.
    public init(
        _ provider: any CredentialProvider, scope: CredentialScope = .baseURL, challenges: Set<Int> = [401]
    ) {
        self.provider = provider
        self.scope = scope
        self.challenges = challenges
    }

    /// Always the same credential.
    public init(_ credential: Credential, scope: CredentialScope = .baseURL) {
        self.init(StaticCredential(credential: credential), scope: scope)
        standing = credential
    }

    public var identitySource: (any IdentitySource)? { self }

    package var endsWithCall: Bool { standing != nil || provider is RefreshingCredentials }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard try scope.admits(request, context: context) else { return try await next(request, context) }
        let credential = try await credential(for: request, context)
        let response = try await send(request, with: credential, context, next)
        let status = response.head.status.code
        // Most answers are good, and none of those is a challenge.
        guard status != 200, challenges.contains(status), request.isReplayable,
            let newer = try await refreshed(from: credential, context), newer != credential
        else { return response }
        await response.body.finishOrCancel()
        var context = context
        context.record(
            .retrying(attempt: context.attempt + 1, after: .zero, reason: "status \(status), with a newer credential"))
        context.attempt += 1
        return try await send(request, with: newer, context, next)
    }

    private func credential(for request: PreparedRequest, _ context: CallContext) async throws -> Credential? {
        if let standing { return standing }
        if let credentials = provider as? RefreshingCredentials {
            if let current = credentials.usable { return current }
            return try await context.unlessEnded(.middleware) { try await credentials.credential(for: request) }
        }
        return try await provider.credential(for: request)
    }

    private func refreshed(from rejected: Credential?, _ context: CallContext) async throws -> Credential? {
        guard let credentials = provider as? RefreshingCredentials else {
            return try await provider.refreshed(from: rejected)
        }
        return try await context.unlessEnded(.middleware) { try await credentials.refreshed(from: rejected) }
    }

    /// Sends the request with a credential, and marks the response of another login than the one that the call began with:
    /// it may have changed while the call waited.
    private func send(
        _ request: PreparedRequest, with credential: Credential?, _ context: CallContext, _ next: Next
    ) async throws -> StreamedResponse {
        let carrying = request.carrying(credential, context)
        guard context.tracksIdentity, request.options.identity == nil else {
            return try await next(carrying, context)
        }
        // Asked for after the credential was: a log-out in between makes the two differ, not agree.
        var isExpected = credential.map { context.includes(.holder(of: $0.line)) } ?? true
        if !isExpected { isExpected = context.includes(try await provider.identity(for: request)) }
        var response = try await next(carrying, credential.map { context.accounting(for: $0.line) } ?? context)
        if !isExpected { response.isOfOtherIdentity = true }
        return response
    }
}

extension AuthMiddleware: IdentitySource {
    /// The login of the provider's credential, if the request gets one.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard try scope.admits(request, context: context) else { return .everyone }
        return try await provider.identity(for: request)
    }
}

/// One credential for ever.
private struct StaticCredential: CredentialProvider {
    let credential: Credential

    func credential(for request: PreparedRequest) async throws -> Credential? { credential }
}

extension PreparedRequest {
    /// The request with a credential, and with rules that hide its field from all that comes after.
    fileprivate func carrying(_ credential: Credential?, _ context: CallContext) -> PreparedRequest {
        guard let credential else { return self }
        var request = self
        request.head.headerFields[fields: credential.field] = [credential.line]
        let redaction = options.redaction ?? context.environment.redaction
        if !redaction.isSensitive(credential.field), redaction != .disabled {
            var stricter = redaction
            stricter.fieldNames.insert(credential.field.canonicalName)
            request.options.redaction = stricter
        }
        return request
    }
}
