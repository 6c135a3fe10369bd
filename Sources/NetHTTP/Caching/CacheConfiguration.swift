public import NetCore

extension CacheMiddleware {
    /// The rules for what a cache stores, and for whom.
    public struct Configuration: Sendable {
        /// True if the cache serves several users: it then stores nothing marked `private`, stores responses to
        /// requests with credentials only if the server allows it, and obeys `s-maxage` and `proxy-revalidate`.
        /// Default false.
        public var isShared: Bool
        /// The lifetime of a response if neither the server nor `Last-Modified` indicates one. Default nil: such a
        /// response is stale immediately.
        public var defaultLifetime: Duration?
        /// The largest body that is stored, in bytes. Default 16 MiB. A store may have a lower limit.
        public var maximumBodyBytes: Int64
        /// True if responses get a `Cache-Status` header that describes the cache's decision (RFC 9211). Default
        /// true.
        public var addsCacheStatus: Bool
        /// Returns a name, such as a user's or a tenant's, that keeps apart responses with the same URL. Default nil:
        /// nothing is kept apart.
        public var partition: (@Sendable (PreparedRequest) -> String)?
        /// Rewrites the URL that a response is stored under. The URL is passed normalized and without its fragment;
        /// see ``CacheKey/withoutQuery(_:)``. Requests whose rewritten URLs are equal share one response. A result
        /// that isn't an absolute URL changes nothing. Default nil.
        public var keyURL: (@Sendable (String) -> String)?
        /// Returns true for a request that only reads although its method isn't `GET` or it has a body, such as a
        /// GraphQL query sent by `POST`. Default nil: no such requests.
        ///
        /// The response is stored and served like that of a `GET`, under a key that includes the method, the
        /// `Content-Type` and the body. A stale response is requested anew, since conditions are defined for `GET`
        /// only. A streamed body can't be part of a key: such a request bypasses the cache.
        public var onlyReads: (@Sendable (PreparedRequest) -> Bool)?

        /// Creates a configuration with the defaults, except for the settings passed.
        public init(
            isShared: Bool = false, defaultLifetime: Duration? = nil, maximumBodyBytes: Int64 = 16 << 20,
            addsCacheStatus: Bool = true, partition: (@Sendable (PreparedRequest) -> String)? = nil,
            keyURL: (@Sendable (String) -> String)? = nil,
            onlyReads: (@Sendable (PreparedRequest) -> Bool)? = nil
        ) {
            self.isShared = isShared
            self.defaultLifetime = defaultLifetime
            self.maximumBodyBytes = maximumBodyBytes
            self.addsCacheStatus = addsCacheStatus
            self.partition = partition
            self.keyURL = keyURL
            self.onlyReads = onlyReads
        }
    }
}
