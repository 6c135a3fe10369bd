public import NetCore
internal import Synchronization

/// The elements that one observer of a session receives from its creation on, in order, with a separate buffer.
///
/// Each sequence is for one consumer; create another one for another consumer. It ends when the session is closed, and
/// throws the session's error if the session fails. Cancelling the task that iterates ends the iteration.
public struct SocketSequence<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = NetError

    let owner: ObserverOwner<Element>

    public func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

    /// Reads one element after another.
    public struct Iterator: AsyncIteratorProtocol {
        let owner: ObserverOwner<Element>

        /// The number of elements dropped so far because this consumer was too slow.
        public var dropped: Int { owner.observer.dropped }

        public mutating func next() async throws(NetError) -> Element? { try await owner.observer.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> Element? {
            try await owner.observer.next()
        }
    }
}

/// A consumer's reference to its observer. When it is released, the observer leaves the hub, and no task waits for it
/// any more.
final class ObserverOwner<Element: Sendable>: Sendable {
    let observer: SocketObserver<Element>
    private let onEnd: @Sendable () -> Void

    init(_ observer: SocketObserver<Element>, onEnd: @escaping @Sendable () -> Void) {
        self.observer = observer
        self.onEnd = onEnd
    }

    deinit {
        observer.end(.success(()))
        onEnd()
    }
}

/// The buffer of one observer.
final class SocketObserver<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var next = 0
        var dropped = 0
        /// Set when no more elements follow; an error is thrown after the elements.
        var end: Result<Void, NetError>?
        var readers = WaiterList<Void>()
        /// The tasks that wait for room.
        var writers = WaiterList<Void>()

        var count: Int { elements.count - next }

        mutating func pop() -> Element? {
            guard next < elements.count else { return nil }
            defer {
                next += 1
                if next == elements.count {
                    (elements, next) = ([], 0)
                } else if next > 64, 2 * next > elements.count {
                    elements.removeFirst(next)
                    next = 0
                }
            }
            return elements[next]
        }
    }

    private let buffer: SocketBuffer
    private let state = Mutex(State())

    init(_ buffer: SocketBuffer) {
        self.buffer = buffer
    }

    var dropped: Int { state.withLock { $0.dropped } }

    func put(_ element: Element) {
        let waiters = state.withLock { state -> [WaiterList<Void>.Waiter] in
            guard state.end == nil else { return [] }
            if state.count >= buffer.limit {
                switch buffer {
                case .suspend: break
                case .dropOldest, .latest:
                    _ = state.pop()
                    state.dropped += 1
                case .fail:
                    state.end = .failure(
                        NetError(
                            .limited, phase: .receiving,
                            message: "an observer has not read \(buffer.limit) elements; read faster, or use a buffer "
                                + "that drops or suspends"))
                }
            }
            if state.end == nil { state.elements.append(element) }
            return state.readers.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    func end(_ result: Result<Void, NetError>) {
        let waiters = state.withLock { state in
            state.end = state.end ?? result
            return state.readers.releaseAll(with: ()) + state.writers.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits while a suspending buffer is full.
    func waitForRoom() async {
        guard case .suspend = buffer else { return }
        let waiter = state.withLock { state in
            state.end == nil && state.count >= buffer.limit ? state.writers.register() : nil
        }
        guard let waiter else { return }
        await WaiterList.wait(waiter, fallback: ()) { change in self.state.withLock { change(&$0.writers) } }
    }

    func next() async throws(NetError) -> Element? {
        while true {
            let (element, end, waiter, writers) = state.withLock {
                state -> (Element?, Result<Void, NetError>?, WaiterList<Void>.ID?, [WaiterList<Void>.Waiter]) in
                if let element = state.pop() {
                    return (element, nil, nil, state.count < buffer.limit ? state.writers.releaseAll(with: ()) : [])
                }
                if let end = state.end { return (nil, end, nil, []) }
                return (nil, nil, state.readers.register(), [])
            }
            for writer in writers { writer.resume() }
            if let element { return element }
            if let end {
                try end.get()
                return nil
            }
            guard let waiter else { return nil }
            await WaiterList.wait(waiter, fallback: ()) { change in self.state.withLock { change(&$0.readers) } }
            if Task.isCancelled { return nil }
        }
    }
}
