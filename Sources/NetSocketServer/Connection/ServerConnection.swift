#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// What is known of a connection from its handshake on.
struct ConnectionHead: Sendable {
    var path: String
    var address: String?
    var subprotocol: String?
    var wire: SocketWire
    /// The number of the wire and subprotocol among those of the server: two connections with the same one are written the
    /// same pushes. nil if its pushes are written for it alone.
    var sharedWire: Int?
    var compression: WebSocketCompression?
    /// The trace that the handshake belongs to.
    var origin = TraceOrigin()
    /// The handshake, if somebody wants messages, in which its secrets are hidden.
    var handshake: CapturedExchange.Request?
}

/// One connection of a client: drives its machine.
///
/// `@unchecked Sendable`: the variables below "lane" are used by work of its lane only; the others have locks.
final class ServerConnection: @unchecked Sendable {
    let id: CallID
    let core: SocketServerCore
    let lane: any Lane
    let runner: CommandRunner
    let head: ConnectionHead
    /// Counts it among those of its address and user.
    let ticket: AddressLimits.Ticket
    private let currentIdentity: Mutex<Identity>
    /// Those who wait until the outbox has room.
    let room = Mutex(Room())
    /// When the connection was opened.
    let start: Duration
    /// The redacted path; empty if nobody watches the server.
    let shownPath: String
    /// nil if nobody wants to know of WebSockets.
    let recorder: SocketRecorder?

    // MARK: Lane

    var machine: ConnectionMachine
    var wire: any WireMachine
    var outbox: ClientOutbox
    var rate: MessageRate
    var outlet: (any SocketOutlet)?
    var commands: [ConnectionMachine.WorkID: RunningCommand] = [:]
    var effects: [ConnectionMachine.Effect] = []
    private var isPerforming = false
    var hasEnded = false
    var isClosing = false
    var session: String?
    /// What was said while the session was looked up.
    var kept: [WireSignal] = []
    /// The connection that has taken the session over.
    var successor: ServerConnection?
    var liveness: LivenessStateMachine
    var heardSomething = false
    /// When the last ping was sent whose round trip somebody wants to know.
    var pinged: Duration?
    /// When a client was pinged last, or was read, since nothing is read.
    var lastBlindProbe: Duration
    /// When the wire's own sign of life was given.
    var lastHeartbeat: Duration
    /// Why nothing is read: too many commands, too much that waits for a slow client, or too many messages.
    private var hasTooManyCommands = false
    var isOutboxFull = false
    /// Until when nothing is read because the messages come too fast; nil if they don't.
    private var tooFastUntil: Duration?
    private var pause: DueQueue<@Sendable () -> Void>.ID?
    /// The bytes that have arrived and belong to no message yet.
    private var uncounted = 0
    /// When the closing handshake must be over.
    var closingDeadline: Duration?
    /// Where the connection ends; nil for the first that ends it.
    var closure: WebSocketClosure?

    init(
        _ core: SocketServerCore, lane: any Lane, runner: CommandRunner, head: ConnectionHead, admission: Admission
    ) {
        let identity = admission.identity
        ticket = admission.ticket
        id = core.makeID()
        self.core = core
        self.lane = lane
        self.runner = runner
        self.head = head
        currentIdentity = Mutex(identity)
        let now = core.clock.now()
        start = now
        shownPath = core.shownPath(head.path)
        recorder = core.makeRecorder(id, shownPath, head.handshake)
        machine = ConnectionMachine(core.settings(admission.wire, isKnown: admission.isKnown), now: now)
        rate = MessageRate(core.configuration.limits, at: now)
        machine.authenticated(until: identity.lifetime.map { now + $0 })
        wire = head.wire.makeMachine(.server)
        wire.agree(on: head.subprotocol)
        outbox = ClientOutbox(core.configuration.slowClients, maximumBytes: core.configuration.maximumOutboxBytes)
        (lastHeartbeat, lastBlindProbe) = (now, now)
        liveness = LivenessStateMachine(core.configuration.liveness, now: now)
    }

    var identity: Identity {
        get { currentIdentity.withLock { $0 } }
        set { currentIdentity.withLock { $0 = newValue } }
    }

    func context(_ request: SocketID? = nil, topic: String? = nil, deadline: Duration? = nil) -> CommandContext {
        CommandContext(connection: self, identity: identity, topic: topic, request: request, deadline: deadline)
    }

    // MARK: The transport

    func opened(_ outlet: any SocketOutlet) {
        self.outlet = outlet
        core.opened(self)
        for message in wire.greet(as: id.description) { write(.message(message), outlet) }
    }

    /// Any byte is a sign of life.
    func bytesArrived(_ count: Int) {
        heardSomething = true
        uncounted += count
        core.metrics.received(bytes: count)
    }

    /// A ping or a pong has arrived.
    func controlArrived() { _ = keepsRate(rate.more(1, at: core.clock.now())) }

    /// Fragments without bytes never become a message, and must not be free.
    func pieceWasHandled() {
        let excess = uncounted - core.configuration.limits.messageBytes
        guard excess > 0 else { return }
        uncounted -= excess
        _ = keepsRate(rate.overhead(of: excess, at: core.clock.now()))
    }

    func received(_ message: WebSocketMessage) {
        let now = core.clock.now()
        recorder?.record(.received, message)
        uncounted = max(0, uncounted - message.count - FrameBuffer.largestPlainHeader)
        guard keepsRate(rate.message(of: message.count, at: now)) else { return }
        if let handler = core.table.message, head.wire.features.contains(.sharedEvents) {
            return handle(message, handler)
        }
        do throws(NetError) {
            let reading = try wire.decode(message)
            let count = reading.signals.count + reading.answers.count
            if count > 1, !keepsRate(rate.more(count - 1, at: now)) { return }
            for answer in reading.answers { send(.message(answer), key: nil) }
            for signal in reading.signals where !handledImmediately(signal) && !joinsTooOften(signal, now) {
                perform { machine, effects in
                    machine.received(signal, now: now, &effects) { [core] in core.order(of: $0) }
                }
            }
            if machine.mustAcknowledge { perform { machine, effects in machine.acknowledge(&effects) } }
        } catch {
            unreadable(error)
        }
    }

    /// Does what the limits say; false if the connection is closed for it.
    private func keepsRate(_ verdict: MessageRate.Verdict) -> Bool {
        switch verdict {
        case .ok: return true
        case .wait(let time):
            slowDown(until: time)
            return true
        case .exceeded:
            close(.policyViolation, "messages come too fast")
            return false
        }
    }

    /// The shortest pause: waking for each single message would cost more than the message.
    private static let shortestPause = Duration.milliseconds(20)

    /// Reads nothing more until then.
    private func slowDown(until time: Duration) {
        let isWaiting = tooFastUntil != nil
        let time = max(time, tooFastUntil ?? core.clock.now() + Self.shortestPause)
        tooFastUntil = time
        updateReading()
        if !isWaiting { wait(until: time) }
    }

    private func wait(until time: Duration) {
        pause = core.pacer.run(at: time) { [weak self] in
            guard let self else { return }
            lane.run { self.pauseEnded() }
        }
    }

    private func pauseEnded() {
        guard let time = tooFastUntil, !hasEnded else { return }
        if core.clock.now() < time { return wait(until: time) }
        tooFastUntil = nil
        updateReading()
    }

    private func unreadable(_ error: NetError) {
        core.note(.unreadable(error), self)
        if head.wire.features.contains(.opening), head.wire.features.contains(.subscriptions) {
            // GraphQL's protocol demands it.
            close(WebSocketCloseCode(rawValue: 4400), "a message could not be read")
        }
    }

    /// The closing handshake has begun.
    func closing(_ closure: WebSocketClosure) {
        if self.closure == nil { self.closure = closure }
        perform { machine, effects in machine.connectionEnded(&effects) }
    }

    func violated(_ violation: WebSocketViolation) {
        if closure == nil {
            closure = WebSocketClosure(code: violation.code, reason: violation.message, isByPeer: false)
        }
        core.note(.violated(violation), self)
        perform { machine, effects in machine.connectionEnded(&effects) }
        closingDeadline = core.clock.now() + core.configuration.closeTimeout
    }

    func ended() {
        guard !hasEnded else { return }
        hasEnded = true
        outlet = nil
        if let pause { core.pacer.cancel(pause) }
        core.metrics.outboxChanged(by: -outbox.bytes)
        outbox.removeAll()
        perform { machine, effects in machine.connectionEnded(&effects) }
        if !machine.running.isEmpty { core.sessions.lingers(self) }
        releaseRoom()
        core.ended(self)
    }

    /// The peer has taken what was sent, which is a sign of life.
    func becameWritable() {
        heardSomething = true
        hasRoom()
    }

    func hasRoom() {
        let before = outbox.bytes
        while let outlet, outlet.isWritable, let content = outbox.next() { write(content, outlet) }
        core.metrics.outboxChanged(by: outbox.bytes - before)
        if outbox.bytes <= outbox.maximumBytes / 2 { releaseRoom() }
    }

    // MARK: Effects

    /// Changes the machine, then does what it asks for. Work that comes of it is done in the same order.
    func perform(_ change: (inout ConnectionMachine, inout [ConnectionMachine.Effect]) -> Void) {
        change(&machine, &effects)
        guard !isPerforming else { return }
        isPerforming = true
        var index = 0
        while index < effects.count {
            let effect = effects[index]
            index += 1
            perform(effect)
        }
        effects.removeAll(keepingCapacity: effects.count < 16)
        isPerforming = false
    }

    private func perform(_ effect: ConnectionMachine.Effect) {
        switch effect {
        case .send(let signal):
            if let observer = core.observer { observe(signal, observer) }
            say(signal)
        case .start(let id, let work): start(id, work)
        case .cancel(let id): commands.removeValue(forKey: id)?.cancel()
        case .leave(let topic): leave(topic)
        case .resume(let resume): core.sessions.resume(resume, on: self)
        case .setReading(let isReading):
            hasTooManyCommands = !isReading
            updateReading()
        case .close(let code, let reason): beginClosing(code, reason)
        case .drained: core.drained(self)
        case .passTurn: passTurn()
        }
    }

    private func passTurn() {
        guard let successor else { return }
        successor.lane.run {
            let now = successor.core.clock.now()
            successor.perform { machine, effects in machine.turnCame(now, &effects) }
        }
    }

    /// Whether this side keeps the client from saying anything. While its outbox is full, the client does that itself.
    var isReadingPaused: Bool { hasTooManyCommands || tooFastUntil != nil }

    func updateReading() {
        // The peer's close frame has to be read.
        guard !isClosing else { return }
        outlet?.setReading(!isReadingPaused && !isOutboxFull)
    }

    private func beginClosing(_ code: WebSocketCloseCode, _ reason: String) {
        guard !isClosing else { return }
        isClosing = true
        if closure == nil { closure = WebSocketClosure(code: code, reason: reason, isByPeer: false) }
        flushOutbox()
        outlet?.close(code, reason)
        closingDeadline = core.clock.now() + core.configuration.closeTimeout
    }

    /// What waits for a slow client that is closed goes out before the close frame, if the transport takes it.
    private func flushOutbox() {
        core.metrics.outboxChanged(by: -outbox.bytes)
        while let outlet, let content = outbox.next() { write(content, outlet) }
    }

    /// Closes the connection. On the lane.
    func close(_ code: WebSocketCloseCode, _ reason: String) {
        perform { machine, effects in machine.close(code, reason, &effects) }
    }
}
#endif
