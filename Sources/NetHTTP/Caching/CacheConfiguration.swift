public import NetCore

extension CacheMiddleware {
    /// What a cache may keep, and for whom.
    public struct Configuration: Sendable {
        /// Whether it serves several users: then nothing `private` is stored, answers to credentials only where the server
        /// allows it, and `s-maxage` and `proxy-revalidate` count. Default false.
        public var isShared: Bool
        /// How long a response is fresh of which neither the server nor `Last-Modified` says anything. Default nil: not at
        /// all.
        public var defaultLifetime: Duration?
        /// The largest body that is stored, in bytes. Default 16 MiB. A store may have a lower limit.
        public var maximumBodyBytes: Int64
        /// Whether answers get a `Cache-Status` field that says what the cache did (RFC 9211). Default true.
        public var addsCacheStatus: Bool
        /// Keeps apart what has one URL: return a user, a tenant. Default nil: nothing.
        public var partition: (@Sendable (PreparedRequest) -> String)?
        /// Rewrites the URL that a response is stored under, given without its fragment and normalized; see
        /// ``CacheKey/withoutQuery(_:)``. URLs that become one share one response. A result that isn't an absolute URL
        /// changes nothing. Default nil.
        public var keyURL: (@Sendable (String) -> String)?
        /// Returns true for a request with another method than `GET` or with a body that only reads, such as a GraphQL
        /// query by `POST`. Default nil: none does.
        ///
        /// The response is stored and served like that of a `GET`, under a key that includes the method, the
        /// `Content-Type` and the body. A stale one is requested anew, since conditions are defined for `GET` only. A body
        /// that is streamed can't be part of a key: such a request is sent as it is.
        public var onlyReads: (@Sendable (PreparedRequest) -> Bool)?

        /// The defaults, with the settings that are given.
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
