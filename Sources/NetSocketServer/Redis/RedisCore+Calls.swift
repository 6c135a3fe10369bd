#if Redis
internal import NetCore
internal import NetSocketCore

/// The implementation of `FanOutEngine`.
extension RedisCore {
    /// ARGV 1 to 4 of the scripts that begin a topic.
    func beginning(_ pair: RedisPair) -> [Bytes] {
        [
            Bytes(String(random.next(), radix: 36).utf8), Bytes(pair.run.utf8), pair.isDurable ? [49] : [48],
            Self.milliseconds(configuration.positionTime),
        ]
    }

    static func milliseconds(_ time: Duration) -> Bytes {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        let value =
            milliseconds.overflow ? Int64.max / 2 : milliseconds.partialValue + attoseconds / 1_000_000_000_000_000
        // Redis rejects times beyond its clock's range.
        return number(min(max(value, 1), 1 << 48))
    }

    static func number(_ number: some BinaryInteger) -> Bytes { Bytes(String(number).utf8) }

    /// ARGV 5 to 7: the retention.
    private func kept(_ retention: FanOutRetention?) -> [Bytes] {
        guard let retention, !retention.isUnchanged else { return [[], [], []] }
        let isKept = retention.count > 0 && retention.time > .zero
        return [
            Self.number(isKept ? retention.count : 0), Self.number(max(0, retention.bytes)),
            Self.milliseconds(retention.time),
        ]
    }

    // MARK: Messages

    func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?
    ) async throws(NetError) -> ChannelPosition {
        var message = message
        message.push.offset = nil
        let topic = message.topic
        let content = RedisEnvelope.encode(message)
        let names = [
            keys.state(topic), keys.history(topic), retention == nil ? keys.otherIDs(topic) : keys.ids(topic),
        ]
        let remembered = max(configuration.rememberedIDs, retention?.count ?? 0)
        let arguments =
            kept(retention) + [
                Bytes(message.id.utf8), Self.number(remembered), retention == nil ? [117] : [109],
                Self.number(RecentPushes.size(message.push)), Bytes(keys.channel(topic).utf8), content,
            ]
        let reply = try await withPair(mayRepeat: !message.id.isEmpty) { pair throws(NetError) in
            try await pair.run(.publish, keys: names, arguments: beginning(pair) + arguments)
        }
        guard let position = RedisReply.position(reply) else { throw unreadable("position") }
        return position
    }

    func history(of topic: String, after position: ChannelPosition?) async throws(NetError) -> FanOutHistory {
        let reply = try await withPair(mayRepeat: true) { pair throws(NetError) in
            try await pair.run(
                .history, keys: [keys.state(topic), keys.history(topic)],
                arguments: beginning(pair) + Self.arguments(after: position))
        }
        guard let history = RedisReply.history(reply, of: topic) else { throw unreadable("history") }
        guard let position else { return FanOutHistory(position: history.position) }
        let isKnown = position.epoch == history.position.epoch && position.offset <= history.position.offset
        let missed = isKnown ? history.position.offset - position.offset : 0
        // An entry that can't be decoded leaves a gap.
        let isWhole = missed == 0 || history.messages.first?.push.offset == position.offset + 1
        return FanOutHistory(
            position: history.position, pushes: history.messages.map(\.push),
            isComplete: isKnown && isWhole && missed == UInt64(history.messages.count))
    }

    static func arguments(after position: ChannelPosition?) -> [Bytes] {
        guard let position else { return [[], []] }
        return [Bytes(position.epoch.utf8), number(position.offset)]
    }

    // MARK: Topics

    func subscribe(to topic: String, keeping retention: FanOutRetention) async throws(NetError) {
        while subscribing[topic] != nil {
            await withCheckedContinuation { subscribing[topic]?.append($0) }
        }
        subscribing[topic] = []
        defer { for waiter in subscribing.removeValue(forKey: topic) ?? [] { waiter.resume() } }
        let arguments = kept(retention)
        do throws(NetError) {
            try await withPair(mayRepeat: true) { pair throws(NetError) in
                if topics[topic] == nil { topics[topic] = RedisTopic(topic) }
                let channel = keys.channel(topic)
                if topics[topic]?.phase == .unknown {
                    try await pair.subscriptions.call(RedisCommand("SUBSCRIBE", channel))
                }
                let reply = try await pair.run(
                    .attach, keys: attachKeys(topic), arguments: beginning(pair) + arguments)
                guard let snapshot = RedisReply.snapshot(reply) else { throw unreadable("state of a topic") }
                change(topic) { topic, actions in
                    if topic.phase == .unknown, topic.position == nil {
                        topic.resumed(snapshot, nil, &actions)
                    } else {
                        topic.announce(snapshot, &actions)
                    }
                }
            }
        } catch {
            if topics[topic]?.position == nil { topics[topic] = nil }
            throw error
        }
    }

    func attachKeys(_ topic: String) -> [String] {
        [keys.state(topic), keys.history(topic), keys.members(topic)]
    }

    func unsubscribe(from topic: String) async throws(NetError) {
        guard node != nil else { throw Self.notOpen }
        guard topics.removeValue(forKey: topic) != nil, let pair else { return }
        // If the connection was lost, the topic won't be subscribed to again anyway.
        _ = try? await pair.subscriptions.call(RedisCommand("UNSUBSCRIBE", keys.channel(topic)))
    }

    // MARK: Members

    func enter(_ member: PresenceMember, in topic: String) async throws(NetError) {
        guard let node else { throw Self.notOpen }
        guard member.node == node.name else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "the member belongs to the server \(member.node), but this engine serves \(node.name)")
        }
        members[topic, default: [:]][member.connection] = member
        settled(member, in: topic)
        do throws(NetError) {
            _ = try await withPair(mayRepeat: true) { pair throws(NetError) in
                try await pair.run(.enter, keys: memberKeys(topic), arguments: entering(member, topic, pair))
            }
        } catch {
            forget(member, in: topic)
            departed(member, from: topic)
            throw error
        }
    }

    func leave(_ member: PresenceMember, from topic: String) async throws(NetError) {
        guard let node else { throw Self.notOpen }
        guard member.node == node.name else { return }
        forget(member, in: topic)
        departed(member, from: topic)
        guard let pair, isReady else { return }
        do throws(NetError) {
            _ = try await pair.run(.leave, keys: memberKeys(topic), arguments: leaving(member, topic, pair))
            settled(member, in: topic)
        } catch {
            // ``departures`` keeps the member until the broker is back.
        }
    }

    private func forget(_ member: PresenceMember, in topic: String) {
        members[topic]?[member.connection] = nil
        if members[topic]?.isEmpty == true { members[topic] = nil }
    }

    /// The maximum number of departures that are remembered while the broker is away.
    private static let maximumDepartures = 10_000

    private func departed(_ member: PresenceMember, from topic: String) {
        guard departures[topic, default: [:]].updateValue(member, forKey: member.connection) == nil else { return }
        departureCount += 1
        guard departureCount > Self.maximumDepartures else { return }
        (departures, departureCount, hasLostDepartures) = ([:], 0, true)
    }

    func settled(_ member: PresenceMember, in topic: String) {
        if departures[topic]?.removeValue(forKey: member.connection) != nil { departureCount -= 1 }
        if departures[topic]?.isEmpty == true { departures[topic] = nil }
    }

    func memberKeys(_ topic: String) -> [String] {
        attachKeys(topic) + [keys.topics(of: node?.name ?? "")]
    }

    func entering(_ member: PresenceMember, _ topic: String, _ pair: RedisPair) -> [Bytes] {
        beginning(pair) + [
            Bytes(RedisKeys.field(member.node, member.connection).utf8), RedisEnvelope.encode(member),
            Bytes(topic.utf8), Bytes(keys.channel(topic).utf8),
        ]
    }

    func leaving(_ member: PresenceMember, _ topic: String, _ pair: RedisPair) -> [Bytes] {
        beginning(pair) + [
            Bytes(RedisKeys.field(member.node, member.connection).utf8), members[topic] == nil ? [49] : [48],
            Bytes(topic.utf8), Bytes(keys.channel(topic).utf8),
        ]
    }

    func members(of topic: String) async throws(NetError) -> [PresenceMember] {
        let reply = try await withPair(mayRepeat: true) { pair throws(NetError) in
            try await pair.commands.call(RedisCommand("HVALS", keys.members(topic)))
        }
        guard let values = reply.array else { throw unreadable("members of a channel") }
        return RedisReply.members(values)
    }
}
#endif
