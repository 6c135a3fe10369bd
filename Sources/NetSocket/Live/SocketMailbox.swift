internal import NetCore
internal import Synchronization

/// A queue that one task reads. Adding an element always succeeds.
final class SocketMailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
        var waiters = WaiterList<Void>()
    }

    private let state = Mutex(State())

    func put(_ element: Element) {
        let waiters = state.withLock { state -> [WaiterList<Void>.Waiter] in
            guard !state.isClosed else { return [] }
            state.elements.append(element)
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Closes the mailbox. Elements in it can still be taken; no more are added.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns all elements, at least one; nil once the mailbox is closed and empty, or if the task is cancelled.
    func take() async -> [Element]? {
        while true {
            let (elements, waiter) = state.withLock { state -> ([Element]?, WaiterList<Void>.ID?) in
                if !state.elements.isEmpty {
                    defer { state.elements = [] }
                    return (state.elements, nil)
                }
                return (nil, state.isClosed ? nil : state.waiters.register())
            }
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
