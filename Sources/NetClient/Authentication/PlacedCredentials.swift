public import NetCore

/// The credentials of another provider in a different part of the request. ``CredentialProvider/placed(_:)`` creates
/// it.
///
///     let key = try Credential.apiKey("a1b2").placed(.query("api_key"))
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [AuthMiddleware(key)] }
public struct PlacedCredentials: CredentialProvider {
    /// The provider of the credentials.
    public let provider: any CredentialProvider
    public let placement: CredentialPlacement

    public func credential(for request: PreparedRequest) async throws -> Credential? {
        try await provider.credential(for: request)
    }

    public func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
        try await provider.refreshed(from: rejected, for: request)
    }

    public func identity(for request: PreparedRequest) async throws -> CallIdentity {
        try await provider.identity(for: request)
    }
}

extension CredentialProvider {
    /// Returns the same credentials for another part of the request: a query item, a cookie, or a subprotocol.
    public func placed(_ placement: CredentialPlacement) -> PlacedCredentials {
        PlacedCredentials(provider: self, placement: placement)
    }

    /// Returns the same credentials in the place that a security scheme defines for API keys: the query or a cookie.
    /// Credentials of other schemes, and keys in a header, stay in the header that they name.
    ///
    ///     let scheme = SecurityScheme("key", .apiKey(name: "api_key", in: .query))
    ///     let auth = AuthMiddleware(schemes: [scheme.name: try Credential.apiKey("a1b2").placed(for: scheme)])
    public func placed(for scheme: SecurityScheme) -> PlacedCredentials {
        switch scheme.kind {
        case .apiKey(let name, in: .query): placed(.query(name))
        case .apiKey(let name, in: .cookie): placed(.cookie(name))
        default: placed(placement)
        }
    }

    /// The provider itself, without a placement around it.
    var unplaced: any CredentialProvider { (self as? PlacedCredentials)?.provider.unplaced ?? self }
}

extension PlacedCredentials: CustomStringConvertible, CustomReflectable {
    /// Only the placement.
    public var description: String { "credentials in \(placement)" }
    public var customMirror: Mirror { Mirror(self, children: ["placement": placement], displayStyle: .struct) }
}
