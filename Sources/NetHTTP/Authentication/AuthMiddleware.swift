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
public struct AuthMiddleware: Middleware {
    /// Where credentials come from.
    public let provider: any CredentialProvider
    /// Which origins get them. Default that of the client's base URL.
    public var scope: CredentialScope
    /// The status codes that say that a credential was not taken, never 200. Default 401.
    public var challenges: Set<Int>
    /// The credential for ever: nobody has to be asked for it.
    private var standing: Credential?

    /// Takes the parts.
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

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard try scope.admits(request, context: context) else { return try await next(request, context) }
        var credential = standing
        if credential == nil { credential = try await provider.credential(for: request) }
        let response = try await next(request.carrying(credential, context), context)
        let status = response.head.status.code
        // Most answers are good, and none of those is a challenge.
        guard status != 200, challenges.contains(status), request.isReplayable,
            let newer = try await provider.refreshed(from: credential), newer != credential
        else { return response }
        await response.body.finishOrCancel()
        var context = context
        context.record(
            .retrying(attempt: context.attempt + 1, after: .zero, reason: "status \(status), with a newer credential"))
        context.attempt += 1
        return try await next(request.carrying(newer, context), context)
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
