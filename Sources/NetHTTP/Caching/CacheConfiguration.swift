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

        /// The defaults, with the settings that are given.
        public init(
            isShared: Bool = false, defaultLifetime: Duration? = nil, maximumBodyBytes: Int64 = 16 << 20,
            addsCacheStatus: Bool = true, partition: (@Sendable (PreparedRequest) -> String)? = nil
        ) {
            self.isShared = isShared
            self.defaultLifetime = defaultLifetime
            self.maximumBodyBytes = maximumBodyBytes
            self.addsCacheStatus = addsCacheStatus
            self.partition = partition
        }
    }
}
