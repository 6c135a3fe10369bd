#if Server
internal import Logging
internal import NIOCore
internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SocketServerCore {
    var phase: Phase { state.withLock { $0.phase } }

    /// Returns the lane of an event loop and the runner of its handlers; nil if the server isn't running.
    func lane(for loop: any EventLoop) -> (lane: LoopLane, runner: CommandRunner)? {
        let (found, isNew) = state.withLock { state -> ((lane: LoopLane, runner: CommandRunner)?, Bool) in
            guard state.phase == .running else { return (nil, false) }
            if let known = state.lanes[ObjectIdentifier(loop)] { return (known, false) }
            let lane = LoopLane(loop, metrics)
            let new = (lane, CommandRunner(on: lane))
            state.lanes[ObjectIdentifier(loop)] = new
            return (new, true)
        }
        if isNew, let found {
            runner.start(.pool) {
                await withTaskExecutorPreference(found.lane) { await found.runner.run() }
            }
        }
        return found
    }

    /// Begins to serve; returns false if the server was stopped before. Throws if it is running or has already run.
    func begin() async throws -> Bool {
        let (isFirst, isStopped) = state.withLock { state in
            defer { state.hasBegun = true }
            return (!state.hasBegun, state.phase != .idle)
        }
        guard isFirst else {
            throw NetError(
                .invalidRequest, phase: .preparing, message: "a SocketServer can run only once; create another one")
        }
        if isStopped { return false }
        do { try await engine.open(as: node) { [weak self] in self?.receive($0) } } catch {
            fail(with: error)
            throw error
        }
        let waiters = state.withLock { state in
            if case .idle = state.phase { state.phase = .running }
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
        return true
    }

    /// Releases the tasks that wait until the server is serving.
    func becomeReady() {
        let waiters = state.withLock { state in
            state.isReady = true
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends the server, which couldn't begin; tasks that wait for it get the error.
    func fail(with error: any Error) {
        state.withLock { $0.failure = error }
        beginDraining()
    }

    /// Serves until draining is complete. The handlers run in a task of their own, which may outlive this function.
    func serve() async {
        state.withLock { $0.isIdle = false }
        tasks.start {
            await self.runner.run()
            let body = self.state.withLock { state in
                state.isIdle = true
                return state.whenIdle.take()
            }
            await body?()
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.pacer.run(self.channels) }
            group.addTask { await self.sweep() }
            await self.waitForDraining()
            await self.drain()
        }
        await engine.close()
    }

    /// Checks the time limits of all connections, once a second.
    private func sweep() async {
        while phase != .over {
            do { try await sleepUnlessOver(.seconds(1)) } catch { return }
            let now = clock.now()
            onLanes(of: connections.all) { $0.tick(now) }
            sessions.tick(now: now)
            authentications.tick(now: now) {
                refused(.timeout, later("The handshake took too long."), at: $0)
            }
        }
    }

    // MARK: Draining

    /// Stops accepting connections, and lets the open ones end.
    func beginDraining() {
        let waiters = state.withLock { state in
            switch state.phase {
            case .idle: state.phase = .over
            case .running: state.phase = .draining
            case .draining, .over: break
            }
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    func waitForDraining() async {
        while phase == .running {
            let id = state.withLock { $0.phase == .running ? $0.waiters.register() : nil }
            if let id { await wait(id) }
        }
    }

    private func wait(_ id: WaiterList<Void>.ID) async {
        await WaiterList.wait(id, fallback: ()) { change in self.state.withLock { change(&$0.waiters) } }
    }

    private func sleepUnlessOver(_ time: Duration) async throws {
        let id = state.withLock { $0.phase == .over ? nil : $0.waiters.register() }
        guard let id else { return }
        await withTaskGroup { group in
            group.addTask { try? await self.clock.sleep(for: time) }
            group.addTask { await self.wait(id) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Closes a connection that has finished its work, with a delay after which its client should reconnect.
    func drained(_ connection: ServerConnection) {
        let delay = state.withLock { state in
            defer { state.drained += 1 }
            return state.hints?.delay(of: state.drained) ?? .zero
        }
        connection.close(.goingAway, RetryAfterReason.text(delay))
    }
}

extension ServerConnection {
    func drain() {
        perform { machine, effects in machine.drain(&effects) }
    }

    /// Checks the time limits. On the lane.
    func tick(_ now: Duration) {
        if let deadline = closingDeadline, now >= deadline { return outlet?.drop() ?? () }
        perform { machine, effects in machine.tick(now: now, &effects) }
        guard !isClosing else { return }
        if let heartbeat = head.wire.serverHeartbeat, machine.phase == .open, now - lastHeartbeat >= heartbeat.interval
        {
            lastHeartbeat = now
            say(heartbeat.signal)
        }
        if heardSomething {
            heardSomething = false
            liveness.byteArrived(now: now)
        }
        // Nothing can be read from the client, not even its close frame: only a write detects that it is gone.
        if !isReadingPaused {
            lastBlindProbe = now
        } else if now - lastBlindProbe >= core.configuration.liveness.silence {
            lastBlindProbe = now
            outlet?.ping()
        }
        switch liveness.deadlinePassed(now: now, isPaused: isReadingPaused) {
        case .wait: break
        case .probe: probe()
        case .dead:
            close(core.configuration.silenceCode.code, "the client was silent")
            closingDeadline = now
        }
    }

    private func probe() {
        switch core.configuration.liveness.probe {
        case .ping: ping()
        case .message(let make): send(.message(make()), key: nil)
        }
    }
}
#endif
