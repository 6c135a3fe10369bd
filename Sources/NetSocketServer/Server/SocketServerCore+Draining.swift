#if Server
internal import Logging
internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SocketServerCore {
    /// The time in which a handler that is cancelled at the end of the drain timeout can end.
    private static let grace = Duration.seconds(1)

    /// Lets the connections and their commands end, within the time limits, and leaves behind what ignores its
    /// cancellation.
    func drain() async {
        var limit = clock.now() + configuration.drainTimeout
        let open = connections.all
        observer?.report(.drainBegan(connections: open.count))
        // They couldn't be upgraded any more.
        authentications.abandonAll { refused(.draining, Self.unavailable, at: $0) }
        let hints = ReconnectHints(
            count: open.count, over: configuration.reconnectSpread, random: configuration.random)
        state.withLock { $0.hints = hints }
        onLanes(of: open) { $0.drain() }
        await wait(for: configuration.drainTimeout) { await self.connections.waitUntilEmpty() }
        let late = connections.all
        if !late.isEmpty { limit += Self.grace }
        onLanes(of: late) { self.drained($0) }
        await wait(for: configuration.closeTimeout) { await self.connections.waitUntilEmpty() }
        let cutOff = connections.all
        onLanes(of: cutOff) { $0.outlet?.drop() }
        await wait(for: configuration.closeTimeout) { await self.connections.waitUntilEmpty() }
        sessions.cancelLingering()
        observer?.report(.drainEnded(cutOff: cutOff.count))
        let (runners, waiters) = state.withLock { state in
            state.phase = .over
            defer { state.lanes = [:] }
            return (state.lanes.values.map(\.runner) + [runner], state.waiters.releaseAll(with: ()))
        }
        for waiter in waiters { waiter.resume() }
        for runner in runners { runner.close() }
        pacer.close()
        await wait(for: max(limit - clock.now(), .milliseconds(100))) { await self.tasks.waitUntilEmpty() }
        leave(runners)
    }

    /// Waits for a function that ends when its task is cancelled, but not longer than a time.
    private func wait(for time: Duration, _ body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await body() }
            group.addTask { [clock] in try? await clock.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Cancels and logs the work that hasn't ended.
    private func leave(_ runners: [CommandRunner]) {
        guard tasks.count > 0 || connections.count > 0 else { return }
        tasks.cancelAll()
        var handlers: [String: Int] = [:]
        for runner in runners { handlers.merge(runner.paths, uniquingKeysWith: +) }
        var open: [String: Int] = [:]
        for connection in connections.all { open[connection.head.path, default: 0] += 1 }
        var metadata: Logger.Metadata = [:]
        for (name, paths) in [("handshakes", authentications.paths), ("handlers", handlers), ("connections", open)]
        where !paths.isEmpty {
            metadata[name] = "\(list(paths))"
        }
        // The last ones may have ended meanwhile.
        guard !metadata.isEmpty else { return }
        logger.warning("the server ended before work that ignores its cancellation", metadata: metadata)
    }

    /// The maximum number of paths in a line of the log.
    private static let maximumPaths = 8

    /// Returns numbers by path as text, such as `3 of /chat, 1 of /admin`.
    private func list(_ paths: [String: Int]) -> String {
        let sorted = paths.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var parts = sorted.prefix(Self.maximumPaths).map {
            "\($0.value) of \(configuration.redaction.redact(url: $0.key))"
        }
        let rest = sorted.dropFirst(Self.maximumPaths).reduce(0) { $0 + $1.value }
        if rest > 0 { parts.append("\(rest) of other paths") }
        return parts.joined(separator: ", ")
    }

    /// Runs a function once no handler runs any more: immediately, or later in the task of the handlers.
    func whenIdle(_ body: @escaping @Sendable () async -> Void) async {
        let isIdle = state.withLock { state in
            if !state.isIdle { state.whenIdle = body }
            return state.isIdle
        }
        if isIdle { await body() }
    }
}
#endif
