import Foundation
import NetCore
import NetSocketCore

/// Feeds a session machine and records its effects, like a driver without I/O.
struct SessionHarness {
    var machine: SessionMachine
    var now = Duration.zero
    /// The effects since the last call of `take()`.
    private(set) var effects: [SessionMachine.Effect] = []
    private(set) var settled: [UInt64: [String]] = [:]
    private(set) var timers: [SessionMachine.Timer: Duration] = [:]
    private(set) var connecting: UInt64?
    private(set) var open: UInt64?
    private(set) var states: [String] = []
    /// The IDs of the last join and the last leave sent for each topic.
    private(set) var joinIDs: [String: SocketID] = [:]
    private(set) var leaveIDs: [String: SocketID] = [:]
    /// Violations of the rules.
    private(set) var faults: [String] = []

    init(_ settings: SessionMachine.Settings) {
        machine = SessionMachine(settings)
    }

    static let chance = SessionMachine.Chance(date: Date(timeIntervalSince1970: 0), random: 0.5)

    @discardableResult
    mutating func handle(_ event: SessionMachine.Event) -> [SessionMachine.Effect] {
        if case .connected(let id) = event, id == connecting { (open, connecting) = (id, nil) }
        switch event {
        case .ended(let id, _, _), .connectFailed(let id, _, _):
            if open == id { open = nil }
            if connecting == id { connecting = nil }
        default: break
        }
        let found = machine.handle(event, now: now)
        for effect in found { note(effect) }
        effects += found
        return found
    }

    private mutating func note(_ effect: SessionMachine.Effect) {
        switch effect {
        case .connect(let id, _, _):
            if connecting != nil || open != nil { faults.append("connects beside another connection") }
            connecting = id
        case .abandon(let id):
            if connecting != id { faults.append("abandons \(id), which isn't being opened") }
            connecting = nil
        case .close(let id, _): if open == id { open = nil }
        case .send(let id, let signal):
            if open != id { faults.append("sends \(signal) on \(id), which isn't open") }
            if case .join(let join) = signal { joinIDs[join.topic] = join.id }
            if case .leave(let id, let topic) = signal { leaveIDs[topic] = id }
        case .notify(let id, let request, let ticket):
            if open != id { faults.append("sends \(request) on \(id), which isn't open") }
            settled[ticket, default: []].append("success")
        case .setTimer(let timer, let at): timers[timer] = at
        case .clearTimer(let timer): timers[timer] = nil
        case .settle(let ticket, let outcome): settled[ticket, default: []].append("\(outcome)")
        case .tell(.state(let state)):
            if states.last == "closed" || states.last?.hasPrefix("failed") == true {
                faults.append("goes on after the end: \(state)")
            }
            states.append("\(state)".prefix { $0 != "(" }.description)
        case .tell, .makeJoinPayload, .makeOpenPayload, .probe: break
        }
    }

    /// Returns the effects since the last call.
    mutating func take() -> [SessionMachine.Effect] {
        defer { effects = [] }
        return effects
    }

    /// Fires the earliest timer.
    mutating func passTimer() {
        guard let (timer, at) = timers.min(by: { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }) else { return }
        now = max(now, at)
        timers[timer] = nil
        handle(.timer(timer, Self.chance))
    }

    /// Fires a timer that is set.
    mutating func pass(_ timer: SessionMachine.Timer) {
        guard let at = timers.removeValue(forKey: timer) else { return faults.append("\(timer) isn't set") }
        now = max(now, at)
        handle(.timer(timer, Self.chance))
    }

    // MARK: Driver

    mutating func connect() {
        if let connecting { handle(.connected(connecting)) }
    }

    mutating func lose(_ code: NetError.Code = .connectionLost, closure: UInt16? = nil) {
        guard let open else { return }
        let error = NetError(
            closure == nil ? code : .webSocketClosed, phase: .receiving, message: "lost",
            closure: closure.map { WebSocketClosure(code: WebSocketCloseCode(rawValue: $0)) })
        handle(.ended(open, error, Self.chance))
    }

    mutating func receive(_ signal: WireSignal) {
        if let open { handle(.received(open, signal)) }
    }

    mutating func request(
        _ event: String, topic: String? = nil, wantsReply: Bool = true, offline: OfflineRule = .queue
    ) -> UInt64 {
        let ticket = machine.makeTicket()
        handle(.request(ticket, .init(event, topic: topic, wantsReply: wantsReply, offline: offline)))
        return ticket
    }

    mutating func join(_ topic: String) -> UInt64 {
        let ticket = machine.makeTicket()
        handle(.join(ticket, topic: topic))
        return ticket
    }

    /// The server responds to the last join.
    mutating func answerJoin(_ topic: String, position: ChannelPosition? = nil, failure: SocketFailure? = nil) {
        guard let id = joinIDs[topic] else { return }
        receive(
            failure.map { .joinRefused(id, topic: topic, $0) }
                ?? .joined(WireJoined(id: id, topic: topic, position: position)))
    }

    /// Provides the payloads that the effects request from channels' owners.
    mutating func makePayloads() {
        for effect in take() {
            switch effect {
            case .makeJoinPayload(let id, let topic, let generation):
                handle(.joinPayload(id, topic: topic, generation: generation, nil, nil))
            case .makeOpenPayload(let id): handle(.openPayload(id, nil, nil, Self.chance))
            default: break
            }
        }
    }

    /// The signals sent since the last `take()`.
    var sent: [WireSignal] {
        effects.compactMap { effect in
            switch effect {
            case .send(_, let signal): signal
            case .notify(_, let signal, _): signal
            default: nil
            }
        }
    }

    /// Returns true if a ticket was settled exactly once, with an outcome whose text contains the given one.
    func isSettled(_ ticket: UInt64, _ text: String) -> Bool {
        settled[ticket]?.count == 1 && settled[ticket]?.first?.contains(text) == true
    }
}
