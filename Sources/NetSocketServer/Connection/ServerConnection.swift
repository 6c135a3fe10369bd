#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The properties of a connection that are known from its handshake.
struct ConnectionHead: Sendable {
    var path: String
    var address: String?
    var subprotocol: String?
    var wire: SocketWire
    /// The number of the wire and subprotocol among those of the server: connections with the same number receive
    /// identical pushes. nil if pushes have to be encoded for each connection separately.
    var sharedWire: Int?
    var compression: WebSocketCompression?
    /// The trace that the handshake belongs to.
    var origin = TraceOrigin()
    /// The handshake, with its secrets still included, if a listener records messages.
    var handshake: CapturedExchange.Request?
}

/// One connection of a client. Drives its state machine.
///
/// `@unchecked Sendable`: the variables below "lane" are only used by work on its lane; the others have locks.
final class ServerConnection: @unchecked Sendable {
    let id: CallID
    let core: SocketServerCore
    let lane: any Lane
    let runner: CommandRunner
    let head: ConnectionHead
    /// The connection's place in the limits of its address and user.
    let ticket: AddressLimits.Ticket
    /// The identity, and the number of times that the connection's user has changed.
    let currentIdentity: Mutex<(identity: Identity, era: Int)>
    /// A copy of the latter, which is read for each message that a program posts.
    let currentEra = Atomic<Int>(0)
    /// The tasks that wait until the outbox has room.
    let room = Mutex(Room())
    /// The time at which the connection was opened.
    let start: Duration
    /// The redacted path; empty if there is no listener.
    let shownPath: String
    /// nil if no listener observes WebSockets.
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
    /// True while the channels are asked about a new user: everything waits in the outbox.
    var isHolding = false
    var session: String?
    /// The signals that were sent while the session was looked up.
    var kept: [WireSignal] = []
    /// The connection that has taken over the session.
    var successor: Successor?
    var liveness: LivenessStateMachine
    var heardSomething = false
    /// The time of the last ping whose round trip is measured.
    var pinged: Duration?
    /// While reading is paused: the time at which the client was last pinged, or last read from.
    var lastBlindProbe: Duration
    /// The time of the wire protocol's last heartbeat.
    var lastHeartbeat: Duration
    /// The reasons why reading is paused: too many commands, too much data that waits for a slow client, or too many
    /// messages.
    private var hasTooManyCommands = false
    var isOutboxFull = false
    /// The time until which reading is paused because messages arrive too fast; nil if they don't.
    private var tooFastUntil: Duration?
    private var pause: DueQueue<@Sendable () -> Void>.ID?
    /// The bytes that have arrived and don't belong to a complete message yet.
    private var uncounted = 0
    /// The time by which the closing handshake must be over.
    var closingDeadline: Duration?
    /// The closure, recorded by whichever side closes first; nil while the connection is open.
    var closure: WebSocketClosure?
    /// True once the client has replied to this side's close frame.
    var isCloseConfirmed = false

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
        currentIdentity = Mutex((identity, 0))
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

    func context(_ request: SocketID? = nil, topic: String? = nil, deadline: Duration? = nil) -> CommandContext {
        let (identity, era) = current
        return CommandContext(
            connection: self, identity: identity, era: era, topic: topic, request: request, deadline: deadline)
    }

    // MARK: The transport

    func opened(_ outlet: any SocketOutlet) {
        self.outlet = outlet
        core.opened(self)
        for message in wire.greet(as: id.description) { write(.message(message), outlet) }
    }

    /// Any byte shows that the client is alive.
    func bytesArrived(_ count: Int) {
        heardSomething = true
        uncounted += count
        core.metrics.received(bytes: count)
    }

    /// Counts a ping or a pong that has arrived.
    func controlArrived() { _ = keepsRate(rate.more(1, at: core.clock.now())) }

    /// Empty fragments never become a message, but must not be free.
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
            if let problem = reading.unreadable { noteUnreadable(message, problem) }
            let count = reading.signals.count + reading.responses.count
            if count > 1, !keepsRate(rate.more(count - 1, at: now)) { return }
            for answer in reading.responses { sendAlive(.message(answer)) }
            for signal in reading.signals where !handledImmediately(signal) && !joinsTooOften(signal, now) {
                perform { machine, effects in
                    machine.received(signal, now: now, &effects) { [core] in core.order(of: $0) }
                }
            }
            if machine.mustAcknowledge { perform { machine, effects in machine.acknowledge(&effects) } }
        } catch {
            noteUnreadable(message, error.message)
            let code = head.wire.unreadableCode ?? (message.text == nil ? .unsupportedData : .invalidPayload)
            close(code.code, "a message could not be read")
        }
    }

    /// Enforces the rate limits; returns false if the connection is closed because of them.
    private func keepsRate(_ verdict: MessageRate.Verdict) -> Bool {
        switch verdict {
        case .ok: return true
        case .wait(let time):
            slowDown(until: time)
            return true
        case .exceeded:
            close(.policyViolation, "messages arrive too fast")
            return false
        }
    }

    /// The minimum pause: waking up for each single message would cost more than the message.
    private static let shortestPause = Duration.milliseconds(20)

    /// Stops reading until a time.
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

    /// Reports a message that can't be read, or only in part. Its sender gets the wire's error, or a close code.
    private func noteUnreadable(_ message: WebSocketMessage, _ problem: String) {
        core.note(.unreadable(problem), self)
        core.metrics.unreadableArrived()
        core.observer?.report(.unreadable(bytes: message.count), self)
    }

    /// Handles the end of the WebSocket by close frames, or after this side's own.
    func closing(_ closure: WebSocketClosure) {
        isCloseConfirmed = closure.isByPeer || closure.sentCode == nil
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
        if let closure, !closure.isByPeer, !isCloseConfirmed { self.closure = closure.unconfirmed }
        outlet = nil
        if let pause { core.pacer.cancel(pause) }
        core.metrics.outboxChanged(by: -outbox.bytes)
        outbox.removeAll()
        perform { machine, effects in machine.connectionEnded(&effects) }
        if !machine.running.isEmpty { core.sessions.lingers(self) }
        releaseRoom()
        core.ended(self)
    }

    /// The peer has accepted the data, which shows that it is alive.
    func becameWritable() {
        heardSomething = true
        hasRoom()
    }

    func hasRoom() {
        guard !isHolding else { return }
        let before = outbox.bytes
        while let outlet, outlet.isWritable, let content = outbox.next() { write(content, outlet) }
        core.metrics.outboxChanged(by: outbox.bytes - before)
        if outbox.bytes <= outbox.maximumBytes / 2 { releaseRoom() }
    }

    // MARK: Effects

    /// Changes the machine, then performs its effects. Effects that result from them are performed in the same order.
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
            if core.observer != nil || core.logsDetails { observe(signal) }
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
        case .hold: isHolding = true
        case .discard(let topic): discard(.topic(topic))
        case .release:
            isHolding = false
            hasRoom()
        }
    }

    private func passTurn() {
        guard let successor = successor?.connection else { return }
        successor.lane.run {
            let now = successor.core.clock.now()
            successor.perform { machine, effects in machine.turnCame(now, &effects) }
        }
    }

    /// True if this side prevents the client from sending. While the outbox is full, the client causes that itself.
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

    /// Before the close frame, sends the data that waits for a slow client, if the transport accepts it.
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
