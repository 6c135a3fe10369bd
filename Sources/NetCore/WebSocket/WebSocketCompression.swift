/// The compression of a WebSocket's messages, permessage-deflate (RFC 7692): what this side offers or accepts.
///
/// The peer may decline it, and the WebSocket then works without. What was agreed is in
/// ``WebSocketLink/compression``.
///
///     var request = WebSocketRequest("rooms/7")
///     request.compression = WebSocketCompression()
///
/// Compression costs memory for each connection that keeps its windows between messages: 256 KiB to send with the
/// defaults, and up to 40 KiB to receive. ``withoutContext`` costs nothing for a connection that is quiet; its messages
/// are larger, because none refers to those before it.
public struct WebSocketCompression: Sendable, Hashable {
    /// One direction of a WebSocket.
    public struct Direction: Sendable, Hashable {
        /// The size of the window, as a power of two: 9 to 15. Values outside are clamped. Default 15, which is 32 KiB.
        public var windowBits: Int { didSet { windowBits = min(max(windowBits, 9), 15) } }
        /// True if a message may refer to those before it, which makes messages that resemble one another small; the
        /// window is then kept as long as the connection. Default true.
        public var takesOverContext: Bool

        /// Creates the settings of a direction.
        public init(windowBits: Int = 15, takesOverContext: Bool = true) {
            self.windowBits = min(max(windowBits, 9), 15)
            self.takesOverContext = takesOverContext
        }
    }

    /// The messages that this side sends.
    public var sending: Direction
    /// The messages that this side receives.
    public var receiving: Direction
    /// The size in bytes from which a message is compressed; shorter ones are sent as they are, and without a context those
    /// that wouldn't become smaller. 0 compresses every message, whatever becomes of it. Default 128.
    public var minimumBytes: Int
    /// The effort for sending: 1, the fastest, to 9. Values outside are clamped. Default 3, which takes about half of the
    /// time of zlib's own default, 6, for JSON that is a tenth larger.
    public var level: Int { didSet { level = min(max(level, 1), 9) } }
    /// The memory for sending, beyond the window: 1 to 9, where each step doubles it. Values outside are clamped. Default 8,
    /// which is 128 KiB.
    public var memoryLevel: Int { didSet { memoryLevel = min(max(memoryLevel, 1), 9) } }

    /// Creates settings.
    public init(
        sending: Direction = Direction(), receiving: Direction = Direction(), minimumBytes: Int = 128, level: Int = 3,
        memoryLevel: Int = 8
    ) {
        self.sending = sending
        self.receiving = receiving
        self.minimumBytes = minimumBytes
        self.level = min(max(level, 1), 9)
        self.memoryLevel = min(max(memoryLevel, 1), 9)
    }

    /// Compression in which no message refers to another: a quiet connection costs no memory.
    public static let withoutContext = WebSocketCompression(
        sending: Direction(takesOverContext: false), receiving: Direction(takesOverContext: false))
}

/// The choice whether one message is compressed, on a WebSocket with ``WebSocketCompression``.
public enum MessageCompression: Sendable, Hashable {
    /// Compressed from ``WebSocketCompression/minimumBytes`` on.
    case automatic
    /// Compressed, however short it is.
    case always
    /// Sent as it is: for what is compressed already, such as pictures, and for secrets beside text that others choose,
    /// whose sizes would tell about the secret (RFC 7692 section 8).
    case never
}
