#if Server
internal import NetCore
internal import NetSocketCore

/// What a server knows of one connection's conversation: who may speak, which commands run, which channels it is in, and what
/// was numbered. Pure: time comes in, effects come out.
///
/// | phase | signal | work ends | tick | drain | close |
/// |---|---|---|---|---|---|
/// | opening | opens, or is held | accepted: open; refused: over | too late: over | over | over |
/// | open | starts work, or waits for a turn | replies, starts what waits | too long: fails it | draining | over |
/// | draining | held back by the transport | replies; the last one: over | deadline: over | – | over |
/// | over | – | – | – | – | – |
struct ConnectionMachine: Sendable {
    typealias WorkID = UInt64

    /// What a handler is to do.
    enum Work: Sendable, Hashable {
        case opening(SocketPayload?)
        case authentication(WireRequest)
        case command(WireRequest)
        case subscription(SocketID, SocketPayload)
        case join(WireJoin)
    }

    /// How work ended.
    enum Outcome: Sendable, Hashable {
        /// A command, or an opening.
        case done(SocketPayload?)
        case joined(WireJoined)
        case failed(SocketFailure)
    }

    enum Effect: Sendable, Hashable {
        case send(WireSignal)
        case start(WorkID, Work)
        case cancel(WorkID)
        /// The connection isn't in a channel any more.
        case leave(String)
        case resume(WireResume)
        case setReading(Bool)
        case close(WebSocketCloseCode, String)
        /// The connection's work is done, and it may end.
        case drained
    }

    /// Whether a command waits for those before it.
    enum Order: Sendable, Hashable {
        case serial
        case concurrent
    }

    struct Settings: Sendable, Hashable {
        /// The wire begins with an opening message that the server must accept.
        var hasOpening = false
        /// The command by which a client says who it is, and renews its credentials; nil if it has no such command.
        var authentication: String?
        /// Whether nobody is known before that command.
        var awaitsAuthentication = false
        /// The longest silence of the server that clients are told to accept.
        var maximumSilence: Duration?
        var openingTimeout = Duration.seconds(10)
        /// Closes a connection whose opening message is refused, unless it is the credentials that are wrong.
        var refusalCode = WebSocketCloseCode.unauthorized
        var commandTimeout: Duration? = .seconds(30)
        /// Commands that run or wait, from which on reading stops.
        var maximumCommands = 64
        var maximumChannels = 100
        var maximumHeldSignals = 100
        var maximumHeldBytes = 64 << 10
        var requiresJoin = true
        var delivery = SocketDelivery()
    }

    enum Phase: Sendable, Hashable {
        case opening(deadline: Duration)
        case open
        case draining
        case over
    }

    struct Running: Sendable, Hashable {
        var id: WorkID
        var work: Work
        var isSerial: Bool
        var deadline: Duration?
    }

    let settings: Settings
    private(set) var phase: Phase
    private(set) var running: [Running] = []
    private var waiting: [(id: WorkID, work: Work, order: Order)] = []
    private var held: [WireSignal] = []
    private var heldBytes = 0
    private(set) var topics: Set<String> = []
    private(set) var delivery: DeliveryMachine?
    /// When the credentials end; nil for never.
    private var expiry: Duration?
    private var lastID: WorkID = 0
    private var isReading = true
    /// A session is being looked up; what else arrives is held.
    private(set) var isResuming = false

    init(_ settings: Settings, now: Duration) {
        self.settings = settings
        let waits = settings.hasOpening || settings.awaitsAuthentication
        phase = waits ? .opening(deadline: now + settings.openingTimeout) : .open
    }

    var isOver: Bool { phase == .over }
    var isIdle: Bool { running.isEmpty && waiting.isEmpty }

    // MARK: What the client says

    mutating func received(
        _ signal: WireSignal, now: Duration, _ effects: inout [Effect], order: (WireRequest) -> Order
    ) {
        switch phase {
        case .over: return
        case .opening: receivedEarly(signal, now, &effects)
        case .open, .draining:
            if isResuming { hold(signal, &effects) } else { take(signal, now, &effects, order) }
        }
    }

    private mutating func receivedEarly(_ signal: WireSignal, _ now: Duration, _ effects: inout [Effect]) {
        let isAuthenticating = running.contains { $0.work.isAuthentication }
        switch signal {
        case .open(let payload) where settings.hasOpening && !isAuthenticating:
            start(.opening(payload), serial: true, now, &effects)
        case .open where settings.hasOpening:
            end(.openedTwice, "the connection was opened twice", &effects)
        case .request(let request) where request.event == settings.authentication && !settings.hasOpening:
            if isAuthenticating {
                hold(signal, &effects)
            } else {
                start(.authentication(request), serial: true, now, &effects)
            }
        case .heartbeat, .alive: break
        case .end: end(.normalClosure, "", &effects)
        default: hold(signal, &effects)
        }
    }

    /// Keeps what came before it is known who speaks.
    private mutating func hold(_ signal: WireSignal, _ effects: inout [Effect]) {
        held.append(signal)
        heldBytes += signal.size
        guard held.count <= settings.maximumHeldSignals, heldBytes <= settings.maximumHeldBytes else {
            return end(.policyViolation, "too much was sent before the connection was open", &effects)
        }
    }

    private mutating func releaseHeld(
        _ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order
    ) {
        let signals = held
        (held, heldBytes) = ([], 0)
        for signal in signals { received(signal, now: now, &effects, order: order) }
    }

    private mutating func take(
        _ signal: WireSignal, _ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order
    ) {
        switch signal {
        case .request(let request): requested(request, now, &effects, order)
        case .cancel(let id): cancel(id, &effects)
        case .join(let join): joining(join, now, &effects)
        case .leave(let id, let topic): leaving(id, topic, &effects)
        case .subscribe(let id, let payload): subscribing(id, payload, now, &effects)
        case .unsubscribe(let id): cancel(id, &effects)
        case .resume(let resume):
            isResuming = true
            effects.append(.resume(resume))
        case .numbered(let number, let signal):
            do throws(NetError) {
                guard try delivery?.receive(number) == true else { return }
                take(signal, now, &effects, order)
            } catch {
                end(.protocolError, error.message, &effects)
            }
        case .acknowledge(let number):
            do throws(NetError) { try delivery?.acknowledge(upTo: number) } catch {
                end(.protocolError, error.message, &effects)
            }
        case .end: end(.normalClosure, "", &effects)
        case .open:
            if settings.hasOpening {
                end(.openedTwice, "the connection was opened twice", &effects)
            }
        // The rest is a server's to say.
        default: break
        }
    }

    // MARK: Commands

    private mutating func requested(
        _ request: WireRequest, _ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order
    ) {
        if request.event == settings.authentication {
            return start(.authentication(request), serial: false, now, &effects)
        }
        enqueue(.command(request), order(request), now, &effects)
    }

    private mutating func subscribing(
        _ id: SocketID, _ payload: SocketPayload, _ now: Duration, _ effects: inout [Effect]
    ) {
        let isKnown =
            running.contains { $0.work.id == id && $0.work.isSubscription }
            || waiting.contains { $0.work.id == id && $0.work.isSubscription }
        if isKnown {
            return end(.subscriberExists, "Subscriber for \(id) already exists", &effects)
        }
        enqueue(.subscription(id, payload), .concurrent, now, &effects)
    }

    private mutating func enqueue(_ work: Work, _ order: Order, _ now: Duration, _ effects: inout [Effect]) {
        // The common case: nothing is in the way.
        if waiting.isEmpty, running.isEmpty {
            if refuseOutside(work, &effects) { return }
            return start(work, serial: order == .serial, now, &effects)
        }
        lastID += 1
        waiting.append((lastID, work, order))
        startWaiting(now, &effects)
        if isReading, running.count + waiting.count >= settings.maximumCommands {
            isReading = false
            effects.append(.setReading(false))
        }
    }

    /// Starts what waits and needn't any more, in order.
    private mutating func startWaiting(_ now: Duration, _ effects: inout [Effect]) {
        var isBlocked = running.contains(where: \.isSerial)
        var index = 0
        while index < waiting.count {
            let (id, work, order) = waiting[index]
            let waitsForJoin = work.topic.map(isJoining) ?? false
            if order == .serial && isBlocked || waitsForJoin {
                if order == .serial { isBlocked = true }
                index += 1
                continue
            }
            waiting.remove(at: index)
            if refuseOutside(work, &effects) { continue }
            if order == .serial { isBlocked = true }
            run(id, work, serial: order == .serial, now, &effects)
        }
        if !isReading, phase == .open, running.count + waiting.count <= settings.maximumCommands / 2 {
            isReading = true
            effects.append(.setReading(true))
        }
    }

    /// Refuses a command to a channel that the connection isn't in.
    private func refuseOutside(_ work: Work, _ effects: inout [Effect]) -> Bool {
        guard settings.requiresJoin, case .command(let request) = work, let topic = request.topic,
            !topics.contains(topic)
        else { return false }
        let failure = SocketFailure("not_joined", "the connection is not in the channel of this command")
        if let id = request.id {
            effects.append(.send(.reply(WireReply(id: id, event: request.event, topic: topic, .failure(failure)))))
        }
        return true
    }

    private mutating func start(_ work: Work, serial: Bool, _ now: Duration, _ effects: inout [Effect]) {
        lastID += 1
        run(lastID, work, serial: serial, now, &effects)
    }

    private mutating func run(
        _ id: WorkID, _ work: Work, serial: Bool, _ now: Duration, _ effects: inout [Effect]
    ) {
        let timeout = work.isSubscription ? nil : settings.commandTimeout
        running.append(Running(id: id, work: work, isSerial: serial, deadline: timeout.map { now + $0 }))
        if case .subscription(let id, _) = work { effects.append(.send(.subscribed(id))) }
        effects.append(.start(id, work))
    }

    private mutating func cancel(_ id: SocketID, _ effects: inout [Effect]) {
        waiting.removeAll { $0.work.id == id && !$0.work.isJoin }
        for each in running where each.work.id == id && !each.work.isJoin { effects.append(.cancel(each.id)) }
        running.removeAll { $0.work.id == id && !$0.work.isJoin }
    }

    // MARK: Channels

    private mutating func joining(_ join: WireJoin, _ now: Duration, _ effects: inout [Effect]) {
        let joining = running.reduce(0) { $0 + ($1.work.isJoin ? 1 : 0) }
        guard topics.contains(join.topic) || topics.count + joining < settings.maximumChannels else {
            let failure = SocketFailure(
                "too_many_channels", "a connection may be in \(settings.maximumChannels) channels")
            effects.append(.send(.joinRefused(join.id, topic: join.topic, failure)))
            return
        }
        // A client that joins again has given up its earlier join.
        giveUpJoins(of: join.topic, &effects)
        start(.join(join), serial: false, now, &effects)
    }

    private mutating func giveUpJoins(of topic: String, _ effects: inout [Effect]) {
        for each in running where each.work.isJoin && each.work.topic == topic { effects.append(.cancel(each.id)) }
        running.removeAll { $0.work.isJoin && $0.work.topic == topic }
    }

    private func isJoining(_ topic: String) -> Bool {
        running.contains { $0.work.isJoin && $0.work.topic == topic }
    }

    private mutating func leaving(_ id: SocketID, _ topic: String, _ effects: inout [Effect]) {
        giveUpJoins(of: topic, &effects)
        if topics.remove(topic) != nil { effects.append(.leave(topic)) }
        effects.append(.send(.left(id, topic: topic, nil)))
    }

    /// The server takes the connection out of a channel.
    mutating func expelled(from topic: String, _ failure: SocketFailure?, _ effects: inout [Effect]) {
        guard phase != .over, topics.remove(topic) != nil else { return }
        effects += [.leave(topic), .send(.left(nil, topic: topic, failure))]
    }

    // MARK: Ends

    /// Work has ended. Returns false if nobody waits for it any more.
    mutating func ended(
        _ id: WorkID, _ outcome: Outcome, now: Duration, _ effects: inout [Effect], order: (WireRequest) -> Order
    ) -> Bool {
        guard let index = running.firstIndex(where: { $0.id == id }) else { return false }
        let work = running.remove(at: index).work
        switch (work, outcome) {
        case (.join(let join), .joined(let joined)):
            topics.insert(join.topic)
            effects.append(.send(.joined(joined)))
        case (.join(let join), .failed(let failure)):
            effects.append(.send(.joinRefused(join.id, topic: join.topic, failure)))
        case (.command(let request), _):
            if let reply = request.reply(outcome) { effects.append(.send(.reply(reply))) }
        case (.subscription(let id, _), .failed(let failure)): effects.append(.send(.completed(id, failure)))
        case (.subscription(let id, _), _): effects.append(.send(.completed(id, nil)))
        case (.opening, .done(let payload)):
            effects.append(.send(.opened(WireOpened(payload: payload, heartbeat: settings.maximumSilence))))
            opened(now, &effects, order)
        case (.authentication(let request), .done):
            if let reply = request.reply(outcome) { effects.append(.send(.reply(reply))) }
            if case .opening = phase { opened(now, &effects, order) }
        case (.opening, .failed(let failure)), (.authentication, .failed(let failure)):
            refused(work, failure, &effects)
        default: break
        }
        startWaiting(now, &effects)
        if phase == .draining, isIdle { effects.append(.drained) }
        return true
    }

    private mutating func opened(_ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order) {
        phase = .open
        releaseHeld(now, &effects, order)
    }

    private mutating func refused(_ work: Work, _ failure: SocketFailure, _ effects: inout [Effect]) {
        var code = WebSocketCloseCode.unauthorized
        switch work {
        case .authentication(let request):
            if let reply = request.reply(.failed(failure)) { effects.append(.send(.reply(reply))) }
        default:
            effects.append(.send(.end(WireEnd(failure, mayReconnect: false))))
            if failure.code != "unauthorized" { code = settings.refusalCode }
        }
        end(code, failure.message.isEmpty ? failure.code : failure.message, &effects)
    }

    private mutating func end(_ code: WebSocketCloseCode, _ reason: String, _ effects: inout [Effect]) {
        guard phase != .over else { return }
        over(&effects)
        effects.append(.close(code, reason))
    }

    private mutating func over(_ effects: inout [Effect]) {
        phase = .over
        for each in running { effects.append(.cancel(each.id)) }
        (running, waiting, held) = ([], [], [])
    }

    /// The connection has ended. A session that numbers its messages stays in its channels.
    mutating func connectionEnded(_ effects: inout [Effect]) {
        if delivery == nil {
            for topic in topics { effects.append(.leave(topic)) }
            topics = []
        }
        guard phase != .over else { return }
        over(&effects)
    }

    /// The server ends the connection.
    mutating func close(_ code: WebSocketCloseCode, _ reason: String, _ effects: inout [Effect]) {
        end(code, reason, &effects)
    }

    /// Takes no new work; what runs and waits goes on.
    mutating func drain(_ effects: inout [Effect]) {
        switch phase {
        case .open:
            phase = .draining
            isReading = false
            effects.append(.setReading(false))
            if isIdle { effects.append(.drained) }
        case .opening: effects.append(.drained)
        case .draining, .over: break
        }
    }

    // MARK: Time

    /// Ends what has taken too long.
    mutating func tick(now: Duration, _ effects: inout [Effect]) {
        if case .opening(let deadline) = phase, now >= deadline {
            return end(
                settings.hasOpening ? .openingTimeout : .unauthorized,
                "the connection was not opened in time", &effects)
        }
        if let expiry, now >= expiry { return end(.unauthorized, "the credentials have expired", &effects) }
        for each in running {
            guard let deadline = each.deadline, now >= deadline else { continue }
            effects.append(.cancel(each.id))
            _ = ended(each.id, .failed(Self.timeout), now: now, &effects) { _ in .serial }
        }
        acknowledge(&effects)
    }

    static let timeout = SocketFailure("timeout", "the command took too long")

    /// The credentials are good until then; nil for ever.
    mutating func authenticated(until expiry: Duration?) { self.expiry = expiry }

    // MARK: Sessions

    /// The session was found, or has begun: what is said from here on is numbered.
    mutating func resumed(
        _ delivery: DeliveryMachine, in topics: Set<String>, now: Duration, _ effects: inout [Effect],
        order: (WireRequest) -> Order
    ) {
        self.delivery = delivery
        self.topics.formUnion(topics)
        isResuming = false
        releaseHeld(now, &effects, order)
    }

    /// Numbers what a program says; nil if there is no room.
    mutating func number(_ signal: WireSignal) -> WireSignal? {
        guard delivery != nil, signal.isNumbered else { return signal }
        guard delivery?.hasRoom(for: signal.size) == true else { return nil }
        return delivery?.number(signal, bytes: signal.size)
    }

    /// What can't be written takes its number all the same.
    mutating func void(_ number: UInt64) { delivery?.void(number) }

    /// Gives the session to another connection.
    mutating func takeSession() -> (delivery: DeliveryMachine?, topics: Set<String>) {
        defer { (delivery, topics) = (nil, []) }
        return (delivery, topics)
    }

    /// Says what has arrived, if the client should know.
    mutating func acknowledge(_ effects: inout [Effect]) {
        guard phase != .over, let number = delivery?.takeAcknowledgment() else { return }
        effects.append(.send(.acknowledge(number)))
    }

    var mustAcknowledge: Bool { delivery?.mustAcknowledge ?? false }
}
#endif
