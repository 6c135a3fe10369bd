#if Redis
internal import NIOCore
internal import NetCore
internal import NetSocketCore

/// Connecting, monitoring the connections, and reconnecting.
extension RedisCore {
    // MARK: Opening and closing

    func open(as name: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) async throws(NetError) {
        guard node == nil else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "the engine already serves a server; create another RedisFanOut for \(name)")
        }
        let owner = String(random.next(), radix: 36) + String(random.next(), radix: 36)
        node = Node(name: name, owner: owner, receive: receive)
        do throws(NetError) {
            try await connect()
        } catch {
            pair?.close()
            (node, pair, isReady, outage) = (nil, nil, false, nil)
            throw error
        }
        life = Task { await self.run() }
    }

    /// Removes the members from all channels, and closes the connections.
    func close() async {
        guard let node else { return }
        if let pair, isReady { await buryOwn(node, pair) }
        self.node = nil
        isReady = false
        pair?.close()
        pair = nil
        (topics, members, departures) = ([:], [:], [:])
        (departureCount, hasLostDepartures) = (0, false)
        pairEnd.take()?.resume()
        releaseWaiters()
        let task = life.take()
        task?.cancel()
        await task?.value
    }

    /// Removes the members of this server from all channels, even in a cancelled task.
    func buryOwn(_ node: Node, _ pair: RedisPair) async {
        let command = pair.command(
            .bury, keys: burialKeys(node.name),
            arguments: [Bytes(node.name.utf8), Bytes(node.owner.utf8), Bytes(keys.prefix.utf8)])
        while await reply(to: command, pair)?.integer == 1 {}
    }

    private func reply(to command: RedisCommand, _ pair: RedisPair) async -> RedisValue? {
        await withCheckedContinuation { continuation in
            pair.commands.send(command) { continuation.resume(returning: try? $0.get()) }
        }
    }

    private func burialKeys(_ name: String) -> [String] { [keys.servers, keys.owners, keys.topics(of: name)] }

    /// Monitors the connections until the engine is closed.
    private func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tick() }
            while node != nil {
                await withCheckedContinuation { continuation in
                    if pair == nil || node == nil { return continuation.resume() }
                    pairEnd = continuation
                }
                guard let node else { break }
                node.receive(.away(reason: outage?.message ?? "the connection was lost"))
                guard await reconnect() else { break }
                self.node?.receive(.back)
            }
            group.cancelAll()
        }
    }

    /// Reconnects; returns false if the engine is closed.
    private func reconnect() async -> Bool {
        var attempt = 1
        var previous: Duration?
        while node != nil {
            let wait = configuration.backoff.delay(afterAttempt: attempt, previous: previous, random: random.unit())
            previous = wait
            attempt += 1
            do { try await clock.sleep(for: wait) } catch { return false }
            guard node != nil else { return false }
            do throws(NetError) {
                try await connect()
                return true
            } catch {
                outage = error
                pair?.close()
                pair = nil
            }
        }
        return false
    }

    /// Opens a pair, and catches up with what was missed meanwhile.
    private func connect() async throws(NetError) {
        pairNumber += 1
        let number = pairNumber
        var settings = RedisConnection.Configuration()
        settings.connectTimeout = configuration.connectTimeout
        settings.commandTimeout = configuration.commandTimeout
        // The calls, and the commands for catching up.
        settings.maximumPendingCommands = configuration.maximumWaiting + 2 * Self.batch + 100
        settings.trustRoots = configuration.trustRoots
        settings.name = "swift-net"
        let new = try await RedisPair.open(address, on: loop, settings, clock) { channel, payload in
            self.assumeIsolated { $0.arrived(payload, on: channel, number) }
        } onEnd: { error in
            self.assumeIsolated { $0.ended(error, number) }
        }
        guard node != nil else {
            new.close()
            throw Self.notOpen
        }
        // The pair may have ended already.
        guard outageNumber != number else { throw outage ?? Self.notOpen }
        pair = new
        let now = clock.now()
        (lastHeartbeat, lastLease, lastTouch) = (now, now, now)
        try await resume(new)
        guard pair != nil, node != nil, number == pairNumber else { throw outage ?? Self.notOpen }
        isReady = true
        outage = nil
        releaseWaiters()
    }

    /// Handles the end of one of a pair's connections.
    private func ended(_ error: NetError, _ number: Int) {
        guard number == pairNumber, outageNumber != number else { return }
        outageNumber = number
        if outage == nil || error.code != .shutdown { outage = error }
        isReady = false
        pair?.close()
        pair = nil
        for name in topics.keys { topics[name]?.interrupt() }
        pairEnd.take()?.resume()
    }

    // MARK: Watching

    /// Checks timeouts, renews the lease, and sends heartbeats.
    private func tick() async {
        let pause = min(.seconds(1), configuration.lease / 3, configuration.heartbeat / 2)
        while node != nil {
            do { try await clock.sleep(for: max(pause, .milliseconds(10))) } catch { return }
            let now = clock.now()
            releaseWaiters(until: now)
            guard let pair else { continue }
            pair.commands.check(now: now)
            pair.subscriptions.check(now: now)
            guard let pair = self.pair, isReady else { continue }
            if now - lastHeartbeat >= configuration.heartbeat {
                lastHeartbeat = now
                for connection in [pair.commands, pair.subscriptions] { connection.send(RedisCommand("PING")) { _ in } }
            }
            if now - lastLease >= configuration.lease / 3 {
                lastLease = now
                renewLease(pair)
            }
            if now - lastTouch >= configuration.positionTime / 3 {
                lastTouch = now
                untouched = ArraySlice(topics.keys)
            }
            touch(pair)
        }
    }

    /// Extends the expiry of the offsets of subscribed topics on the broker, a batch at a time.
    private func touch(_ pair: RedisPair) {
        let time = String(decoding: Self.milliseconds(configuration.positionTime), as: UTF8.self)
        for topic in untouched.prefix(Self.batch) {
            pair.commands.send(RedisCommand("PEXPIRE", keys.state(topic), time)) { _ in }
        }
        untouched = untouched.dropFirst(Self.batch)
    }

    // MARK: The lease

    func leaseArguments(_ node: Node) -> [Bytes] {
        [Bytes(node.name.utf8), Bytes(node.owner.utf8), Self.milliseconds(configuration.lease)]
    }

    private func renewLease(_ pair: RedisPair) {
        guard let node else { return }
        let number = pairNumber
        let command = pair.command(
            .lease, keys: [keys.servers, keys.owners], arguments: leaseArguments(node))
        pair.commands.send(command) { result in
            self.assumeIsolated { core in
                guard core.pairNumber == number, let reply = try? result.get() else { return }
                core.renewed(reply, pair)
            }
        }
    }

    private func renewed(_ reply: RedisValue, _ pair: RedisPair) {
        guard let parts = reply.array, parts.first?.integer == 1, parts.count == 3 else { return pair.close() }
        if parts[1].integer == 1 { enterAgain(pair) {} }
        for name in parts[2].array ?? [] { if let name = name.text { bury(name, pair) } }
    }

    /// Removes the members of a server whose lease has ended from all channels.
    func bury(_ name: String, _ pair: RedisPair) {
        let number = pairNumber
        let command = pair.command(
            .bury, keys: burialKeys(name), arguments: [Bytes(name.utf8), [], Bytes(keys.prefix.utf8)])
        pair.commands.send(command) { result in
            self.assumeIsolated { core in
                guard core.pairNumber == number, (try? result.get())?.integer == 1 else { return }
                core.bury(name, pair)
            }
        }
    }
}
#endif
