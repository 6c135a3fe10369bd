internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SessionDriver {
    /// Runs the session until it is over or the task is cancelled, which closes the session. Throws the error that the
    /// session failed with.
    func run() async throws(NetError) {
        let wasRunning = state.withLock { state in
            defer { state.isRunning = true }
            return state.isRunning
        }
        guard !wasRunning else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "the session is already running; a client runs only once, so create another one")
        }
        let (calls, questions) = (observeForHandlers(), observeQuestions())
        handle(.start)
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.timers.run { self.passed($0) } }
                group.addTask { await self.answer(questions) }
                if let network = self.configuration.network {
                    group.addTask {
                        for await status in network.statuses { self.handle(.network(status)) }
                        // A provider that has ended must not keep the session waiting.
                        if !Task.isCancelled { self.handle(.network(NetworkStatus())) }
                    }
                }
                await withTaskGroup(of: Void.self) { handlers in
                    handlers.addTask { await Self.call(calls) }
                    await self.performJobs()
                    // If the session has failed, handlers still receive the pushes that arrived before the failure.
                    if case .closed = self.sessionState { handlers.cancelAll() }
                }
                group.cancelAll()
            }
        } onCancel: {
            self.handle(.close)
            self.hurry()
        }
        handlers.removeAll()
        if case .failed(let error) = sessionState { throw error }
        if Task.isCancelled {
            throw NetError(.cancelled, phase: .receiving, message: "the session's task was cancelled")
        }
    }

    /// Performs jobs until the session is over. Messages that are waiting are still written and connections are closed;
    /// everything else is cancelled.
    private func performJobs() async {
        await withDiscardingTaskGroup { jobs in
            while let batch = await self.takeJobs() {
                for job in batch { jobs.addTask { await self.perform(job) } }
            }
            jobs.cancelAll()
        }
    }

    private func passed(_ timer: Machine.Timer) {
        // While this side doesn't read, silence isn't a sign that the server is gone.
        if [.heartbeat, .silence, .probe].contains(timer),
            let id = state.withLock({ $0.isHeld ? $0.connection?.id : nil })
        {
            handle(.heard(id))
        }
        if timer == .probe, let id = connectionHeardSinceProbe() { handle(.heard(id)) }
        handle(.timer(timer, chance))
    }

    /// Returns the connection if bytes have arrived since it was probed, as they would satisfy a liveness check: a
    /// server may be slow to reply to a ping, or reply with another payload.
    private func connectionHeardSinceProbe() -> Machine.ConnectionID? {
        let (connection, probed) = state.withLock { ($0.connection, $0.probed) }
        guard let connection, let probed, let silence = connection.socket.silence, silence < clock.now() - probed else {
            return nil
        }
        return connection.id
    }

    /// Returns the next jobs, even if the task is cancelled: cancellation closes the session, which leads to more jobs.
    private func takeJobs() async -> [Job]? {
        // This task isn't cancelled: the mailbox ends with the session.
        await Task { await jobs.take() }.value
    }

    private func perform(_ job: Job) async {
        switch job {
        case .connect(let id, let attempt): await connect(id, attempt)
        case .write(let connection): await untilHurried { await connection.write() }
        case .close(let connection, let code):
            await untilHurried { [clock] in await connection.close(code, on: clock) }
        case .probe(let connection):
            // The reader gets the same error and reports it. The machine limits the time.
            if (try? await connection.socket.ping(timeout: nil)) != nil { handle(.heard(connection.id)) }
        case .makeOpenPayload(let id):
            let (payload, error) = await Self.make(configuration.openPayload)
            handle(.openPayload(id, payload, error, chance))
        case .makeJoinPayload(let id, let topic, let generation):
            let make = state.withLock { $0.joinPayloads[topic] }
            let (payload, error) = await Self.make(make)
            handle(.joinPayload(id, topic: topic, generation: generation, payload, error))
        }
    }

    /// Runs a function in a separate task, which the end of the session doesn't cancel, but ``hurry()`` does.
    private func untilHurried(_ body: @escaping @Sendable () async -> Void) async {
        let task = Task { await body() }
        let (id, isHurried) = state.withLock { state in
            state.lastEnding += 1
            state.ending[state.lastEnding] = { task.cancel() }
            return (state.lastEnding, state.isHurried)
        }
        if isHurried { task.cancel() }
        await task.value
        state.withLock { state in state.ending[id] = nil }
    }

    /// Ends connections that are being closed immediately, because the session's task was cancelled.
    private func hurry() {
        let cancels = state.withLock { state in
            state.isHurried = true
            return state.ending.values.map { $0 }
        }
        for cancel in cancels { cancel() }
    }

    private static func make(
        _ make: (@Sendable () async throws -> SocketPayload?)?
    ) async -> (SocketPayload?, NetError?) {
        do {
            return (try await make?(), nil)
        } catch {
            return (
                nil,
                NetError(error)
                    ?? NetError(
                        .invalidRequest, phase: .preparing,
                        message: "a payload could not be created: \(ErrorSummary.describe(error))", underlying: error)
            )
        }
    }

    // MARK: A connection

    /// Opens a connection and reads it to its end.
    private func connect(_ id: Machine.ConnectionID, _ attempt: SocketAttempt) async {
        let task = Task { await self.open(attempt) }
        let isWanted = state.withLock { state in
            guard state.machine.current == id else { return false }
            state.attempts[id] = { task.cancel() }
            return true
        }
        if !isWanted { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        state.withLock { _ = $0.attempts.removeValue(forKey: id) }
        switch result {
        case .failure(let error):
            // If the session's task is cancelled, the session closes anyway.
            if !(error.isCancellation && Task.isCancelled) { handle(.connectFailed(id, error, chance)) }
        case .success(let socket):
            if let error = disagreement(on: socket.subprotocol) {
                await socket.close(.goingAway)
                return handle(.connectFailed(id, error, chance))
            }
            let connection = SessionConnection(id, socket)
            var wire = configuration.wire.makeMachine(.client)
            wire.agree(on: socket.subprotocol)
            let isWanted = state.withLock { state in
                guard state.machine.current == id else { return false }
                (state.connection, state.wire) = (connection, wire)
                return true
            }
            guard isWanted else { return await socket.close(.goingAway) }
            jobs.put(.write(connection))
            handle(.connected(id))
            // Another connection may have taken its place before the session processed `.connected`.
            let isUsed = state.withLock { $0.connection === connection }
            if !isUsed, !connection.outbox.isClosed {
                connection.outbox.close()
                return await socket.close(.goingAway)
            }
            await read(connection)
        }
    }

    /// Returns an error if messages must be numbered and the server hasn't agreed to that.
    private func disagreement(on subprotocol: String?) -> NetError? {
        let wire = configuration.wire
        guard configuration.delivery != nil, !wire.subprotocols.contains(subprotocol ?? "") else { return nil }
        return NetError(
            .unsupported, phase: .connecting,
            message: "the server didn't agree on the subprotocol \(wire.subprotocols.joined(separator: " or ")), "
                + "which delivery at least once requires")
    }

    private func open(_ attempt: SocketAttempt) async -> Result<WebSocketConnection, NetError> {
        var made: WebSocketRequest
        do {
            made = try await request(attempt)
        } catch {
            return .failure(
                NetError(error)
                    ?? NetError(
                        .invalidRequest, phase: .preparing,
                        message: "the session's request could not be created: \(ErrorSummary.describe(error))",
                        underlying: error))
        }
        if made.subprotocols.isEmpty { made.subprotocols = configuration.wire.subprotocols }
        made.options.login = await login(for: made)
        let credential = RefusedCredential.Credential(made, client)
        if let error = refusal(of: credential, attempt) { return .failure(error) }
        do throws(NetError) {
            let socket = try await client.connect(made, recorder)
            if let negotiate = configuration.negotiate {
                try await SocketNegotiation.perform(
                    negotiate, over: socket, limit: configuration.joinTimeout, on: clock)
            }
            return .success(socket)
        } catch {
            note(error, refusing: credential)
            return .failure(error)
        }
    }

    /// Returns the logins of the session's first connection: what is queued was queued for them.
    private func login(for request: WebSocketRequest) async -> CallLogin? {
        let (login, isKnown) = state.withLock { ($0.login, $0.hasLogin) }
        if isKnown { return login }
        guard let prepared = try? client.prepare(request) else { return nil }
        let first = await client.core.login(of: prepared)
        return state.withLock { state in
            if !state.hasLogin { (state.login, state.hasLogin) = (first, true) }
            return state.login
        }
    }

    private func read(_ connection: SessionConnection) async {
        while true {
            do throws(NetError) {
                var hasAnswered = false
                for message in try await connection.socket.receiveAll() {
                    if received(message, connection) { hasAnswered = true }
                }
                await waitUntilPerformed()
                state.withLock { $0.isHeld = true }
                await hub.waitForRoom()
                state.withLock { $0.isHeld = false }
                // Only automatic replies of the wire protocol can accumulate without any task waiting for room. A
                // server that makes no room counts as silent: heartbeats continue.
                if hasAnswered { await connection.outbox.waitForRoom() }
            } catch {
                if error.isCancellation { return }
                connection.outbox.close()
                state.withLock { state in
                    if state.connection === connection { (state.connection, state.wire) = (nil, nil) }
                }
                return handle(.ended(connection.id, error, chance))
            }
        }
    }

    /// Returns whether the wire protocol has replied automatically.
    private func received(_ message: WebSocketMessage, _ connection: SessionConnection) -> Bool {
        let reading = state.withLock { state -> Result<WireReading, NetError>? in
            guard state.connection === connection else { return nil }
            return Result { () throws(NetError) in try state.wire?.decode(message) ?? WireReading() }
        }
        switch reading {
        case .success(let reading)?:
            if let problem = reading.unreadable {
                tell(.unreadable(NetError(.decoding, phase: .decoding, message: problem)))
            }
            for answer in reading.responses { connection.outbox.put(answer) }
            for signal in reading.signals {
                if case .end(let end) = signal {
                    handle(.wireEnded(connection.id, end, chance))
                } else {
                    handle(.received(connection.id, signal))
                }
            }
            return !reading.responses.isEmpty
        case .failure(let error)?:
            handle(.heard(connection.id))
            tell(.unreadable(error))
            return false
        case nil: return false
        }
    }
}
