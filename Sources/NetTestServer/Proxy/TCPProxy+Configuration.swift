#if Server
public import NetTesting

extension TCPProxy {
    /// The treatment of the bytes in one direction. Times are real time: a proxy has no injected clock.
    public struct Direction: Sendable, Hashable {
        /// The delay of every byte. Default zero.
        public var latency: Duration
        /// The maximum number of bytes per second; nil for no limit. Default nil.
        public var bytesPerSecond: Int?
        /// The maximum number of bytes per write, so that the peer reads small pieces; nil writes the bytes as they
        /// arrive. Default nil.
        public var sliceBytes: Int?
        /// Ends each connection after a number of its bytes have been forwarded. Default nil.
        public var cut: Cut?

        /// Creates the settings of one direction.
        public init(
            latency: Duration = .zero, bytesPerSecond: Int? = nil, sliceBytes: Int? = nil, cut: Cut? = nil
        ) {
            self.latency = latency
            self.bytesPerSecond = bytesPerSecond
            self.sliceBytes = sliceBytes
            self.cut = cut
        }

        /// Forwards bytes as they arrive.
        public static let clear = Direction()
        /// Forwards nothing, without reporting an error: bytes are accepted and discarded.
        public static let blackhole = Direction(cut: Cut(afterBytes: 0, form: .stall))
    }

    /// The point and form of a cut.
    public struct Cut: Sendable, Hashable {
        /// The number of bytes that are forwarded before the cut.
        public var afterBytes: Int64
        /// `close` and `reset` end both sides of the connection; `stall` discards the rest of this direction.
        public var form: ConnectionDrop.Form

        /// Creates a cut.
        public init(afterBytes: Int64, form: ConnectionDrop.Form) {
            self.afterBytes = max(0, afterBytes)
            self.form = form
        }
    }

    /// The settings of both directions.
    public struct Configuration: Sendable, Hashable {
        /// From the client to the server. Default ``Direction/clear``.
        public var toServer: Direction
        /// From the server to the client. Default ``Direction/clear``.
        public var toClient: Direction

        /// Creates a configuration.
        public init(toServer: Direction = .clear, toClient: Direction = .clear) {
            self.toServer = toServer
            self.toClient = toClient
        }
    }

    /// The counters of a proxy since its start.
    public struct Statistics: Sendable, Hashable {
        /// Accepted connections.
        public var connections = 0
        /// Currently open connections on the client's side.
        public var openConnections = 0
        /// Connections for which the server could not be reached.
        public var unreachable = 0
        /// Connections that a ``Cut`` ended or stalled.
        public var cuts = 0
        /// Bytes forwarded to servers.
        public var bytesToServer: Int64 = 0
        /// Bytes forwarded to clients.
        public var bytesToClient: Int64 = 0
        /// Writes to clients; with ``Direction/sliceBytes``, the number of slices.
        public var writesToClient = 0
        /// Discarded bytes.
        public var bytesDiscarded: Int64 = 0

        /// Creates statistics with all counters at zero.
        public init() {}
    }
}
#endif
