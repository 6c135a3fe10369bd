internal import NetCore
internal import Synchronization

/// Carries elements from any number of tasks to one, with back-pressure.
final class MessagePipe<Element: Sendable>: Sendable {
    typealias Tasks = WaiterList<Void>

    enum Refusal: Error {
        case cancelled
        /// Another task is receiving.
        case busy
    }

    private let lane: Mutex<MessageLane<Element>>

    init(limit: Int) {
        lane = Mutex(MessageLane(limit: limit))
    }

    var hasEnded: Bool { lane.withLock { $0.hasEnded } }
    /// True if the end has discarded the elements in transit.
    var isReset: Bool { lane.withLock { $0.isReset } }
    /// The number of bytes until the pipe is full.
    var room: Int { lane.withLock { $0.room } }

    /// Returns true if less than `factor` times the limit is in the pipe.
    func hasRoom(beyond factor: Int) -> Bool { lane.withLock { $0.hasRoom(beyond: factor) } }

    // MARK: Sending

    /// Appends an element, even if the pipe is full. Returns the receiver, for the caller to resume.
    func append(_ element: Element, bytes: Int) -> Tasks.Waiter? {
        lane.withLock { $0.append(element, bytes: bytes) }
    }

    /// Appends the element if there is room, for senders that mustn't wait.
    func offer(_ element: Element) {
        lane.withLock { $0.room > 0 ? $0.append(element, bytes: 0) : nil }?.resume()
    }

    /// Registers a sender that waits for room. Returns nil if less than `factor` times the limit is in the pipe.
    func registerSender(beyond factor: Int = 1) -> Tasks.ID? {
        lane.withLock { $0.registerSender(beyond: factor) }
    }

    /// Registers a sender that waits for ``wakeSenders()``.
    func registerSenderForTurn() -> Tasks.ID { lane.withLock { $0.registerSender() } }

    /// Lets the waiting senders try again.
    func wakeSenders() {
        for waiter in lane.withLock({ $0.releaseSenders() }) { waiter.resume() }
    }

    /// Suspends a registered task until it is released or cancelled.
    func wait(_ id: Tasks.ID) async {
        await WaiterList.wait(id, fallback: ()) { change in lane.withLock { change(&$0.tasks) } }
        lane.withLock { $0.leave(id) }
    }

    // MARK: Receiving

    /// Returns everything in the pipe, at least one element; nil if the pipe has ended and is empty. Cancellation loses
    /// nothing, and elements that are available are still returned.
    func receive() async throws(Refusal) -> [Element]? {
        while true {
            switch lane.withLock({ $0.take() }) {
            case .elements(let elements, let senders):
                for sender in senders { sender.resume() }
                return elements
            case .ended: return nil
            case .busy: throw Task.isCancelled ? .cancelled : .busy
            case .wait(let id):
                guard !Task.isCancelled else {
                    lane.withLock { $0.leave(id) }
                    throw .cancelled
                }
                await wait(id)
            }
        }
    }

    /// Returns the elements in the pipe, possibly none; nil if the pipe has ended and is empty.
    func poll() -> [Element]? {
        switch lane.withLock({ $0.poll() }) {
        case .elements(let elements, let senders):
            for sender in senders { sender.resume() }
            return elements
        case .ended: return nil
        case .wait, .busy, nil: return []
        }
    }

    // MARK: The end

    /// Ends the pipe. Its elements can still be received, unless they are dropped.
    func end(dropping: Bool = false) {
        for waiter in lane.withLock({ $0.end(dropping: dropping) }) { waiter.resume() }
    }

    /// Drops all current and later elements, without an end that senders would notice.
    func becomeSink() {
        for waiter in lane.withLock({ $0.becomeSink() }) { waiter.resume() }
    }

    /// Records that the receiver has taken everything it reads, and hasn't acted on it.
    func hold() {
        for waiter in lane.withLock({ $0.hold() }) { waiter.resume() }
    }

    /// Waits until the pipe has ended or, if `orHold` is true, until its receiver holds an end. Throws
    /// `CancellationError` if the task is cancelled first.
    func waitForEnd(orHold: Bool = false) async throws {
        while let id = lane.withLock({ $0.watch(orHold: orHold) }) {
            if Task.isCancelled {
                lane.withLock { $0.leave(id) }
                throw CancellationError()
            }
            await wait(id)
        }
    }
}
