#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// A server that shares a hub.
final class FanOutNode: Sendable {
    let name: String
    let receive: @Sendable (FanOutEvent) -> Void
    let isOpen = Atomic(true)

    init(_ name: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) {
        self.name = name
        self.receive = receive
    }
}

/// Shared memory for the engines of one process. Changes its state under a lock, and delivers outside of it.
final class FanOutHub: Sendable {
    private let clock: NetClock
    private let state: Mutex<FanOutHubState>

    init(_ configuration: MemoryFanOut.Configuration, _ clock: NetClock, _ random: NetRandom) {
        self.clock = clock
        state = Mutex(FanOutHubState(configuration, random))
    }

    var topicCount: Int {
        let now = clock.now()
        return state.withLock { state in
            state.sweep(now)
            return state.topicCount
        }
    }

    // MARK: Servers

    /// Adds a server; returns false if another server has its name.
    func add(_ node: FanOutNode) -> Bool {
        state.withLock { $0.nodes.insert(node.name).inserted }
    }

    func remove(_ node: FanOutNode) {
        node.isOpen.store(false, ordering: .releasing)
        let now = clock.now()
        for delivery in state.withLock({ $0.remove(node, now) }) { deliver(delivery) }
    }

    func subscribe(_ node: FanOutNode, to topic: String, keeping retention: FanOutRetention = .unchanged) {
        let now = clock.now()
        if let delivery = state.withLock({ $0.subscribe(node, to: topic, keeping: retention, now) }) {
            deliver(delivery)
        }
    }

    func unsubscribe(_ node: FanOutNode, from topic: String) {
        let now = clock.now()
        state.withLock { $0.unsubscribe(node, from: topic, now) }
    }

    // MARK: Messages

    /// Publishes a message; returns its position, or nil if too many messages of its topic are waiting for delivery.
    func publish(_ message: FanOutMessage, keeping retention: FanOutRetention?) -> ChannelPosition? {
        let now = clock.now()
        switch state.withLock({ $0.publish(message, keeping: retention, now) }) {
        case .full: return nil
        case .accepted(let position): return position
        case .deliver(let delivery, let position):
            deliver(delivery)
            return position
        }
    }

    /// Delivers an event, and then the events that other tasks add to the topic meanwhile. Only one task at a time
    /// delivers a topic: the order needs no lock around the closures, and a closure may publish, since its topic is
    /// already being delivered.
    private func deliver(_ first: FanOutDelivery) {
        let topic = first.topic
        var next: FanOutDelivery? = first
        while let delivery = next {
            for subscriber in delivery.subscribers where subscriber.node.isOpen.load(ordering: .acquiring) {
                subscriber.node.receive(delivery.event)
            }
            let (following, waiters) = state.withLock { $0.nextDelivery(of: topic) }
            for waiter in waiters { waiter.resume() }
            next = following
        }
    }

    /// Waits until fewer messages of a topic are waiting for delivery.
    func room(in topic: String) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            if state.withLock({ $0.wait(continuation, in: topic) }) { continuation.resume() }
        }
    }

    func history(of topic: String, after position: ChannelPosition?) -> FanOutHistory {
        let now = clock.now()
        return state.withLock { $0.history(of: topic, after: position, now) }
    }

    // MARK: Presence

    func enter(_ member: PresenceMember, in topic: String) {
        let now = clock.now()
        if let delivery = state.withLock({ $0.enter(member, in: topic, now) }) { deliver(delivery) }
    }

    func leave(_ member: PresenceMember, from topic: String) {
        let now = clock.now()
        if let delivery = state.withLock({ $0.leave(member, from: topic, now) }) { deliver(delivery) }
    }

    func members(of topic: String) -> [PresenceMember] {
        state.withLock { $0.members(of: topic) }
    }
}
#endif
