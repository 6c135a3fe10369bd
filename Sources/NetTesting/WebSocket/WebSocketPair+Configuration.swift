public import NetCore

extension WebSocketPair {
    /// The settings of a pair.
    ///
    ///     let clock = TestClock()
    ///     var configuration = WebSocketPair.Configuration(clock: clock.netClock)
    ///     configuration.client.liveness = WebSocketLiveness()
    ///     let pair = WebSocketPair(configuration: configuration)
    public struct Configuration: Sendable {
        /// The settings of one end.
        public struct End: Sendable {
            /// The maximum size of a received message in bytes; a larger one ends the connection with 1009. Default
            /// 1 MiB.
            public var maximumMessageBytes = 1 << 20
            /// The settings for detecting that the other end is gone. Default nil: no detection.
            public var liveness: WebSocketLiveness?
        }

        /// The clock of both ends. Default: the system's.
        public var clock: NetClock
        /// The random numbers of the frames' masks. Default: the system's.
        public var random = NetRandom.system
        /// The compression that both ends agree on, as the client sees it. Default nil: none.
        public var compression: WebSocketCompression?
        /// The simulated failures. Default none.
        public var faults = WebSocketFaults()
        /// The number of bytes in transit in one direction at which senders suspend, and the number of bytes in
        /// unreceived messages at which an end stops reading. Default 1 MiB.
        public var bufferBytes = 1 << 20
        /// The settings of the client's end.
        public var client = End()
        /// The settings of the server's end.
        public var server = End()

        /// Creates a configuration with the defaults.
        public init(clock: NetClock = .system) {
            self.clock = clock
        }
    }
}
