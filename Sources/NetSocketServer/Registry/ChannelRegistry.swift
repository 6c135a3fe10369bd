#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The channels that connections of this server are in.
final class ChannelRegistry: Sendable {
    private struct State {
        var channels: [String: ServerChannel] = [:]
        /// What was decided for the topics whose channel has become empty, for pushes that nobody receives now.
        var retention = RetainedTopics()
    }

    private let engine: any FanOutEngine
    private let node: String
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

    private func channel(_ topic: String) -> ServerChannel? { state.withLock { $0.channels[topic] } }

    // MARK: Pushing

    func publish(_ push: WirePush, to topic: String, except: CallID?) async throws {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let message = FanOutMessage(
            id: "\(node).\(number)", node: node, topic: topic, except: except?.description, push: push)
        let history = state.withLock { state in
            state.channels[topic]?.state.withLock { $0.rules.kept } ?? state.retention[topic] ?? 0
        }
        _ = try await engine.publish(message, keeping: FanOutRetention(count: history))
        for lane in channel(topic)?.lanes ?? [] { await lane.settle() }
    }

    /// Delivers what an engine says, or the server itself for the members of this server.
    func deliver(_ message: FanOutMessage) {
        guard let channel = channel(message.topic) else { return }
        if let due = channel.deliver(message, now: clock.now()) { wake(channel, at: due) }
    }

    /// Ends an interval, and begins the next if something waits.
    private func wake(_ channel: ServerChannel, at time: Duration) {
        pacer.run(at: time) { [self] in
            if let next = channel.intervalEnded(now: clock.now()) { wake(channel, at: next) }
        }
    }

    // MARK: Joining

    /// Makes a connection a member and tells it what it has missed. Throws what the engine throws.
    func enter(
        _ join: WireJoin, _ id: ConnectionMachine.WorkID, _ rules: ChannelRules, _ connection: ServerConnection
    ) async throws {
        let (channel, number) = begin(join.topic, connection)
        do {
            try await engine.subscribe(to: join.topic)
            var joined = WireJoined(id: join.id, topic: join.topic, payload: rules.reply)
            var latest: WirePush?
            if rules.kept > 0 {
                let history = try await engine.history(of: join.topic, after: rules.isPositioned ? join.position : nil)
                if rules.isPositioned { joined.add(history, to: join) }
                if rules.sendsLatest, join.position == nil { latest = try await last(join.topic, history.position) }
            }
            let member = rules.presence.map { key in
                PresenceMember(
                    key: key, connection: connection.id.description, node: node, details: rules.details)
            }
            if let member { try await engine.enter(member, in: join.topic) }
            channel.endJoin(number, rules, member) { [joined, latest] held, presence in
                { connection.joined(id, joined, latest: latest, held: held, presence: presence) }
            }
        } catch {
            channel.giveUpJoin(number)
            removeIfEmpty(channel)
            throw error
        }
    }

    private func begin(_ topic: String, _ connection: ServerConnection) -> (ServerChannel, UInt64) {
        while true {
            let channel = state.withLock { state in
                if let known = state.channels[topic] { return known }
                let new = ServerChannel(topic, node: node, metrics)
                state.channels[topic] = new
                metrics.channelOpened()
                return new
            }
            if let number = channel.beginJoin(connection) { return (channel, number) }
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
        if let member = gone.member { pacer.runLater { [engine] in try? await engine.leave(member, from: topic) } }
        removeIfEmpty(channel)
    }

    func replace(_ old: ServerConnection, by new: ServerConnection, in topics: Set<String>) {
        for topic in topics { channel(topic)?.replace(old, by: new) }
    }

    private func removeIfEmpty(_ channel: ServerChannel) {
        let isRemoved = state.withLock { state in
            guard state.channels[channel.topic] === channel, channel.closeIfEmpty() else { return false }
            state.channels[channel.topic] = nil
            let kept = channel.state.withLock { $0.rules.kept }
            if kept > 0 { state.retention.keep(kept, of: channel.topic) }
            return true
        }
        guard isRemoved else { return }
        metrics.channelClosed()
        pacer.unsubscribe(channel.topic)
    }

    /// Whether a topic has members again, since it was empty.
    func isUsed(_ topic: String) -> Bool { channel(topic) != nil }
}

extension ChannelRules {
    /// How many pushes an engine keeps.
    var kept: Int { max(isPositioned ? history : 0, sendsLatest ? 1 : 0) }
    /// Whether pushes have positions from which a client can go on.
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
