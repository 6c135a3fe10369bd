/// One entry with everything stored of it but the messages of a WebSocket.
public struct StoredDetail: Sendable, Hashable {
    /// The entry. Its ``StoredItem/id`` is 0 while it is under way.
    public var item: StoredItem
    /// The attempts of a call, in order. Of more than 100, the first ones and the last one.
    public var attempts: [StoredAttempt]
    /// The captured fields and bodies of a call's attempts, in order.
    public var exchanges: [StoredExchange]
    /// The lines of the log that belong to a call, in order; the calls of a job. At most 1,000.
    public var owned: [StoredItem]
}
