public import NetCore

extension EventSource {
    /// Whether a source is connected.
    public enum ReadyState: Sendable, Hashable {
        /// No connection, and one is made or waited for.
        case connecting
        /// Events arrive.
        case open
        /// Nobody iterates the source, or it is over.
        case closed
    }

    /// When a source connects again, and what it sends.
    public struct Configuration: Sendable {
        /// The id to begin with, such as one that an earlier run kept. Default none.
        public var lastEventID: String
        /// The wait before another connection, until the server sets it with `retry`. Default 3 s.
        public var reconnectionTime: Duration
        /// The longest such time that a server may set. Default 300 s.
        public var maximumReconnectionTime: Duration
        /// What is added to it from the second failure in a row on. Default base 1 s, factor 2, cap 30 s, full jitter.
        public var backoff: Backoff
        /// Attempts that may fail one after another; nil for no limit, 0 never connects again. Default nil.
        public var maximumAttempts: Int?
        /// Statuses after which it connects again; any other than 200 ends it for ever. Default none, as the standard says;
        /// ``transientStatuses`` are those that may pass.
        public var repeatedStatuses: Set<Int>
        /// The longest `Retry-After` of such a status that is waited for; a longer one ends the source. Default 300 s.
        public var maximumRetryAfter: Duration
        /// The longest silence until the connection is taken for dead and made anew: comments count, so that a server keeps
        /// it alive with them. nil for no limit. Default 300 s.
        public var idleTimeout: Duration?
        /// The most bytes of one event; a larger one ends the source. Default 16 MiB.
        public var maximumEventBytes: Int

        /// 408, 425, 429, 500, 502, 503, 504.
        public static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

        /// The defaults, with the settings that are given.
        public init(
            lastEventID: String = "", reconnectionTime: Duration = .seconds(3),
            backoff: Backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(30)), maximumAttempts: Int? = nil,
            repeatedStatuses: Set<Int> = [], idleTimeout: Duration? = .seconds(300)
        ) {
            self.lastEventID = lastEventID
            self.reconnectionTime = reconnectionTime
            self.backoff = backoff
            self.maximumAttempts = maximumAttempts
            self.repeatedStatuses = repeatedStatuses
            self.idleTimeout = idleTimeout
            maximumReconnectionTime = .seconds(300)
            maximumRetryAfter = .seconds(300)
            maximumEventBytes = 16 << 20
        }
    }
}
