/// One event of an event stream (HTML Standard section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event; `message` if the stream doesn't specify one.
    public var event: String
    /// The data: all `data` lines of the event, joined by line feeds.
    public var data: String
    /// The most recent ID in the stream, from this event or an earlier one; empty if there is none.
    public var lastEventID: String
    /// The reconnection time; nil if this event's block doesn't set one.
    public var retry: Duration?

    /// Creates an event.
    public init(event: String = "message", data: String, lastEventID: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.lastEventID = lastEventID
        self.retry = retry
    }
}
