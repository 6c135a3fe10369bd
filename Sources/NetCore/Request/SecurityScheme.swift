/// A way to authenticate requests that a server offers, as declared by an API description.
///
///     let key = SecurityScheme("api_key", .apiKey(name: "X-Key", in: .header))
///     let login = SecurityScheme(
///         "login", .oauth2([OAuthFlow(.clientCredentials, tokenURL: "https://auth.example.com/token", scopes: ["read": ""])]))
public struct SecurityScheme: Sendable, Hashable {
    /// The part of a request that carries an API key.
    public enum Place: String, Sendable, Hashable, CaseIterable {
        case header, query, cookie
    }

    /// The kinds of schemes.
    public enum Kind: Sendable, Hashable {
        /// A key with a name: of a header, of a query item, or of a cookie.
        case apiKey(name: String, in: Place)
        /// A user name and a password in `Authorization` (RFC 7617).
        case basic
        /// A token in `Authorization` (RFC 6750); `format` is a hint such as `JWT`.
        case bearer(format: String?)
        /// Another scheme of HTTP authentication, such as `digest`.
        case http(scheme: String)
        /// An OAuth 2 access token, obtained by one of these flows.
        case oauth2([OAuthFlow])
        /// An access token of an OpenID provider, whose configuration is at this URL.
        case openIDConnect(url: String)
        /// The client's certificate.
        case mutualTLS
    }

    /// The name by which ``SecurityRequirements`` refer to the scheme.
    public var name: String
    /// The kind of scheme.
    public var kind: Kind

    /// Creates a scheme.
    public init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// A flow by which a client obtains an OAuth 2 access token (RFC 6749), as declared by an API description.
public struct OAuthFlow: Sendable, Hashable {
    /// The kinds of flows.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
        case authorizationCode, implicit, password, clientCredentials, deviceAuthorization
    }

    /// The kind of flow.
    public var grant: Grant
    /// The URL where a user grants access; nil if the flow has none.
    public var authorizationURL: String?
    /// The URL where a device requests its code (RFC 8628); nil if the flow has none.
    public var deviceAuthorizationURL: String?
    /// The URL that issues tokens; nil if the flow has none.
    public var tokenURL: String?
    /// The URL that renews tokens; nil uses ``tokenURL``. Default nil.
    public var refreshURL: String?
    /// The scopes by name, each with a human-readable description.
    public var scopes: [String: String]

    /// Creates a flow.
    public init(
        _ grant: Grant, authorizationURL: String? = nil, deviceAuthorizationURL: String? = nil, tokenURL: String? = nil,
        refreshURL: String? = nil, scopes: [String: String] = [:]
    ) {
        self.grant = grant
        self.authorizationURL = authorizationURL
        self.deviceAuthorizationURL = deviceAuthorizationURL
        self.tokenURL = tokenURL
        self.refreshURL = refreshURL
        self.scopes = scopes
    }
}
