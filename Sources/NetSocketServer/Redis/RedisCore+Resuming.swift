#if Redis
internal import NetCore
internal import NetSocketCore

/// Receiving messages, and catching up after an outage.
extension RedisCore {
    /// The number of topics or members that are updated in one round trip.
    static let batch = 256

    // MARK: What arrives

    func arrived(_ payload: Bytes, on channel: String, _ number: Int) {
        guard number == pairNumber, let name = keys.topic(ofChannel: channel), topics[name] != nil else { return }
        // A malformed frame isn't from a server of this library. If it took an offset, the next frame reveals the gap.
        guard let frame = RedisFrame(payload, in: name) else { return }
        change(name) { topic, actions in topic.receive(frame, &actions) }
    }

    /// Changes a topic, and performs the resulting actions.
    func change(_ name: String, _ body: (inout RedisTopic, inout [RedisTopic.Action]) -> Void) {
        var actions: [RedisTopic.Action] = []
        guard topics[name] != nil else { return }
        // Changes the topic in place, so that held frames aren't copied.
        body(&topics[name, default: RedisTopic(name)], &actions)
        for action in actions {
            switch action {
            case .deliver(let event): node?.receive(event)
            case .read(let position): read(name, after: position)
            case .resume: resume(name)
            }
        }
    }

    /// Reads the missing messages of a topic.
    private func read(_ name: String, after position: ChannelPosition) {
        guard let pair else { return }
        let number = pairNumber
        pair.commands.send(historyCommand(name, after: position, pair)) { result in
            self.assumeIsolated { core in
                guard core.pairNumber == number, let history = core.history(result, name, pair) else { return }
                core.change(name) { topic, actions in topic.read(history, &actions) }
            }
        }
    }

    /// Reads the state, the members and the missing messages of a topic.
    private func resume(_ name: String) {
        guard let pair else { return }
        let number = pairNumber
        let position = topics[name]?.position
        pair.commands.send(attachCommand(name, pair)) { result in
            self.assumeIsolated { core in
                guard core.pairNumber == number, let snapshot = core.snapshot(result, pair) else { return }
                pair.commands.send(core.historyCommand(name, after: position, pair)) { result in
                    self.assumeIsolated { core in
                        guard core.pairNumber == number, let history = core.history(result, name, pair) else { return }
                        core.change(name) { topic, actions in topic.resumed(snapshot, history, &actions) }
                    }
                }
            }
        }
    }

    // MARK: Commands and their replies

    private func historyCommand(_ name: String, after position: ChannelPosition?, _ pair: RedisPair) -> RedisCommand {
        pair.command(
            .history, keys: [keys.state(name), keys.history(name)],
            arguments: beginning(pair) + Self.arguments(after: position))
    }

    private func attachCommand(_ name: String, _ pair: RedisPair) -> RedisCommand {
        pair.command(.attach, keys: attachKeys(name), arguments: beginning(pair) + [[], [], []])
    }

    /// Closes the pair if the reply is malformed or the script is gone: the next pair starts over.
    private func history(_ result: Result<RedisValue, NetError>, _ name: String, _ pair: RedisPair)
        -> RedisTopic.History?
    {
        let history = (try? result.get()).flatMap { RedisReply.history($0, of: name) }
        if history == nil { pair.close() }
        return history
    }

    private func snapshot(_ result: Result<RedisValue, NetError>, _ pair: RedisPair) -> RedisTopic.Snapshot? {
        let snapshot = (try? result.get()).flatMap { RedisReply.snapshot($0) }
        if snapshot == nil { pair.close() }
        return snapshot
    }

    // MARK: A new pair

    /// Takes the lease, subscribes, and updates topics and members.
    func resume(_ pair: RedisPair) async throws(NetError) {
        guard let node else { throw Self.notOpen }
        let isStartingOver = hasLostDepartures
        if isStartingOver { await buryOwn(node, pair) }
        let reply = try await pair.run(.lease, keys: [keys.servers, keys.owners], arguments: leaseArguments(node))
        guard let lease = reply.array, let isOurs = lease.first?.integer else { throw unreadable("lease") }
        guard isOurs == 1, lease.count == 3 else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "the broker at \(address) has another server with the name \(node.name)")
        }
        for chunk in Self.chunks(topics.keys.sorted()) {
            var command = RedisCommand("SUBSCRIBE", [])
            for topic in chunk { command.append(keys.channel(topic)) }
            try await pair.subscriptions.call(command, confirmations: chunk.count)
        }
        for chunk in Self.chunks(topics.keys.sorted()) {
            for topic in chunk { resume(topic) }
            // Replies arrive in the order of the commands: after two round trips, all replies of the chunk have
            // arrived.
            for _ in 0..<2 { try await pair.commands.call(RedisCommand("PING")) }
        }
        try await bringMembers(pair, all: lease[1].integer == 1)
        if isStartingOver { hasLostDepartures = false }
        for name in lease[2].array ?? [] { if let name = name.text, name != node.name { bury(name, pair) } }
    }

    /// Removes the members that have left meanwhile. Enters all others again if the broker doesn't have them.
    private func bringMembers(_ pair: RedisPair, all: Bool) async throws(NetError) {
        let left = departures.flatMap { topic, members in members.values.map { (topic, $0) } }
        for chunk in Self.chunks(left) {
            for (topic, member) in chunk {
                pair.commands.send(
                    pair.command(.leave, keys: memberKeys(topic), arguments: leaving(member, topic, pair))
                ) {
                    result in
                    guard case .success(let reply) = result, reply.error == nil else { return }
                    self.assumeIsolated { $0.settled(member, in: topic) }
                }
            }
            try await pair.commands.call(RedisCommand("PING"))
        }
        guard all else { return }
        await withCheckedContinuation { continuation in enterAgain(pair) { continuation.resume() } }
    }

    /// Enters all members again, because the lease had ended. Calls `end` after the last reply, or when the connection
    /// is lost.
    func enterAgain(_ pair: RedisPair, then end: @escaping @Sendable () -> Void) {
        enterAgain(ArraySlice(members.flatMap { topic, members in members.values.map { (topic, $0) } }), pair, end)
    }

    private func enterAgain(
        _ rest: ArraySlice<(topic: String, member: PresenceMember)>, _ pair: RedisPair,
        _ end: @escaping @Sendable () -> Void
    ) {
        // Skips the members that have left meanwhile.
        for (topic, member) in rest.prefix(Self.batch) where members[topic]?[member.connection] == member {
            let command = pair.command(.enter, keys: memberKeys(topic), arguments: entering(member, topic, pair))
            pair.commands.send(command) { _ in }
        }
        let others = rest.dropFirst(Self.batch)
        guard !rest.isEmpty else { return end() }
        pair.commands.send(RedisCommand("PING")) { result in
            guard case .success = result else { return end() }
            self.assumeIsolated { $0.enterAgain(others, pair, end) }
        }
    }

    private static func chunks<Element>(_ elements: [Element]) -> [ArraySlice<Element>] {
        stride(from: 0, to: elements.count, by: batch).map { elements[$0..<min($0 + batch, elements.count)] }
    }
}
#endif
