#if Server
public import NetTesting

extension TCPProxy {
    /// What happens to the bytes of one direction. Times are real ones: a proxy has no injected clock.
    public struct Direction: Sendable, Hashable {
        /// How late every byte is. Default zero.
        public var latency: Duration
        /// How many bytes a second pass at most; nil for as many as come. Default nil.
        public var bytesPerSecond: Int?
        /// The most bytes of one write, so that the peer reads in small pieces; nil writes what came. Default nil.
        public var sliceBytes: Int?
        /// Ends each connection when that many of its bytes have passed. Default nil.
        public var cut: Cut?

        /// Makes settings.
        public init(
            latency: Duration = .zero, bytesPerSecond: Int? = nil, sliceBytes: Int? = nil, cut: Cut? = nil
        ) {
            self.latency = latency
            self.bytesPerSecond = bytesPerSecond
            self.sliceBytes = sliceBytes
            self.cut = cut
        }

        /// Bytes pass as they come.
        public static let clear = Direction()
        /// Nothing passes, and nobody is told: bytes are taken and thrown away.
        public static let blackhole = Direction(cut: Cut(afterBytes: 0, form: .stall))
    }

    /// Where and how a direction ends.
    public struct Cut: Sendable, Hashable {
        /// How many bytes pass before.
        public var afterBytes: Int64
        /// `close` and `reset` end both sides of the connection; `stall` throws the rest of this direction away.
        public var form: ConnectionDrop.Form

        /// Makes a cut.
        public init(afterBytes: Int64, form: ConnectionDrop.Form) {
            self.afterBytes = max(0, afterBytes)
            self.form = form
        }
    }

    /// What happens on the way to the server, and on the way back.
    public struct Configuration: Sendable, Hashable {
        /// From the client to the server. Default ``Direction/clear``.
        public var toServer: Direction
        /// From the server to the client. Default ``Direction/clear``.
        public var toClient: Direction

        /// Makes settings.
        public init(toServer: Direction = .clear, toClient: Direction = .clear) {
            self.toServer = toServer
            self.toClient = toClient
        }
    }

    /// What a proxy has counted since its start.
    public struct Statistics: Sendable, Hashable {
        /// Connections that were accepted.
        public var connections = 0
        /// Connections that are open now, on the client's side.
        public var openConnections = 0
        /// Connections for which the server could not be reached.
        public var unreachable = 0
        /// Connections that a ``Cut`` ended or stalled.
        public var cuts = 0
        /// Bytes that were passed to servers.
        public var bytesToServer: Int64 = 0
        /// Bytes that were passed to clients.
        public var bytesToClient: Int64 = 0
        /// Writes to clients: with slices, as many as there were slices.
        public var writesToClient = 0
        /// Bytes that were thrown away.
        public var bytesDiscarded: Int64 = 0

        /// Nothing counted yet.
        public init() {}
    }
}
#endif
