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
    private let nextID = Atomic<UInt64>(0)

    init(limit: Int) {
        lane = Mutex(MessageLane(limit: limit))
    }

    /// Returns when the element is in the pipe; suspends while that is full.
    func send(_ element: Element, bytes: Int) async throws(Refusal) {
        while true {
            switch lane.withLock({ $0.append(element, bytes: bytes) }) {
            case .taken(let receiver):
                receiver?.resume()
                return
            case .ended: throw .ended
            case .full: await wait { $0.waitToAppend($1, $2) }
            }
            if Task.isCancelled { throw .cancelled }
        }
    }

    /// Puts the element in if there is room; for what must not wait.
    func offer(_ element: Element) {
        if case .taken(let receiver) = lane.withLock({ $0.append(element, bytes: 0) }) { receiver?.resume() }
    }

    /// Everything in the pipe, at least one element; nil when it has ended and is empty.
    func receive() async throws(Refusal) -> [Element]? {
        while true {
            switch lane.withLock({ $0.take() }) {
            case .elements(let elements, let senders):
                for sender in senders { sender.resume() }
                return elements
            case .ended: return nil
            case .wait: break
            }
            if Task.isCancelled { throw .cancelled }
            var isBusy = false
            await wait { lane, id, waiter in
                isBusy = lane.hasReceiver
                return lane.waitToTake(id, waiter)
            }
            if isBusy { throw .busy }
        }
    }

    /// Nothing more is taken; what is in the pipe can still be received, unless it is dropped.
    func end(dropping: Bool = false) {
        for waiter in lane.withLock({ $0.end(dropping: dropping) }) { waiter.resume() }
    }

    private func wait(
        _ enter: (inout MessageLane<Element>, UInt64, MessageLane<Element>.Waiter) -> Bool
    ) async {
        let id = nextID.add(1, ordering: .relaxed).newValue
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = lane.withLock { !Task.isCancelled && enter(&$0, id, continuation) }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            lane.withLock { $0.cancel(id) }?.resume()
        }
    }
}
