internal import HTTPTypes
internal import NetCore

/// An endpoint of an authorization server: an absolute URL, or a path and query relative to the client's base URL.
struct OAuthEndpoint: Sendable {
    let text: String

    private var reference: URLReference { URLReference(text) }
    private var isAbsolute: Bool { reference.scheme != nil }

    var path: Path {
        var path = Path()
        if !isAbsolute { path.append(escaped: String(reference.path.drop { $0 == "/" })) }
        return path
    }

    var query: QueryItems {
        guard !isAbsolute, let query = reference.query else { return [] }
        let items = query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return QueryItem(
                PercentEncoding.decode(parts[0]), parts.count > 1 ? String(parts[1]) : nil, isEncoded: true)
        }
        return QueryItems(items)
    }

    /// The options of a request to the endpoint with a name for logs.
    func options(_ name: String) -> RequestOptions {
        var options = isAbsolute ? RequestOptions(absoluteURL: text) : RequestOptions()
        options.maximumResponseBytes = 1 << 20
        options.metadata = RequestMetadata(name: name)
        // The endpoint authenticates the app itself, whatever the client's other requests need.
        options.metadata.security = SecurityRequirements.none
        options.onRedirect = Self.judge
        return options
    }

    /// Follows redirects within the origin only, such as `/token` → `/token/`: a form contains secrets, which are meant
    /// for this server, and a redirect with the status 307 or 308 would send them again.
    private static func judge(_ redirect: ProposedRedirect) -> RedirectChoice {
        if redirect.request.origin == redirect.original.origin { return .follow() }
        let location = RedactionPolicy.safeDefault.redact(url: redirect.request.url)
        return .fail("the endpoint redirects to another origin, \(location); if that is right, use it as the endpoint")
    }
}

/// A request with a form to an endpoint.
struct OAuthRequest<Value: Decodable & Sendable>: APIRequest {
    typealias Response = Value
    typealias Failure = OAuthError

    let endpoint: OAuthEndpoint
    let name: String
    var form: QueryItems
    var headers: HTTPFields = [:]

    var path: Path { endpoint.path }
    var query: QueryItems { endpoint.query }
    var method: HTTPRequest.Method { .post }
    var body: RequestBody { .form(form) }
    var options: RequestOptions { endpoint.options(name) }
}

/// The page of an authorization server that a browser opens; never sent by this library.
struct OAuthPage: APIRequest {
    typealias Response = Void

    let endpoint: OAuthEndpoint
    let added: QueryItems

    var path: Path { endpoint.path }
    var query: QueryItems { endpoint.query + added }
    var options: RequestOptions { endpoint.options("oauth-login") }
}
