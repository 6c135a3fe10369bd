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
        Self.put(notice, to: entries)
    }

    private static func put(_ notice: SessionMachine.Notice, to entries: [Entry]) {
        var cache = PushCache()
        for entry in entries { entry.put(notice, &cache) }
    }

    func presence(of topic: String) -> Presence { state.withLock { $0.snapshot.presences[topic] ?? Presence() } }

    /// Reports the members of a channel if a notice changes them. Throws for a push that can't be read.
    func tellPresence(after notice: SessionMachine.Notice) throws(NetError) {
        switch notice {
        case .push(let push) where Presence.concerns(push): break
        case .joining, .interrupted, .left: break
        default: return
        }
        // One step: an observer that begins meanwhile has either the old members first, or only the new ones.
        let change = try state.withLock { state throws(NetError) -> (SessionMachine.Notice, [Entry])? in
            guard let changed = try state.snapshot.presence(after: notice) else { return nil }
            return (.presence(topic: changed.topic, changed.presence), state.ordered)
        }
        if let (notice, entries) = change { Self.put(notice, to: entries) }
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

extension SocketHub.Snapshot {
    /// Returns the members of a channel that a notice changes; nil if it changes none.
    fileprivate mutating func presence(
        after notice: SessionMachine.Notice
    ) throws(NetError) -> (topic: String, presence: Presence)? {
        switch notice {
        case .push(let push):
            guard let topic = push.topic else { return nil }
            var presence = presences[topic] ?? Presence()
            try presence.apply(push)
            presences[topic] = presence
            return (topic, presence)
        case .joining(let topic), .interrupted(let topic):
            presences[topic]?.interrupt()
            return presences[topic].map { (topic, $0) }
        case .left(let topic, _): return presences.removeValue(forKey: topic).map { _ in (topic, Presence()) }
        default: return nil
        }
    }
}
