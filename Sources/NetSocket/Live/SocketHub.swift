internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The observers of a session. Each receives the notices it is interested in, in order, with a separate buffer.
final class SocketHub: Sendable {
    private struct Entry {
        let put: @Sendable (SessionMachine.Notice, inout PushCache) -> Void
        let end: @Sendable (Result<Void, NetError>) -> Void
        let waitForRoom: @Sendable () async -> Void
    }

    /// The material for the first element of an observer.
    struct Snapshot {
        /// The state last reported to observers.
        var session = SocketSessionState.idle
        /// The members of the channels whose server reports them.
        var presences: [String: Presence] = [:]
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var last = 0
        var end: Result<Void, NetError>?
        var snapshot = Snapshot()
        /// The entries in the order of their creation; updated when one is added or removed.
        var ordered: [Entry] = []

        mutating func order() { ordered = entries.sorted { $0.key < $1.key }.map(\.value) }
    }

    private let state = Mutex(State())

    /// Creates an observer. `transform` returns nil for notices that the observer isn't interested in.
    ///
    /// - Parameter first: Makes the first element from the state at that moment. No later state is missed or reported
    ///   twice.
    func observe<Element: Sendable>(
        _ buffer: SocketBuffer, first: (Snapshot) -> Element? = { _ in nil },
        _ transform: @escaping @Sendable (SessionMachine.Notice) -> Element?
    ) -> SocketSequence<Element> {
        observe(buffer, first: first, decoding: { notice, _ in transform(notice) })
    }

    /// Creates an observer that decodes pushes with the cache that all observers of a push share.
    func observe<Element: Sendable>(
        _ buffer: SocketBuffer, first: (Snapshot) -> Element? = { _ in nil },
        decoding transform: @escaping @Sendable (SessionMachine.Notice, inout PushCache) -> Element?
    ) -> SocketSequence<Element> {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let observer = SocketObserver<Element>(buffer)
        let entry = Entry(
            put: { notice, cache in if let element = transform(notice, &cache) { observer.put(element) } },
            end: { result in observer.end(result) },
            waitForRoom: { await observer.waitForRoom() })
        let end = state.withLock { state in
            if let element = first(state.snapshot) { observer.put(element) }
            state.entries[number] = entry
            state.order()
            return state.end
        }
        if let end { observer.end(end) }
        return SocketSequence(owner: ObserverOwner(observer) { [weak self] in self?.remove(number) })
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.entries[number] = nil
            state.order()
        }
    }

    func tell(_ notice: SessionMachine.Notice) {
        let entries = state.withLock { state in
            if case .state(let session) = notice { state.snapshot.session = session }
            return state.ordered
        }
        var cache = PushCache()
        for entry in entries { entry.put(notice, &cache) }
    }

    func presence(of topic: String) -> Presence { state.withLock { $0.snapshot.presences[topic] ?? Presence() } }

    /// Returns the notice of the members of a channel that another notice changes; nil if it changes none. Throws for a
    /// push that can't be read.
    func presence(after notice: SessionMachine.Notice) throws(NetError) -> SessionMachine.Notice? {
        switch notice {
        case .push(let push) where Presence.concerns(push): try applied(push)
        case .joining(let topic), .interrupted(let topic): interrupted(topic)
        case .left(let topic, _):
            state.withLock { $0.snapshot.presences.removeValue(forKey: topic) }
                .map { _ in .presence(topic: topic, Presence()) }
        default: nil
        }
    }

    private func applied(_ push: WirePush) throws(NetError) -> SessionMachine.Notice? {
        guard let topic = push.topic else { return nil }
        return try state.withLock { state throws(NetError) in
            var presence = state.snapshot.presences[topic] ?? Presence()
            try presence.apply(push)
            state.snapshot.presences[topic] = presence
            return .presence(topic: topic, presence)
        }
    }

    private func interrupted(_ topic: String) -> SessionMachine.Notice? {
        state.withLock { state in
            state.snapshot.presences[topic]?.interrupt()
            return state.snapshot.presences[topic].map { .presence(topic: topic, $0) }
        }
    }

    func end(_ result: Result<Void, NetError>) {
        let entries = state.withLock { state in
            state.end = state.end ?? result
            return state.ordered
        }
        for entry in entries { entry.end(result) }
    }

    /// Waits until every observer with a suspending buffer has room.
    func waitForRoom() async {
        for entry in state.withLock({ $0.ordered }) { await entry.waitForRoom() }
    }
}
