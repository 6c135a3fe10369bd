internal import Synchronization

/// Hands events to any number of bounded streams; costs nothing while nobody subscribes.
package final class ActivityHub: ActivityListener {
    private struct State {
        var nextID = 0
        var subscribers: [Int: AsyncStream<ActivityEvent>.Continuation] = [:]
        var dropped = 0
        var hasFinished = false
    }

    private let state = Mutex(State())
    private let count = Atomic<Int>(0)

    package init() {}

    package var hasSubscribers: Bool { count.load(ordering: .relaxed) > 0 }

    /// Events that a slow subscriber lost.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// A stream of all events from now on; the oldest are dropped, and counted, when the reader is slower.
    package func subscribe(buffering limit: Int) -> AsyncStream<ActivityEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ActivityEvent.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        let id = state.withLock { state -> Int? in
            if state.hasFinished { return nil }
            state.nextID += 1
            state.subscribers[state.nextID] = continuation
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        count.add(1, ordering: .relaxed)
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    package func record(_ event: ActivityEvent) {
        let subscribers = state.withLock { Array($0.subscribers.values) }
        var dropped = 0
        for subscriber in subscribers {
            if case .dropped = subscriber.yield(event) { dropped += 1 }
        }
        if dropped > 0 { state.withLock { $0.dropped += dropped } }
    }

    /// Ends every stream.
    package func finish() {
        let subscribers = state.withLock { state in
            state.hasFinished = true
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    private func remove(_ id: Int) {
        let isGone = state.withLock { $0.subscribers.removeValue(forKey: id) != nil }
        if isGone { count.subtract(1, ordering: .relaxed) }
    }
}
