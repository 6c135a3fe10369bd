public import NetHTTP

/// The shop, with everything that its client needs: a self-renewing token, a cache, and retries.
public struct Shop: Sendable {
    public let client: HTTPClient
    public let api: BookshopClient

    /// - Parameter transport: The transport for the requests. Default: over the network.
    public init(at url: String, transport: (any HTTPTransport)? = nil) throws {
        let base = try BaseURL(url)
        let transport = transport ?? CurlTransport()
        let login = OAuthClient(
            tokenURL: "oauth/token", clientID: "new-user", clientSecret: "s3cret",
            client: HTTPClient(baseURL: base, transport: transport))
        client = HTTPClient(baseURL: base, transport: transport) {
            $0.middleware = [
                RetryMiddleware(RetryPolicy(maximumAttempts: 4, backoff: .constant(.milliseconds(1)))),
                CacheMiddleware(MemoryCacheStore()),
                AuthMiddleware(schemes: ["login": login.credentials(scopes: ["books:read"])]),
            ]
        }
        api = BookshopClient(client)
    }

    /// Returns the titles of the whole catalog, page by page.
    public func titles() async throws -> [String] {
        var titles: [String] = []
        for try await page in api.books.listBooks.pages(.init(limit: 5)) {
            titles += page.value.items.map(\.title)
        }
        return titles
    }
}

extension Item {
    /// The title for printing.
    public var title: String {
        switch self {
        case .book(let book): book.subtitle.map { "\(book.title): \($0)" } ?? book.title
        case .magazine(let magazine): "\(magazine.title), issue \(magazine.issue)"
        case .unknown: "something else"
        }
    }
}
