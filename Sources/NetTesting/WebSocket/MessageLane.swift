/// One direction of a WebSocket in memory: what was sent and not taken yet, bounded. Pure; ``MessagePipe`` drives it.
///
///     state    append               take                end
///     empty    taken → filled       wait                ended
///     filled   taken, or full       elements → empty    ending
///     ending   ended                elements → ended    –
///     ended    ended                ended               –
struct MessageLane<Element: Sendable> {
    typealias Waiter = CheckedContinuation<Void, Never>

    enum AppendAction {
        case taken(receiver: Waiter?)
        case full
        case ended
    }

    enum TakeAction {
        case elements([Element], senders: [Waiter])
        case ended
        case wait
    }

    private let limit: Int
    private var elements: [Element] = []
    private var bytes = 0
    private(set) var hasEnded = false
    private var receiver: (id: UInt64, waiter: Waiter)?
    private var senders: [(id: UInt64, waiter: Waiter)] = []

    init(limit: Int) {
        self.limit = limit
    }

    var hasReceiver: Bool { receiver != nil }

    /// Takes an element while there is less than the limit, so that one larger than the limit goes through too.
    mutating func append(_ element: Element, bytes size: Int) -> AppendAction {
        guard !hasEnded else { return .ended }
        guard bytes < limit else { return .full }
        // What an element costs beside its payload, so that a flood of empty ones is bounded too.
        bytes += size + 64
        elements.append(element)
        return .taken(receiver: receiver.take()?.waiter)
    }

    mutating func take() -> TakeAction {
        guard !elements.isEmpty else { return hasEnded ? .ended : .wait }
        defer { (elements, bytes, senders) = ([], 0, []) }
        return .elements(elements, senders: senders.map(\.waiter))
    }

    /// Nothing more comes; what is there can still be taken, unless it is dropped.
    mutating func end(dropping: Bool) -> [Waiter] {
        hasEnded = true
        if dropping { elements = [] }
        defer { (receiver, senders) = (nil, []) }
        return senders.map(\.waiter) + (receiver.map { [$0.waiter] } ?? [])
    }

    /// Lets a receiver wait; false when it need not or may not.
    mutating func waitToTake(_ id: UInt64, _ waiter: Waiter) -> Bool {
        guard elements.isEmpty, !hasEnded, receiver == nil else { return false }
        receiver = (id, waiter)
        return true
    }

    /// Lets a sender wait; false when it need not.
    mutating func waitToAppend(_ id: UInt64, _ waiter: Waiter) -> Bool {
        guard bytes >= limit, !hasEnded else { return false }
        senders.append((id, waiter))
        return true
    }

    /// Takes a cancelled task out of the waiting ones.
    mutating func cancel(_ id: UInt64) -> Waiter? {
        if receiver?.id == id { return receiver.take()?.waiter }
        guard let index = senders.firstIndex(where: { $0.id == id }) else { return nil }
        return senders.remove(at: index).waiter
    }
}
