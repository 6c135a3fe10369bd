internal import NetCore
internal import Synchronization

/// Carries elements from any number of tasks to one, with back-pressure.
final class MessagePipe<Element: Sendable>: Sendable {
    enum Refusal: Error {
        case ended
        case cancelled
        /// Another task is receiving.
        case busy
    }

    private let lane: Mutex<MessageLane<Element>>

    init(limit: Int) {
        lane = Mutex(MessageLane(limit: limit))
    }

    /// Returns when the element is in the pipe; suspends while the pipe is full.
    func send(_ element: Element, bytes: Int) async throws(Refusal) {
        while true {
            switch lane.withLock({ $0.append(element, bytes: bytes) }) {
            case .taken(let receiver):
                receiver?.resume()
                return
            case .ended: throw .ended
            case .wait(let id): await wait(id)
            }
            if Task.isCancelled { throw .cancelled }
        }
    }

    /// Appends the element if there is room, for senders that mustn't wait.
    func offer(_ element: Element) {
        switch lane.withLock({ $0.append(element, bytes: 0) }) {
        case .taken(let receiver): receiver?.resume()
        case .wait(let id): lane.withLock { $0.leave(id) }
        case .ended: break
        }
    }

    /// Returns everything in the pipe, at least one element; nil if it has ended and is empty.
    func receive() async throws(Refusal) -> [Element]? {
        while true {
            switch lane.withLock({ $0.take() }) {
            case .elements(let elements, let senders):
                for sender in senders { sender.resume() }
                return elements
            case .ended: return nil
            case .busy: throw Task.isCancelled ? .cancelled : .busy
            case .wait(let id): await wait(id)
            }
            if Task.isCancelled { throw .cancelled }
        }
    }

    /// Refuses further elements. Present ones can still be received, unless they are dropped.
    func end(dropping: Bool = false) {
        for waiter in lane.withLock({ $0.end(dropping: dropping) }) { waiter.resume() }
    }

    private func wait(_ id: MessageLane<Element>.Tasks.ID) async {
        await WaiterList.wait(id, fallback: ()) { change in lane.withLock { change(&$0.tasks) } }
        lane.withLock { $0.leave(id) }
    }
}
