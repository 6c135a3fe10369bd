/// What a listener wants to receive. What no listener wants isn't made.
public struct ActivityInterest: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The events of calls.
    public static let calls = ActivityInterest(rawValue: 1)
    /// When WebSockets open and end, and the round trips of their pings.
    public static let sockets = ActivityInterest(rawValue: 2)
    /// Each frame of a WebSocket as well: messages, their parts, pings, pongs and close frames.
    public static let socketFrames = ActivityInterest(rawValue: 4)
    /// The beginning of each text message that is JSON, redacted; includes nothing else of a message.
    public static let socketPreviews = ActivityInterest(rawValue: 8)
    /// What sessions over WebSockets do: waits, joins, commands with their durations, subscriptions.
    public static let sessions = ActivityInterest(rawValue: 16)
    /// What WebSocket servers do: handshakes, connections, channels, commands with their durations, draining.
    public static let socketServers = ActivityInterest(rawValue: 32)
    /// The headers that each attempt of a call has sent and received, with its trailers and the sizes of its bodies
    /// (``CapturedAttempt``), also of a response that a cache has served.
    public static let fields = ActivityInterest(rawValue: 64)
    /// The same with the beginning of both bodies, as ``CaptureLimits`` say.
    public static let bodies = ActivityInterest(rawValue: 128)
    /// The messages of WebSockets (``CapturedSocketMessage``), up to the bytes of ``CaptureLimits``.
    public static let socketMessages = ActivityInterest(rawValue: 256)
    /// What jobs do: downloads, uploads and items of an outbox.
    public static let jobs = ActivityInterest(rawValue: 512)
}
