internal import NetCore

/// One direction of an in-memory connection: a bounded list of elements that were sent and haven't been received. A
/// pure value; ``MessagePipe`` drives it.
///
/// | state | `append` | `take` | `end` |
/// |---|---|---|---|
/// | empty | filled | waits | ended |
/// | filled | filled | returns all: empty | ending, or ended if it drops them |
/// | ending | ignored | returns all: ended | – |
/// | ended | ignored | ended | – |
///
/// The senders enforce the limit: they check for room before they append.
struct MessageLane<Element: Sendable> {
    typealias Tasks = WaiterList<Void>

    enum TakeAction {
        case elements([Element], senders: [Tasks.Waiter])
        case ended
        case wait(Tasks.ID)
        /// Another task is receiving.
        case busy
    }

    private let limit: Int
    private var elements: [Element] = []
    private var bytes = 0
    private(set) var hasEnded = false
    /// True if the end has discarded the elements in transit.
    private(set) var isReset = false
    /// True if nothing is received any more, but the senders mustn't notice.
    private var isSink = false
    /// True if the receiver has taken everything it reads, and hasn't acted on it.
    private(set) var isHeld = false
    private var receiver: Tasks.ID?
    private var senders: [Tasks.ID] = []
    private var watchers: [Tasks.ID] = []
    /// The waiting tasks of both directions.
    var tasks = Tasks()

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of bytes until the lane is full. If it isn't zero, an element may exceed it.
    var room: Int { hasEnded ? limit : max(0, limit - bytes) }

    /// Returns true if less than `factor` times the limit is in the lane.
    func hasRoom(beyond factor: Int) -> Bool { hasEnded || bytes / factor < limit }

    // MARK: Sending

    /// Appends an element, even if the lane is full. Returns the receiver to resume.
    mutating func append(_ element: Element, bytes size: Int) -> Tasks.Waiter? {
        guard !hasEnded, !isSink else { return nil }
        // Adding 64 bytes limits the number of empty elements.
        bytes += size + 64
        elements.append(element)
        return receiver.take().flatMap { tasks.release($0, with: ()) }
    }

    /// Registers a sender that waits for room. Returns nil if less than `factor` times the limit is in the lane.
    mutating func registerSender(beyond factor: Int) -> Tasks.ID? {
        hasRoom(beyond: factor) ? nil : registerSender()
    }

    /// Registers a sender that waits for a turn.
    mutating func registerSender() -> Tasks.ID {
        let id = tasks.register()
        senders.append(id)
        return id
    }

    mutating func releaseSenders() -> [Tasks.Waiter] {
        defer { senders = [] }
        return senders.compactMap { tasks.release($0, with: ()) }
    }

    // MARK: Receiving

    /// Takes all elements; returns nil if more may arrive later.
    mutating func poll() -> TakeAction? {
        guard elements.isEmpty else {
            defer { (elements, bytes) = ([], 0) }
            return .elements(elements, senders: releaseSenders())
        }
        return hasEnded ? .ended : nil
    }

    mutating func take() -> TakeAction {
        if let action = poll() { return action }
        guard receiver == nil else { return .busy }
        let id = tasks.register()
        receiver = id
        return .wait(id)
    }

    // MARK: The end

    /// Ends the lane. Its elements can still be taken, unless they are dropped.
    mutating func end(dropping: Bool) -> [Tasks.Waiter] {
        if dropping, !hasEnded || !elements.isEmpty { (elements, isReset) = ([], true) }
        hasEnded = true
        (receiver, senders, watchers) = (nil, [], [])
        return tasks.releaseAll(with: ())
    }

    /// Drops all current and later elements, without an end.
    mutating func becomeSink() -> [Tasks.Waiter] {
        isSink = true
        (elements, bytes) = ([], 0)
        return releaseSenders()
    }

    /// Records that the receiver has taken everything it reads.
    mutating func hold() -> [Tasks.Waiter] {
        isHeld = true
        defer { watchers = [] }
        return watchers.compactMap { tasks.release($0, with: ()) }
    }

    /// Registers a task that waits for the end or, if `orHold` is true, also for ``hold()``. Returns nil if there is
    /// nothing to wait for.
    mutating func watch(orHold: Bool) -> Tasks.ID? {
        guard !hasEnded, !(orHold && isHeld) else { return nil }
        let id = tasks.register()
        watchers.append(id)
        return id
    }

    /// Removes a task that has stopped waiting.
    mutating func leave(_ id: Tasks.ID) {
        if receiver == id { receiver = nil }
        senders.removeAll { $0 == id }
        watchers.removeAll { $0 == id }
        tasks.forget(id)
    }
}
