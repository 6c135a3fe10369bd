public import NetCore

extension SecurityScheme {
    /// Returns the providers for ``AuthMiddleware/init(schemes:otherwise:scope:challenges:)``, by the names of their
    /// schemes and in the part of the request that each scheme declares: an API key in the query or in a cookie is
    /// placed there.
    ///
    ///     let key = SecurityScheme("key", .apiKey(name: "api_key", in: .query))
    ///     let login = SecurityScheme("login", .bearer(format: "JWT"))
    ///     let providers = SecurityScheme.providers([
    ///         key: try Credential.apiKey("a1b2"), login: try Credential.bearer("c3d4"),
    ///     ])
    ///     let client = HTTPClient(baseURL: "https://api.example.com") {
    ///         $0.middleware = [AuthMiddleware(schemes: providers)]
    ///     }
    ///
    /// The credential determines the header name of an API key. If two schemes have the same name, one of them is used.
    public static func providers(
        _ providers: [SecurityScheme: any CredentialProvider]
    ) -> [String: any CredentialProvider] {
        Dictionary(providers.map { ($0.name, $0.placing($1)) }, uniquingKeysWith: { first, _ in first })
    }

    private func placing(_ provider: any CredentialProvider) -> any CredentialProvider {
        switch kind {
        case .apiKey(let name, in: .query): provider.placed(.query(name))
        case .apiKey(let name, in: .cookie): provider.placed(.cookie(name))
        default: provider
        }
    }
}
