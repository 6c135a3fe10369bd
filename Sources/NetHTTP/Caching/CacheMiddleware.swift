internal import HTTPTypes
public import NetCore

/// Stores responses and reuses them as defined in RFC 9111, with RFC 5861 (`stale-while-revalidate`,
/// `stale-if-error`) and RFC 8246 (`immutable`).
///
/// Bodies are stored while they are read, at the consumer's pace; a body that isn't read to its end isn't stored. The
/// cache's decisions are reported in the call's activity, in its trace, and in the `Cache-Status` header. Put it after
/// cookies and before authentication and ``RetryMiddleware``.
///
/// A response belongs to the identity that requested it (``NetCore/CallIdentity``), in any order of middleware:
/// another login never gets it, and a hit needs no token. Only responses that a shared cache may store for everyone
/// (`public`, RFC 9111 section 3.5) and responses to requests marked as ``NetCore/CallIdentity/everyone``'s are
/// shared. A response to credentials that your own middleware adds further inside isn't stored, unless that
/// middleware has an ``NetCore/IdentitySource``.
///
///     let cache = CacheMiddleware(MemoryCacheStore())
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [cache, RetryMiddleware()] }
///     var request = Request<Bytes>("/news", serializer: .bytes)
///     request.options.cachePolicy = .staleIfError(upTo: .seconds(3600))
///     let news = try await client.send(request)
///     print(news.count)
public struct CacheMiddleware: Middleware {
    /// The store that holds the responses.
    public let store: any HTTPCacheStore
    /// The rules for what is stored, and for whom.
    public let configuration: Configuration
    let state = CacheState()
    /// The store, if it reads files. It also gets the call, which may end before a file has been read.
    let disk: DiskCacheStore?
    /// True for stores that never wait longer than the call lasts.
    public let endsWithCall: Bool

    /// The fraction of the time since `Last-Modified` that a response stays fresh if its server doesn't specify a
    /// lifetime.
    package static let heuristicFraction = 0.1
    /// The maximum lifetime that is derived from `Last-Modified`.
    package static let heuristicMaximum = Duration.seconds(86_400)
    /// The maximum number of variants and parts under one key, in any store; beyond that, the oldest are removed.
    package static let maximumVariants = 32

    public var usesIdentity: Bool { true }

    /// Creates a cache with a store. Default: a memory store that no other cache uses.
    public init(_ store: any HTTPCacheStore = MemoryCacheStore(), configuration: Configuration = Configuration()) {
        self.store = store
        self.configuration = configuration
        disk = store as? DiskCacheStore
        endsWithCall = disk != nil || store is MemoryCacheStore
    }

    var rules: CacheDecision.Rules {
        CacheDecision.Rules(
            isShared: configuration.isShared, defaultLifetime: configuration.defaultLifetime?.inSeconds)
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        if request.options.webSocket != nil { return try await next(request, context) }
        let context = context.identified(by: request)
        var wanted = CacheRequest(request, context)
        let target = rewritten(
            CacheKey(
                request, partition: configuration.partition?(request) ?? "",
                identity: configuration.isShared ? .everyone : wanted.identity))
        var key = target
        if wanted.method != .head, wanted.method != .get || wanted.hasBody, configuration.onlyReads?(request) == true,
            let seal = CacheKey.seal(of: request)
        {
            key = target.with(seal)
            wanted.onlyReads = true
        }
        let exchange = CacheExchange(
            cache: self, request: request, wanted: wanted, key: key, target: target, ticket: state.ticket(),
            context: context, next: next)
        let isLookedUp = wanted.method == .get || wanted.method == .head || wanted.onlyReads
        let stored = isLookedUp ? await entries(for: key, context) : []
        let now = CacheMoment(context.environment.clock)
        return try await exchange.carryOut(CacheDecision.decide(wanted, stored: stored, now: now, rules: rules))
    }

    /// The key with the URL that the configuration derives from it.
    func rewritten(_ key: CacheKey) -> CacheKey {
        guard let change = configuration.keyURL else { return key }
        return CacheKey(url: change(key.url), partition: key.partition, identity: key.identity) ?? key
    }

    func entries(for key: CacheKey, _ context: CallContext) async -> [CacheEntry] {
        if let disk { return await disk.entries(for: key, during: context) }
        return await store.entries(for: key)
    }

    func body(of hit: CacheDecision.Hit, _ context: CallContext) async -> ResponseBody? {
        if let disk { return await disk.body(of: hit.entry, slice: hit.slice, during: context) }
        return await store.body(of: hit.entry, slice: hit.slice)
    }
}
