/// The behavior of an HTTP cache for one request. It has no effect without a `CacheMiddleware`.
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
        /// The maximum time since the response became stale; nil if there is no limit.
        case staleWhileRevalidate(Duration?)
        case staleIfError(Duration?)
    }

    package let mode: Mode

    /// The behavior of RFC 9111: fresh responses are served, and stale ones are validated first, unless the server
    /// allows serving them stale.
    public static let `default` = CachePolicy(mode: .standard)
    /// The cache is neither read nor written.
    public static let noStore = CachePolicy(mode: .noStore)
    /// The cache isn't read; the response replaces the stored one.
    public static let reload = CachePolicy(mode: .reload)
    /// A stored response is validated first, even if it is fresh, unless it is both fresh and `immutable` (RFC 8246).
    public static let revalidate = CachePolicy(mode: .revalidate)
    /// A stored response is served regardless of its age. Without one, the request is sent.
    public static let cacheElseLoad = CachePolicy(mode: .cacheElseLoad)
    /// Nothing is sent. A stored response is served if the cache may serve it. Otherwise the call throws `.notCached`
    /// or, if the request accepts every status, receives a 504 (RFC 9111 section 5.2.1.7).
    public static let onlyIfCached = CachePolicy(mode: .onlyIfCached(allowsStale: false))
    /// Nothing is sent. A stored response is served regardless of its age. Otherwise the same as ``onlyIfCached``.
    public static let offline = CachePolicy(mode: .onlyIfCached(allowsStale: true))

    /// Serves a stale response immediately and renews it in the background, unless the server forbids stale responses
    /// (RFC 5861).
    ///
    /// - Parameter window: The maximum time since the response became stale. Default nil: no limit. A longer window set
    ///   by the server also applies.
    public static func staleWhileRevalidate(upTo window: Duration? = nil) -> CachePolicy {
        CachePolicy(mode: .staleWhileRevalidate(window))
    }

    /// Serves a stale response if the server can't be reached or responds with 500, 502, 503 or 504, unless the server
    /// forbids stale responses (RFC 5861).
    ///
    /// - Parameter window: The maximum time since the response became stale. Default nil: no limit. A longer window set
    ///   by the server also applies.
    public static func staleIfError(upTo window: Duration? = nil) -> CachePolicy {
        CachePolicy(mode: .staleIfError(window))
    }

    /// Creates the policy for a cache mode of the Fetch standard: `default`, `no-store`, `reload`, `no-cache`,
    /// `force-cache` or `only-if-cached`; nil for any other text.
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

    /// Creates the policy that corresponds to a case of Foundation's `URLRequest.CachePolicy`, by the name of the case:
    /// `useProtocolCachePolicy`, `reloadIgnoringLocalCacheData`, `reloadIgnoringLocalAndRemoteCacheData`,
    /// `reloadRevalidatingCacheData`, `returnCacheDataElseLoad` or `returnCacheDataDontLoad`; nil for any other text.
    public init?(urlRequestPolicy name: String) {
        switch name {
        case "useProtocolCachePolicy": self = .default
        case "reloadIgnoringLocalCacheData", "reloadIgnoringLocalAndRemoteCacheData": self = .reload
        case "reloadRevalidatingCacheData": self = .revalidate
        case "returnCacheDataElseLoad": self = .cacheElseLoad
        case "returnCacheDataDontLoad": self = .offline
        default: return nil
        }
    }

    private init(mode: Mode) { self.mode = mode }
}
