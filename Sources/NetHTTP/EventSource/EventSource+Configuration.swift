public import NetCore

extension EventSource {
    /// The state of a source's connection.
    public enum ReadyState: Sendable, Hashable {
        /// A connection is being established, or will be after a wait.
        case connecting
        /// The source receives events.
        case open
        /// The source isn't iterated, or has ended.
        case closed
    }

    /// The rules for reconnecting, and the limits of a source.
    public struct Configuration: Sendable {
        /// The initial event ID, such as one that was stored in an earlier run. Default none.
        public var lastEventID: String
        /// The wait before reconnecting, until the server sets it with `retry`. Default 3 s.
        public var reconnectionTime: Duration
        /// The maximum reconnection time that a server may set. Default 300 s.
        public var maximumReconnectionTime: Duration
        /// The rules for reconnecting. Default: an unlimited number of attempts, but not after a status other than
        /// 200, as the standard requires; ``NetCore/ReconnectTable/statuses`` are those of temporary failures.
        public var reconnect: ReconnectPolicy
        /// The maximum silence before the connection counts as lost and is replaced; nil for no limit. Default 300 s.
        /// Comments count as activity, so a server can keep the connection alive with them.
        public var idleTimeout: Duration?
        /// The maximum size of an event in bytes; a larger one ends the source. Default 16 MiB.
        public var maximumEventBytes: Int

        /// Creates a configuration with the defaults, except for the given settings.
        public init(
            lastEventID: String = "", reconnectionTime: Duration = .seconds(3),
            reconnect: ReconnectPolicy = ReconnectPolicy(statuses: ReconnectTable()),
            idleTimeout: Duration? = .seconds(300)
        ) {
            self.lastEventID = lastEventID
            self.reconnectionTime = reconnectionTime
            self.reconnect = reconnect
            self.idleTimeout = idleTimeout
            maximumReconnectionTime = .seconds(300)
            maximumEventBytes = 16 << 20
        }
    }
}
