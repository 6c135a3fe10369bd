internal import HTTPTypes
public import NetCore

/// Signs each attempt of a request (RFC 9421).
///
/// Only origins in ``scope`` get signatures, wherever redirects lead. List it last, after `RetryMiddleware`,
/// ``AuthMiddleware`` and `CompressionMiddleware`, because a signature covers the request as it is sent. A request that
/// lacks a component throws `.invalidRequest`, and a body that can be read only once throws `.encoding` if it has to be
/// hashed.
///
///     let key = SignatureKey(sharedSecret: Bytes("a long and unpredictable secret".utf8), id: "app")
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [RetryMiddleware(), MessageSignatureMiddleware(MessageSignature(key: key))]
///     }
public struct MessageSignatureMiddleware: Middleware {
    /// The signature.
    public var signature: MessageSignature
    /// The origins that get signatures. Default: the origin of the client's base URL.
    public var scope: CredentialScope
    /// True to send an unpredictable `nonce`, so that no two signatures are equal. Default false.
    public var sendsNonce: Bool

    /// Creates a middleware.
    public init(_ signature: MessageSignature, scope: CredentialScope = .baseURL, sendsNonce: Bool = false) {
        self.signature = signature
        self.scope = scope
        self.sendsNonce = sendsNonce
    }

    public var identitySource: (any IdentitySource)? { self }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard try scope.admits(request, context: context) else { return try await next(request, context) }
        let (clock, random) = (context.environment.clock, context.environment.random)
        let nonce = sendsNonce ? random.next().paddedHexadecimal + random.next().paddedHexadecimal : nil
        var signed = try await signature.sign(request, at: clock.date(), nonce: nonce)
        signed.hide(.signature, context)
        let added = signed.head.headerFields[fields: .signature]
        return try await next(signed, added.reduce(context) { $0.accounting(for: $1) })
    }
}

extension MessageSignatureMiddleware: IdentitySource {
    /// Returns the holder of the key if the request gets a signature.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        try scope.admits(request, context: context) ? signature.key.identity : .everyone
    }
}
