internal import NetCore
internal import Synchronization

/// A queue that one task reads. Adding an element always succeeds; a caller that can wait calls ``waitForRoom()`` first.
final class SocketMailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var size = 0
        var isClosed = false
        var waiters = WaiterList<Void>()
        /// The tasks that wait for room.
        var rooms = WaiterList<Void>()
    }

    private let state = Mutex(State())
    private let limit: Int
    private let size: @Sendable (Element) -> Int

    /// - Parameters:
    ///   - limit: The size above which there is no room.
    ///   - size: That of an element.
    init(limit: Int = .max, size: @escaping @Sendable (Element) -> Int = { _ in 0 }) {
        self.limit = limit
        self.size = size
    }

    func put(_ element: Element) {
        let size = size(element)
        let waiters = state.withLock { state -> [WaiterList<Void>.Waiter] in
            guard !state.isClosed else { return [] }
            state.elements.append(element)
            state.size += size
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    /// What is there is still taken; nothing is put any more.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.waiters.releaseAll(with: ()) + state.rooms.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits while there is no room; not once the mailbox is closed, or the task is cancelled.
    func waitForRoom() async {
        let waiter = state.withLock { state in
            state.size <= limit || state.isClosed ? nil : state.rooms.register()
        }
        guard let waiter else { return }
        await WaiterList.wait(waiter, fallback: ()) { change in self.state.withLock { change(&$0.rooms) } }
    }

    /// Returns all elements, at least one; nil once the mailbox is closed and empty, or the task is cancelled.
    func take() async -> [Element]? {
        while true {
            let (elements, waiter, rooms) = state.withLock {
                state -> ([Element]?, WaiterList<Void>.ID?, [WaiterList<Void>.Waiter]) in
                if !state.elements.isEmpty {
                    defer { (state.elements, state.size) = ([], 0) }
                    return (state.elements, nil, state.rooms.releaseAll(with: ()))
                }
                return (nil, state.isClosed ? nil : state.waiters.register(), [])
            }
            for room in rooms { room.resume() }
            if let elements { return elements }
            guard let waiter, !Task.isCancelled else {
                if let waiter { state.withLock { $0.waiters.forget(waiter) } }
                return nil
            }
            await WaiterList.wait(waiter, fallback: ()) { change in state.withLock { change(&$0.waiters) } }
            if Task.isCancelled { return nil }
        }
    }
}
