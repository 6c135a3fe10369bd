/// What an HTTP cache does for one request; it changes nothing where no `CacheMiddleware` is installed.
///
///     struct News: APIRequest {
///         typealias Response = Bytes
///         var path: Path { "news" }
///         var options: RequestOptions {
///             var options = RequestOptions()
///             options.cachePolicy = .staleIfError(upTo: .seconds(3600))
///             return options
///         }
///         var serializer: ResponseSerializer<Bytes> { .bytes }
///     }
public struct CachePolicy: Sendable, Hashable {
    /// The rule behind a policy.
    package enum Mode: Sendable, Hashable {
        case standard, noStore, reload, revalidate, cacheElseLoad
        case onlyIfCached(allowsStale: Bool)
        /// nil for no limit.
        case staleWhileRevalidate(Duration?)
        case staleIfError(Duration?)
    }

    package let mode: Mode

    /// As RFC 9111 says: what is fresh is served, what is stale is validated first, unless the server allows it stale.
    public static let `default` = CachePolicy(mode: .standard)
    /// The cache is neither read nor written.
    public static let noStore = CachePolicy(mode: .noStore)
    /// The cache is not read; the answer takes the place of what it has.
    public static let reload = CachePolicy(mode: .reload)
    /// What the cache has is validated first, fresh or not; what is fresh and `immutable` is served (RFC 8246).
    public static let revalidate = CachePolicy(mode: .revalidate)
    /// Whatever the cache has is served, however old it is, else the request is sent.
    public static let cacheElseLoad = CachePolicy(mode: .cacheElseLoad)
    /// Nothing is sent: what the cache may serve is served. Otherwise the call throws `.notCached`; a request that accepts every
    /// status gets a 504 (RFC 9111 section 5.2.1.7).
    public static let onlyIfCached = CachePolicy(mode: .onlyIfCached(allowsStale: false))
    /// Nothing is sent: whatever the cache has is served, however old it is. Otherwise as ``onlyIfCached``.
    public static let offline = CachePolicy(mode: .onlyIfCached(allowsStale: true))

    /// What is stale is served at once and renewed in the background, unless the server forbids it stale (RFC 5861).
    ///
    /// - Parameter window: How long after it became stale. Default no limit. A longer window of the server's counts too.
    public static func staleWhileRevalidate(upTo window: Duration? = nil) -> CachePolicy {
        CachePolicy(mode: .staleWhileRevalidate(window))
    }

    /// What is stale is served when the server cannot be reached or answers 500, 502, 503 or 504, unless the server forbids
    /// it stale (RFC 5861).
    ///
    /// - Parameter window: How long after it became stale. Default no limit. A longer window of the server's counts too.
    public static func staleIfError(upTo window: Duration? = nil) -> CachePolicy {
        CachePolicy(mode: .staleIfError(window))
    }

    /// The policy that a cache mode of the Fetch standard names: `default`, `no-store`, `reload`, `no-cache`, `force-cache`
    /// or `only-if-cached`; nil for another word.
    public init?(fetchMode: String) {
        switch fetchMode {
        case "default": self = .default
        case "no-store": self = .noStore
        case "reload": self = .reload
        case "no-cache": self = .revalidate
        case "force-cache": self = .cacheElseLoad
        case "only-if-cached": self = .offline
        default: return nil
        }
    }

    private init(mode: Mode) { self.mode = mode }
}
