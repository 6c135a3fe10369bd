/// The end of an item, or the reason why it's parked.
public enum OutboxOutcome: Sendable, Hashable {
    /// The server has accepted the request.
    case completed(OutboxItem)
    /// The request isn't sent until it's retried: ``OutboxItem/parkReason``.
    case parked(OutboxItem)
    /// The item was dropped.
    case dropped(OutboxItem)

    /// Creates the outcome of an item; nil if it's still under way.
    init?(_ item: OutboxItem) {
        switch item.state {
        case .completed: self = .completed(item)
        case .parked: self = .parked(item)
        case .dropped: self = .dropped(item)
        case .queued, .sending, .waiting: return nil
        }
    }

    /// The item.
    public var item: OutboxItem {
        switch self {
        case .completed(let item), .parked(let item), .dropped(let item): item
        }
    }
}
