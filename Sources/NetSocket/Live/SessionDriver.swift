internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// Runs a session machine. Events come in from any thread; effects are performed one after the other.
///
/// Work that may suspend is done by the children of ``run()``: opening a connection and reading it, writing, closing,
/// making payloads, sleeping until the next deadline. Everything else happens on the thread that delivered the event.
final class SessionDriver: Sendable {
    typealias Machine = SessionMachine
    /// Makes the payload of each join of a channel.
    typealias JoinPayload = @Sendable () async throws -> SocketPayload?

    /// Work for a child of `run()`.
    enum Job: Sendable {
        case connect(Machine.ConnectionID, SocketAttempt)
        case write(SessionConnection)
        case close(SessionConnection, CloseFrameCode)
        case makeJoinPayload(Machine.ConnectionID, topic: String, generation: Machine.Ticket)
        case makeOpenPayload(Machine.ConnectionID)
        case probe(SessionConnection)
    }

    struct State {
        var machine: Machine
        var effects: [Machine.Effect] = []
        /// True while a thread performs effects.
        var isPerforming = false
        /// The reader, while it waits for effects to be performed.
        var performWaiters = WaiterList<Void>()
        /// The wire machine of the current connection.
        var wire: (any WireMachine)?
        var connection: SessionConnection?
        /// The closures that cancel attempts to open a connection.
        var attempts: [Machine.ConnectionID: @Sendable () -> Void] = [:]
        var waiters = WaiterList<Machine.Outcome?>()
        var tickets: [Machine.Ticket: WaiterList<Machine.Outcome?>.ID] = [:]
        /// The closures that cancel the tasks that write and close connections.
        var ending: [Int: @Sendable () -> Void] = [:]
        var lastEnding = 0
        /// True if the session's task is cancelled: connections end immediately.
        var isHurried = false
        var joinPayloads: [String: JoinPayload] = [:]
        var isRunning = false
        /// The requests whose outcome is reported to observers.
        var posted: [Machine.Ticket: PostedCommand] = [:]
        /// The logins of the first connection, which all others must have too; nil before it, and if it has none.
        var login: CallLogin?
        var hasLogin = false
        /// The last handshake whose credential was refused.
        var refused: RefusedCredential?
        /// True while the reader waits for a slow observer.
        var isHeld = false
        /// The time of the last probe of the open connection, after a change of the network.
        var probed: Duration?
    }

    let client: WebSocketClient
    let configuration: SocketClient.Configuration
    let request: @Sendable (SocketAttempt) async throws -> WebSocketRequest
    let hub = SocketHub()
    let handlers = SocketHandlers()
    let timers: SessionTimers
    let jobs = SocketMailbox<Job>()
    let state: Mutex<State>
    /// Nil if no listener is interested in sessions.
    let recorder: SessionRecorder?

    init(
        _ client: WebSocketClient, _ configuration: SocketClient.Configuration,
        request: @escaping @Sendable (SocketAttempt) async throws -> WebSocketRequest
    ) {
        self.client = client
        self.configuration = configuration
        self.request = request
        timers = SessionTimers(clock: client.core.environment.clock)
        var settings = configuration.settings
        settings.delivery = configuration.delivery.map { limits in
            let random = client.core.environment.random
            let (first, second): (UInt64, UInt64) = (random.next(), random.next())
            return (limits, first.paddedHexadecimal + second.paddedHexadecimal)
        }
        state = Mutex(State(machine: Machine(settings)))
        recorder = SessionRecorder(client.core.environment, middleware: client.core.settings.middleware)
    }

    var clock: NetClock { client.core.environment.clock }

    var chance: Machine.Chance {
        let environment = client.core.environment
        return Machine.Chance(date: environment.clock.date(), random: environment.random.unit())
    }

    // MARK: Events

    func handle(_ event: Machine.Event) { handle { _ in event } }

    /// Passes an event to the machine and performs its effects. If another thread is performing effects, that thread
    /// performs these as well.
    ///
    /// - Parameter event: Creates the event from the state that the machine handles it in; nil if there is none.
    func handle(_ event: (inout State) -> Machine.Event?) {
        let now = clock.now()
        let (isMine, forgotten) = state.withLock { state -> (Bool, [JoinPayload]) in
            guard let event = event(&state) else { return (false, []) }
            let effects = state.machine.handle(event, now: now)
            state.effects += effects
            defer { state.isPerforming = true }
            return (!state.isPerforming, state.forgetPayloads(after: effects))
        }
        // Released outside the lock: they may hold the last reference to a client.
        withExtendedLifetime(forgotten) {}
        guard isMine else { return }
        while true {
            let (effects, waiters) = state.withLock { state -> ([Machine.Effect], [WaiterList<Void>.Waiter]) in
                defer { state.effects = [] }
                guard state.effects.isEmpty else { return (state.effects, []) }
                state.isPerforming = false
                return ([], state.performWaiters.releaseAll(with: ()))
            }
            for waiter in waiters { waiter.resume() }
            if effects.isEmpty { return }
            for effect in effects { perform(effect) }
        }
    }

    /// Waits while another thread performs effects. The reader calls this after each batch of messages; otherwise it
    /// could keep a thread that delivered a single event busy forever.
    func waitUntilPerformed() async {
        let waiter = state.withLock { $0.isPerforming ? $0.performWaiters.register() : nil }
        guard let waiter else { return }
        await WaiterList.wait(waiter, fallback: ()) { change in self.state.withLock { change(&$0.performWaiters) } }
    }

    private func perform(_ effect: Machine.Effect) {
        switch effect {
        case .connect(let id, let number, let needsNewCredential):
            jobs.put(.connect(id, SocketAttempt(number: number, needsNewCredential: needsNewCredential)))
        case .abandon(let id): state.withLock { $0.attempts.removeValue(forKey: id) }?()
        case .close(let id, let code): close(id, code)
        case .makeOpenPayload(let id): jobs.put(.makeOpenPayload(id))
        case .makeJoinPayload(let id, let topic, let generation):
            // Without a payload to make, channels are joined in the order in which they were created.
            let hasPayload = state.withLock { $0.joinPayloads[topic] != nil }
            if hasPayload {
                jobs.put(.makeJoinPayload(id, topic: topic, generation: generation))
            } else {
                handle(.joinPayload(id, topic: topic, generation: generation, nil, nil))
            }
        case .send(let id, let signal): if let error = send(signal, on: id) { refuse(signal, error) }
        case .notify(let id, let signal, let ticket):
            let error = send(signal, on: id)
            settle(ticket, error.map { .failed(.unprepared($0)) } ?? .success(nil))
            if error != nil, case .numbered(let number, _) = signal { handle(.unwritable(number)) }
        case .probe(let id):
            let now = clock.now()
            let connection = state.withLock { state -> SessionConnection? in
                guard let connection = state.connection, connection.id == id else { return nil }
                state.probed = now
                return connection
            }
            if let connection { jobs.put(.probe(connection)) }
        case .setTimer(let timer, let deadline): timers.set(timer, at: deadline)
        case .clearTimer(let timer): timers.clear(timer)
        case .settle(let ticket, let outcome): settle(ticket, outcome)
        case .tell(let notice): tell(notice)
        }
    }

    func tell(_ notice: Machine.Notice) {
        recorder?.note(notice)
        hub.tell(notice)
        do throws(NetError) {
            try hub.tellPresence(after: notice)
        } catch {
            tell(.unreadable(error))
        }
        switch notice {
        case .state(.closed): over(.success(()))
        case .state(.failed(let error)): over(.failure(error))
        default: break
        }
    }

    /// Handles the end of the session. The children of `run()` end when they have finished their remaining work.
    private func over(_ result: Result<Void, NetError>) {
        hub.end(result)
        jobs.close()
        // Released outside the lock: they may hold the last reference to a client.
        let payloads = state.withLock { state in
            defer { state.joinPayloads = [:] }
            return state.joinPayloads
        }
        withExtendedLifetime(payloads) {}
    }

    private func close(_ id: Machine.ConnectionID, _ code: WebSocketCloseCode) {
        let connection = state.withLock { state -> SessionConnection? in
            guard state.connection?.id == id else { return nil }
            defer { (state.connection, state.wire) = (nil, nil) }
            return state.connection
        }
        guard let connection else { return }
        connection.outbox.close()
        guard let code = try? CloseFrameCode(code) else { return connection.socket.drop() }
        jobs.put(.close(connection, code))
    }

    /// Returns an error if the wire protocol can't encode the signal. A signal for a connection that has ended is
    /// dropped; the end of the connection reports it.
    private func send(_ signal: WireSignal, on id: Machine.ConnectionID) -> NetError? {
        let (connection, messages, error) = state.withLock {
            state -> (SessionConnection?, [WebSocketMessage], NetError?) in
            guard let connection = state.connection, connection.id == id else { return (nil, [], nil) }
            do throws(NetError) { return (connection, try state.wire?.encode(signal) ?? [], nil) } catch {
                // Every number must be sent.
                guard case .numbered(let number, _) = signal else { return (connection, [], error) }
                let filler = try? state.wire?.encode(.numbered(number, .alive(nil)))
                return (connection, filler ?? [], error)
            }
        }
        for message in messages { connection?.outbox.put(message) }
        return error
    }

    /// Handles a signal that the wire protocol can't encode, and immediately fails the task that waits for the reply.
    private func refuse(_ signal: WireSignal, _ error: NetError) {
        switch signal {
        case .open: handle(.openPayload(currentID, nil, error, chance))
        case .request(let request):
            guard case .number(let ticket)? = request.id else { return }
            settle(ticket, .failed(.unprepared(error)))
            handle(.cancel(ticket))
        case .numbered(let number, let signal):
            handle(.unwritable(number))
            refuse(signal, error)
        case .join(let join):
            handle(.received(currentID, .joinRefused(join.id, topic: join.topic, Self.failure(error))))
        case .reply(let reply): refuse(reply, error, on: currentID)
        case .subscribe(let id, _): handle(.received(currentID, .completed(id, Self.failure(error))))
        default: break
        }
    }

    private var currentID: Machine.ConnectionID { state.withLock { $0.connection?.id ?? 0 } }

    private static func failure(_ error: NetError) -> SocketFailure {
        SocketFailure(error.code.rawValue, error.message)
    }

    // MARK: Tickets

    private func settle(_ ticket: Machine.Ticket, _ outcome: Machine.Outcome) {
        let (waiter, posted) = state.withLock { state -> (WaiterList<Machine.Outcome?>.Waiter?, PostedCommand?) in
            guard let id = state.tickets.removeValue(forKey: ticket) else {
                return (nil, state.posted.removeValue(forKey: ticket))
            }
            return (state.waiters.release(id, with: outcome), nil)
        }
        waiter?.resume()
        guard let posted else { return }
        record(posted, outcome)
        hub.tell(.settled(ticket, outcome))
    }

    /// Waits until the connection can take more. Returns false if that takes longer than the limit.
    func waitForRoom(_ limit: Duration) async -> Bool {
        guard let outbox = state.withLock({ $0.connection })?.outbox, outbox.isFull else { return true }
        let clock = clock
        return await withTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await outbox.waitForRoom()
                return true
            }
            group.addTask {
                _ = try? await clock.sleep(for: limit)
                return false
            }
            return await group.next() ?? true
        }
    }

    /// Passes an event with a new ticket to the machine, and waits until the ticket is settled or the task is cancelled.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait until the connection can take more.
    ///   - prepare: Changes the state in the step in which the machine handles the event. If it returns an error, the
    ///     outcome is that error, and the machine doesn't get the event.
    ///   - event: Creates the event from its ticket.
    func wait(
        within limit: Duration, _ prepare: (inout State) -> NetError? = { _ in nil },
        _ event: (Machine.Ticket) -> Machine.Event
    ) async -> Machine.Outcome {
        let hasRoom = await waitForRoom(limit)
        if Task.isCancelled { return .failed(.cancelled(mayHaveArrived: false)) }
        guard hasRoom else { return .failed(.timedOut(limit, mayHaveArrived: false)) }
        let (ticket, id) = state.withLock { state in
            let (ticket, id) = (state.machine.makeTicket(), state.waiters.register())
            state.tickets[ticket] = id
            return (ticket, id)
        }
        var refusal: NetError?
        handle { state in
            refusal = prepare(&state)
            return refusal == nil ? event(ticket) : nil
        }
        if let refusal { settle(ticket, .failed(.unprepared(refusal))) }
        let outcome = await WaiterList.wait(id, fallback: nil) { change in
            self.state.withLock { change(&$0.waiters) }
        }
        if let outcome { return outcome }
        let wasSent = state.withLock { state in
            state.tickets[ticket] = nil
            return state.machine.hasSent(ticket)
        }
        handle(.cancel(ticket))
        return .failed(.cancelled(mayHaveArrived: wasSent))
    }

    func makeTicket() -> Machine.Ticket { state.withLock { $0.machine.makeTicket() } }

    var sessionState: SocketSessionState { state.withLock { $0.machine.state } }

    func channelState(_ topic: String) -> SocketChannelState { state.withLock { $0.machine.channelState(topic) } }
}
