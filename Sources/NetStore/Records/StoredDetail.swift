/// An entry with all its stored data except the messages of a WebSocket.
public struct StoredDetail: Sendable, Hashable {
    /// The entry. Its ``StoredItem/id`` is 0 while the entry is under way.
    public var item: StoredItem
    /// The attempts of a call, in order. If there were more than 100, the first ones and the last one. For a job, the
    /// calls that it made, in every process that worked on it (``StoredAttempt/run``).
    public var attempts: [StoredAttempt]
    /// The captured headers and bodies of a call's attempts, in order.
    public var exchanges: [StoredExchange]
    /// The log lines of a call, or the calls of a job, in order. At most 1,000.
    public var owned: [StoredItem]
}
