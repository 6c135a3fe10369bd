/// The end of an item, or its parking.
public enum OutboxOutcome: Sendable, Hashable {
    /// The server has accepted the request.
    case completed(OutboxItem)
    /// The item isn't sent until it's retried: see ``OutboxItem/parkReason``.
    case parked(OutboxItem)
    /// The item was dropped.
    case dropped(OutboxItem)

    /// Creates the outcome of an item; nil if the item is still under way.
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
