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
}
