internal import NetCore

/// One direction of an in-memory WebSocket: a bounded list of elements that were sent and haven't been received. A pure
/// value; ``MessagePipe`` drives it.
///
/// | state | `append` | `take` | `end` |
/// |---|---|---|---|
/// | empty | filled | waits | ended |
/// | filled | filled, or waits at the limit | returns all: empty | ending |
/// | ending | refused | returns all: ended | – |
/// | ended | refused | ended | – |
struct MessageLane<Element: Sendable> {
    typealias Tasks = WaiterList<Void>

    enum AppendAction {
        case taken(receiver: Tasks.Waiter?)
        case wait(Tasks.ID)
        case ended
    }

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
    private var receiver: Tasks.ID?
    private var senders: [Tasks.ID] = []
    /// The tasks that wait, in either direction.
    var tasks = Tasks()

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends an element if the size is below the limit, so an element larger than the limit can pass, too.
    mutating func append(_ element: Element, bytes size: Int) -> AppendAction {
        guard !hasEnded else { return .ended }
        guard bytes < limit else {
            let id = tasks.register()
            senders.append(id)
            return .wait(id)
        }
        // The 64 bytes bound the number of empty elements.
        bytes += size + 64
        elements.append(element)
        return .taken(receiver: receiver.take().flatMap { tasks.release($0, with: ()) })
    }

    mutating func take() -> TakeAction {
        guard elements.isEmpty else {
            defer { (elements, bytes, senders) = ([], 0, []) }
            return .elements(elements, senders: senders.compactMap { tasks.release($0, with: ()) })
        }
        if hasEnded { return .ended }
        guard receiver == nil else { return .busy }
        let id = tasks.register()
        receiver = id
        return .wait(id)
    }

    /// Refuses further elements. Present ones can still be taken, unless they are dropped.
    mutating func end(dropping: Bool) -> [Tasks.Waiter] {
        hasEnded = true
        if dropping { elements = [] }
        (receiver, senders) = (nil, [])
        return tasks.releaseAll(with: ())
    }

    /// Removes a task that has stopped waiting.
    mutating func leave(_ id: Tasks.ID) {
        if receiver == id { receiver = nil }
        senders.removeAll { $0 == id }
        tasks.forget(id)
    }
}
