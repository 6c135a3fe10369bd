/// The faults of an in-memory WebSocket, for each direction.
///
/// Frames are counted as on a real connection, including those of pings, pongs and closing handshakes.
///
///     var configuration = WebSocketPair.Configuration()
///     configuration.faults = WebSocketFaults(toClient: .drop(after: .frames(2)))
///     configuration.faults.toServer = .slow(.milliseconds(20), chunkBytes: 512)
///     let pair = WebSocketPair(configuration: configuration)
///
/// A peer that has vanished is silent in both directions:
///
///     var stub = WebSocketStub.echo()
///     stub.faults = .both(.silence(after: .frames(1)))
public struct WebSocketFaults: Sendable, Hashable {
    /// The faults of the bytes that the client sends. Default none.
    public var toServer: Direction
    /// The faults of the bytes that the server sends. Default none.
    public var toClient: Direction

    /// Creates faults; none by default.
    public init(toServer: Direction = .none, toClient: Direction = .none) {
        self.toServer = toServer
        self.toClient = toClient
    }

    /// Returns the same faults for both directions.
    public static func both(_ direction: Direction) -> WebSocketFaults {
        WebSocketFaults(toServer: direction, toClient: direction)
    }

    /// A place in the bytes of one direction.
    public enum Point: Sendable, Hashable {
        /// After that many frames have arrived. With 0, nothing arrives.
        case frames(Int)
        /// After that many bytes have arrived, which can be in the middle of a frame. With 0, nothing arrives.
        case bytes(Int)
    }

    /// The way in which a direction fails. The first byte that doesn't arrive, or the last one that does, triggers it.
    public enum Failure: Sendable, Hashable {
        /// The connection ends (FIN), without a closing handshake. Bytes sent before that arrive.
        case drop
        /// The connection is reset (RST). Bytes in transit in either direction are lost.
        case reset
        /// Nothing arrives any more, not even the end of the connection, and the sender doesn't notice: a half-open
        /// connection.
        case silence
    }

    /// The faults of one direction.
    public struct Direction: Sendable, Hashable {
        /// The failure; nil for none, which is the default.
        public var failure: Failure?
        /// The place of the failure. Default: before the first frame.
        public var point: Point
        /// The pause before each chunk arrives, on the clock. Default none.
        public var pause: Duration
        /// The maximum size of a chunk, in bytes. Default: each write of the sender is one chunk.
        public var chunkBytes: Int

        /// Creates the faults of a direction; none by default.
        public init(
            failure: Failure? = nil, at point: Point = .frames(0), pause: Duration = .zero, chunkBytes: Int = .max
        ) {
            self.failure = failure
            self.point = point
            self.pause = pause
            self.chunkBytes = max(1, chunkBytes)
        }

        /// No faults.
        public static let none = Direction()

        /// Ends the connection without a closing handshake.
        public static func drop(after point: Point) -> Direction { Direction(failure: .drop, at: point) }

        /// Resets the connection.
        public static func reset(after point: Point) -> Direction { Direction(failure: .reset, at: point) }

        /// Discards everything without an error, and keeps the connection open.
        public static func silence(after point: Point) -> Direction { Direction(failure: .silence, at: point) }

        /// Pauses before each chunk.
        public static func slow(_ pause: Duration, chunkBytes: Int = .max) -> Direction {
            Direction(pause: pause, chunkBytes: chunkBytes)
        }
    }
}
