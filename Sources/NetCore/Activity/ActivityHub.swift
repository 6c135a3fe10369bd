internal import Synchronization

/// Distributes events to any number of bounded streams. Costs nothing while there are no subscribers.
package final class ActivityHub: ActivityListener {
    private struct Subscriber {
        /// Delivers an event; returns true if one was dropped.
        let receive: @Sendable (ActivityEvent) -> Bool
        let finish: @Sendable () -> Void
    }

    private struct State {
        var nextID = 0
        var subscribers: [Int: Subscriber] = [:]
        var dropped = 0
        var hasFinished = false
    }

    private let state = Mutex(State())
    private let count = Atomic<Int>(0)

    package init() {}

    package var hasSubscribers: Bool { count.load(ordering: .relaxed) > 0 }

    /// The number of events that were dropped because subscribers were too slow.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Returns a stream of all events from now on.
    package func subscribe(_ buffering: ActivityBuffering) -> AsyncStream<ActivityEvent> {
        subscribe(buffering) { $0 }
    }

    /// Returns a stream of traces of the calls that start from now on; each is delivered when its call has ended.
    package func subscribeToTraces(_ buffering: ActivityBuffering) -> AsyncStream<CallTrace> {
        let calls = CallTraceAssembler()
        return subscribe(buffering) { calls.add($0) }
    }

    private func subscribe<Element: Sendable>(
        _ buffering: ActivityBuffering, _ element: @escaping @Sendable (ActivityEvent) -> Element?
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: buffering.policy(of: Element.self))
        let subscriber = Subscriber(
            receive: { event in
                guard let element = element(event), case .dropped = continuation.yield(element) else { return false }
                return true
            }, finish: { continuation.finish() })
        let id = state.withLock { state -> Int? in
            if state.hasFinished { return nil }
            state.nextID += 1
            state.subscribers[state.nextID] = subscriber
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
        let dropped = subscribers.count { $0.receive(event) }
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
