internal import HTTPTypes
public import NetCore

/// Signs each attempt of a request with an AWS signature, version 4.
///
/// Only origins in ``scope`` get signatures, wherever redirects lead. List it last, after `RetryMiddleware` and
/// `CompressionMiddleware`, because a signature covers the request as it is sent and is valid for only a few minutes.
///
///     let keys = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret")
///     let s3 = AWSSignature(service: "s3", region: "eu-central-1")
///     let client = HTTPClient(baseURL: "https://s3.eu-central-1.amazonaws.com") {
///         $0.middleware = [RetryMiddleware(), AWSSignatureMiddleware(s3, with: keys)]
///     }
public struct AWSSignatureMiddleware: Middleware {
    /// The settings of the service.
    public var signature: AWSSignature
    /// The origins that get signatures. Default: the origin of the client's base URL.
    public var scope: CredentialScope
    private let credentials: @Sendable () async throws -> AWSCredentials
    private let holder: CallIdentity

    /// Creates a middleware that always signs with the same key.
    public init(_ signature: AWSSignature, with credentials: AWSCredentials, scope: CredentialScope = .baseURL) {
        self.init(signature, scope: scope) { credentials }
    }

    /// Creates a middleware that asks for the credentials for each attempt, for example temporary ones.
    ///
    /// - Parameters:
    ///   - signature: The settings of the service.
    ///   - scope: The origins that get signatures. Default: the origin of the client's base URL.
    ///   - credentials: Returns the credentials, which must belong to one login. An error ends the call.
    public init(
        _ signature: AWSSignature, scope: CredentialScope = .baseURL,
        credentials: @escaping @Sendable () async throws -> AWSCredentials
    ) {
        self.signature = signature
        self.scope = scope
        self.credentials = credentials
        holder = .unique()
    }

    public var identitySource: (any IdentitySource)? { self }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard try scope.admits(request, context: context) else { return try await next(request, context) }
        var signed = try await signature.sign(
            request, with: credentials(), at: context.environment.clock.date())
        var inner = context
        for name in [HTTPField.Name.authorization, .amzSecurityToken] {
            signed.hide(name, context)
            for field in signed.head.headerFields[fields: name] { inner = inner.accounting(for: field) }
        }
        return try await next(signed, inner)
    }
}

extension AWSSignatureMiddleware: IdentitySource {
    /// Returns the holder of the credentials if the request gets a signature.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        try scope.admits(request, context: context) ? holder : .everyone
    }
}

extension AWSSignatureMiddleware: CustomReflectable {
    /// The settings, without the credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["signature": signature, "scope": scope], displayStyle: .struct)
    }
}
