/// The kinds of activity that a listener receives. Activity that no listener is interested in isn't created.
public struct ActivityInterest: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The events of calls.
    public static let calls = ActivityInterest(rawValue: 1)
    /// The openings and ends of WebSockets, and the round trips of their pings.
    public static let sockets = ActivityInterest(rawValue: 2)
    /// Each frame of a WebSocket as well: messages, their parts, pings, pongs and close frames.
    public static let socketFrames = ActivityInterest(rawValue: 4)
    /// The beginning of each text message that is JSON, redacted; includes nothing else of a message.
    public static let socketPreviews = ActivityInterest(rawValue: 8)
    /// The activities of sessions over WebSockets: waits, joins, commands with their durations, subscriptions.
    public static let sessions = ActivityInterest(rawValue: 16)
    /// The activities of WebSocket servers: handshakes, connections, channels, commands with their durations, draining.
    public static let socketServers = ActivityInterest(rawValue: 32)
    /// The headers that each attempt of a call sent and received, with its trailers and the sizes of its bodies
    /// (``CapturedAttempt``). Includes responses that a cache served.
    public static let headers = ActivityInterest(rawValue: 64)
    /// Like ``headers``, with the beginning of both bodies, up to the listener's ``CaptureLimits``.
    public static let bodies = ActivityInterest(rawValue: 128)
    /// The messages of WebSockets (``CapturedSocketMessage``), up to the bytes of ``CaptureLimits``.
    public static let socketMessages = ActivityInterest(rawValue: 256)
    /// The activities of jobs: downloads, uploads and outbox items.
    public static let jobs = ActivityInterest(rawValue: 512)
}
