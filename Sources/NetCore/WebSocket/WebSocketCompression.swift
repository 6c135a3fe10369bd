/// The compression settings of a WebSocket's messages, which this side offers or accepts: permessage-deflate (RFC
/// 7692).
///
/// The peer may decline compression; the WebSocket then works without it. A server may also decline a client's limits
/// of ``receiving``. ``WebSocketLink/compression`` has the agreed settings.
///
///     var request = WebSocketRequest("rooms/7")
///     request.compression = WebSocketCompression()
///
/// Compression costs memory for each connection that keeps its windows between messages: 256 KiB to send with the
/// defaults, and up to 40 KiB to receive. With ``withoutContext``, an idle connection costs no memory, but messages
/// are larger, because they can't refer to earlier ones.
public struct WebSocketCompression: Sendable, Hashable {
    /// One direction of a WebSocket.
    public struct Direction: Sendable, Hashable {
        /// The size of the window, as a power of two: 9 to 15. Values outside are clamped. Default 15, which is 32 KiB.
        public var windowBits: Int { didSet { windowBits = min(max(windowBits, 9), 15) } }
        /// True if a message may refer to earlier ones, which makes similar messages small; the window is then kept
        /// for the life of the connection. Default true.
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
    /// The minimum size in bytes of a compressed message. Shorter ones are sent uncompressed, and so are, without a
    /// context, messages that compression wouldn't make smaller. 0 compresses every message regardless of the result.
    /// Default 128.
    public var minimumBytes: Int
    /// The compression effort for sending: 1, the fastest, to 9. Values outside are clamped. Default 3, which takes
    /// about half the time of zlib's own default, 6, and makes JSON a tenth larger.
    public var level: Int { didSet { level = min(max(level, 1), 9) } }
    /// The memory for sending, in addition to the window: 1 to 9, where each step doubles it. Values outside are
    /// clamped. Default 8, which is 128 KiB.
    public var memoryLevel: Int { didSet { memoryLevel = min(max(memoryLevel, 1), 9) } }
    /// The behavior of a client with a server that compresses, but doesn't keep to ``receiving``, such as tornado and
    /// uWebSockets. True offers a second time without these limits (RFC 7692 section 7.1.3), so that the messages are
    /// compressed and the server's window costs up to 40 KiB. False fails the handshake, for a program that needs the
    /// memory. Default true. A server that doesn't compress at all is accepted in both cases.
    public var fallsBack: Bool

    /// Creates settings.
    public init(
        sending: Direction = Direction(), receiving: Direction = Direction(), minimumBytes: Int = 128, level: Int = 3,
        memoryLevel: Int = 8, fallsBack: Bool = true
    ) {
        self.sending = sending
        self.receiving = receiving
        self.minimumBytes = minimumBytes
        self.level = min(max(level, 1), 9)
        self.memoryLevel = min(max(memoryLevel, 1), 9)
        self.fallsBack = fallsBack
    }

    /// Compression in which messages don't refer to earlier ones: an idle connection costs no memory.
    public static let withoutContext = WebSocketCompression(
        sending: Direction(takesOverContext: false), receiving: Direction(takesOverContext: false))
}

/// The choice to compress a single message, on a WebSocket with ``WebSocketCompression``.
public enum MessageCompression: Sendable, Hashable {
    /// Compresses messages of at least ``WebSocketCompression/minimumBytes``.
    case automatic
    /// Compresses the message regardless of its size.
    case always
    /// Sends the message uncompressed: for data that is already compressed, such as pictures, and for secrets next to
    /// text that others choose, because the compressed size would reveal information about the secret (RFC 7692
    /// section 8).
    case never
}
