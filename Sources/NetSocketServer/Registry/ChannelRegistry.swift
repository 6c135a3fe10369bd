#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The channels that have members on this server.
final class ChannelRegistry: Sendable {
    private struct State {
        var channels: [String: ServerChannel] = [:]
        /// The topics that the engine is unsubscribing from, and the joins that wait until it is done.
        var ending: [String: [UnsafeContinuation<Void, Never>]] = [:]
        /// The topics of former channels that had visible members.
        var formerlyVisible: Set<String> = []

        /// Removes an empty channel. Returns false if it isn't empty.
        mutating func remove(_ channel: ServerChannel) -> Bool {
            guard channels[channel.topic] === channel, channel.closeIfEmpty() else { return false }
            channels[channel.topic] = nil
            guard channel.state.withLock({ $0.hasHadPresence }) else { return true }
            if formerlyVisible.count == ChannelRegistry.maximumFormer { formerlyVisible = [] }
            formerlyVisible.insert(channel.topic)
            return true
        }
    }

    private static let maximumFormer = 10_000

    let engine: any FanOutEngine
    let node: String
    private let clock: NetClock
    private let pacer: Pacer
    private let metrics: SocketServerMetrics
    private let state = Mutex(State())
    private let counter = Atomic<Int>(0)

    init(
        _ engine: any FanOutEngine, node: String, clock: NetClock, pacer: Pacer, metrics: SocketServerMetrics
    ) {
        self.metrics = metrics
        self.engine = engine
        self.node = node
        self.clock = clock
        self.pacer = pacer
    }

    var topics: [String] { state.withLock { $0.channels.keys.sorted() } }

    func topics(matching pattern: String) -> [String] {
        guard pattern.hasSuffix("*") else { return channel(pattern) == nil ? [] : [pattern] }
        let prefix = pattern.dropLast()
        return topics.filter { $0.hasPrefix(prefix) }
    }

    func members(of topic: String) -> [ServerConnection] { channel(topic)?.state.withLock { $0.members } ?? [] }

    func topics(of connection: ServerConnection) -> [String] {
        let channels = state.withLock { Array($0.channels.values) }
        return channels.filter { channel in
            channel.state.withLock { state in
                state.places[ObjectIdentifier(connection)] != nil
            }
        }.map(\.topic).sorted()
    }

    func channel(_ topic: String) -> ServerChannel? { state.withLock { $0.channels[topic] } }

    // MARK: Pushing

    /// Publishes a push. If the channel has no members on this server, only the engine knows its rules.
    func publish(_ push: WirePush, to topic: String, except: CallID?, id: String?) async throws -> ChannelPosition {
        let message = FanOutMessage(
            id: id ?? makeID(), node: node, topic: topic, except: except?.description, push: push)
        let rules = channel(topic)?.state.withLock { $0.count > 0 ? $0.rules : nil }
        let position = try await engine.publish(message, keeping: rules?.retention ?? .unchanged)
        for lane in channel(topic)?.lanes ?? [] { await lane.settle() }
        return position
    }

    /// An ID for a message that is published once.
    func makeID() -> String { "\(node).\(counter.wrappingAdd(1, ordering: .relaxed).newValue)" }

    /// Returns the last pushes of a channel, at most `count`.
    func history(of topic: String, last count: Int) async throws -> FanOutHistory {
        let now = try await engine.history(of: topic, after: nil).position
        let missing = UInt64(clamping: count)
        return try await engine.history(
            of: topic,
            after: ChannelPosition(epoch: now.epoch, offset: now.offset > missing ? now.offset - missing : 0))
    }

    func presence(in topic: String) async throws -> [PresenceMember] { try await engine.members(of: topic) }

    /// Handles an engine's event about a channel. Returns false for other events.
    func receive(_ event: FanOutEvent) -> Bool {
        switch event {
        case .message(let message): deliver(message)
        case .gap(let topic, let position): channel(topic)?.gap(position)
        case .members(let members, let topic): channel(topic)?.synchronize(members)
        case .entered(let member, let topic): channel(topic)?.entered(member)
        case .left(let member, let topic): channel(topic)?.left(member)
        case .away, .back: return false
        }
        return true
    }

    private func deliver(_ message: FanOutMessage) {
        guard let channel = channel(message.topic) else { return }
        if let due = channel.deliver(message, now: clock.now()) { wake(channel, at: due) }
    }

    /// Sends a push to the members of all channels on this server.
    func tellEverybody(_ event: String, _ payload: SocketPayload) {
        for channel in state.withLock({ Array($0.channels.values) }) {
            channel.tell(WirePush(event: event, payload: payload, topic: channel.topic))
        }
    }

    /// Ends an interval, and starts the next one if a push is waiting.
    private func wake(_ channel: ServerChannel, at time: Duration) {
        pacer.run(at: time) { [self] in
            if let next = channel.intervalEnded(now: clock.now()) { wake(channel, at: next) }
        }
    }

    // MARK: Joining

    /// Makes a connection a member and sends it the pushes that it missed. Throws the engine's errors.
    func enter(
        _ join: WireJoin, _ id: ConnectionMachine.WorkID, _ rules: ChannelRules, _ connection: ServerConnection,
        _ era: Int
    ) async throws {
        let (channel, number) = begin(join.topic, connection, era)
        var member: PresenceMember?
        do {
            if !channel.state.withLock({ $0.isSubscribed }) {
                await untilUnsubscribed(join.topic)
                try await engine.subscribe(to: join.topic, keeping: rules.retention)
                channel.state.withLock { $0.isSubscribed = true }
            }
            var joined = WireJoined(id: join.id, topic: join.topic, payload: rules.reply)
            var latest: WirePush?
            if rules.kept > 0 {
                let history = try await engine.history(of: join.topic, after: rules.isPositioned ? join.position : nil)
                if rules.isPositioned { joined.add(history, to: join) }
                if rules.sendsLatest, join.position == nil { latest = try await last(join.topic, history.position) }
            }
            if let key = rules.presence {
                let new = PresenceMember(
                    key: key, connection: connection.id.description, node: node, details: rules.details)
                member = new
                channel.beginEntering(number, of: connection, as: new)
                try await engine.enter(new, in: join.topic)
            }
            let isMember = channel.endJoin(number, rules, member) { [joined, latest] held, presence in
                { connection.joined(id, joined, latest: latest, held: held, presence: presence) }
            }
            if !isMember { giveUp(number, member, of: connection, in: channel) }
        } catch {
            giveUp(number, member, of: connection, in: channel)
            throw error
        }
    }

    private func giveUp(
        _ number: UInt64, _ member: PresenceMember?, of connection: ServerConnection, in channel: ServerChannel
    ) {
        channel.giveUpJoin(number, of: connection)
        if let member { withdrawLater(member, of: connection, from: channel.topic) }
        removeIfEmpty(channel)
    }

    private func begin(_ topic: String, _ connection: ServerConnection, _ era: Int) -> (ServerChannel, UInt64) {
        while true {
            let channel = state.withLock { state in
                if let known = state.channels[topic] { return known }
                let new = ServerChannel(topic, node: node, metrics)
                if state.formerlyVisible.remove(topic) != nil { new.state.withLock { $0.hasHadPresence = true } }
                state.channels[topic] = new
                metrics.channelOpened()
                return new
            }
            if let number = channel.beginJoin(connection, era) { return (channel, number) }
        }
    }

    /// The last push of a topic, without its position.
    private func last(_ topic: String, _ position: ChannelPosition) async throws -> WirePush? {
        guard position.offset > 0 else { return nil }
        let before = ChannelPosition(epoch: position.epoch, offset: position.offset - 1)
        var push = try await engine.history(of: topic, after: before).pushes.last
        push?.offset = nil
        return push
    }

    // MARK: Leaving

    func leave(_ topic: String, _ connection: ServerConnection) {
        guard let channel = channel(topic), let gone = channel.remove(connection) else { return }
        if let member = gone.member { withdrawLater(member, of: connection, from: topic) }
        removeIfEmpty(channel)
    }

    func withdrawLater(_ member: PresenceMember, of connection: ServerConnection, from topic: String) {
        pacer.runLater { await self.withdraw(member, of: connection, from: topic) }
    }

    /// Removes a member from the engine, unless its connection has joined again meanwhile, or is joining.
    private func withdraw(_ member: PresenceMember, of connection: ServerConnection, from topic: String) async {
        func presence() -> PresenceMember? {
            let presence = channel(topic)?.presence(of: connection)
            // A connection that has taken over a session was shown under the ID of its predecessor.
            return presence?.connection == member.connection ? presence : nil
        }
        guard presence() == nil else { return }
        try? await engine.leave(member, from: topic)
        if let again = presence() { try? await engine.enter(again, in: topic) }
    }

    func replace(_ old: ServerConnection, by new: ServerConnection, in topics: Set<String>) {
        for topic in topics { channel(topic)?.replace(old, by: new) }
    }

    private func removeIfEmpty(_ channel: ServerChannel) {
        guard state.withLock({ $0.remove(channel) }) else { return }
        metrics.channelClosed()
        pacer.unsubscribe(channel.topic)
    }

    // MARK: Unsubscribing

    /// Unsubscribes from a topic, unless a connection has joined it again. Joins wait until this is done.
    func unsubscribe(_ topic: String) async {
        let isUnused = state.withLock { state in
            guard state.channels[topic] == nil, state.ending[topic] == nil else { return false }
            state.ending[topic] = []
            return true
        }
        guard isUnused else { return }
        try? await engine.unsubscribe(from: topic)
        for waiter in state.withLock({ $0.ending.removeValue(forKey: topic) ?? [] }) { waiter.resume() }
    }

    private func untilUnsubscribed(_ topic: String) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                state.ending[topic]?.append(continuation)
                return state.ending[topic] == nil
            }
            if isOver { continuation.resume() }
        }
    }

    /// True if a topic has members or pending joins on this server.
    func isUsed(_ topic: String) -> Bool { channel(topic) != nil }
}

extension ChannelRules {
    /// The number of pushes that the engine keeps.
    var kept: Int { max(isPositioned ? history : 0, sendsLatest ? 1 : 0) }
    /// The number of pushes that the engine keeps, and for how long.
    var retention: FanOutRetention { FanOutRetention(count: kept, time: historyTime) }
    /// True if pushes have positions from which a client can resume.
    var isPositioned: Bool { history > 0 && interval == nil }
}

extension WireJoined {
    mutating func add(_ history: FanOutHistory, to join: WireJoin) {
        position = history.position
        guard join.position != nil else { return }
        isRecovered = history.isComplete
        missed = history.isComplete ? history.pushes : []
    }
}
#endif
