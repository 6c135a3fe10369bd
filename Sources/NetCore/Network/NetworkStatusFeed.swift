internal import Synchronization

/// A network status that a program sets: from a platform's monitor, or in a test. Without updates, it's a constant.
///
///     let network = NetworkStatusFeed(NetworkStatus(.reachable, interfaces: [.wifi]))
///     var statuses = network.statuses.makeAsyncIterator()
///     print(await statuses.next()?.interfaces ?? [])  // [wifi]
///     network.update(NetworkStatus(.reachable, interfaces: [.cellular]))
///     print(await statuses.next()?.interfaces ?? [])  // [cellular]
public final class NetworkStatusFeed: NetworkStatusProvider {
    private struct State {
        var status: NetworkStatus
        var last = 0
        var consumers: [Int: AsyncStream<NetworkStatus>.Continuation] = [:]
    }

    private let state: Mutex<State>

    /// Creates a feed. Default: an unknown status.
    public init(_ status: NetworkStatus = NetworkStatus()) {
        state = Mutex(State(status: status))
    }

    deinit {
        for consumer in state.withLock({ $0.consumers.values.map { $0 } }) { consumer.finish() }
    }

    public var status: NetworkStatus { state.withLock { $0.status } }

    public var statuses: AsyncStream<NetworkStatus> {
        let (stream, consumer) = AsyncStream.makeStream(of: NetworkStatus.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            state.consumers[state.last] = consumer
            // Within the lock, so that the current status precedes any change.
            consumer.yield(state.status)
            return state.last
        }
        consumer.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) { state.withLock { _ = $0.consumers.removeValue(forKey: number) } }

    /// Sets the status. Consumers receive it unless only the time of the check has changed.
    public func update(_ status: NetworkStatus) {
        state.withLock { state in
            var old = state.status
            old.checkedAt = status.checkedAt
            state.status = status
            guard old != status else { return }
            for consumer in state.consumers.values { consumer.yield(status) }
        }
    }
}
