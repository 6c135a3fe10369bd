/// One event of an event stream (HTML Standard section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type. `message` where the stream names none.
    public var event: String
    /// The data: the `data` lines joined by a line feed.
    public var data: String
    /// The last id the stream has given, with this event or before it; empty where there is none.
    public var lastEventID: String
    /// The reconnection time, where this event's block sets one.
    public var retry: Duration?

    /// Puts the parts together.
    public init(event: String = "message", data: String, lastEventID: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.lastEventID = lastEventID
        self.retry = retry
    }
}
