import Foundation
import NetCore

@testable import NetSocketCore

/// A session machine with its environment, which records the machine's effects and reports violations of its rules.
struct SessionWorld: Sendable {
    enum Waiting: Sendable { case request, channel }

    var machine: SessionMachine
    var now = Duration.zero
    /// The tasks that wait for the outcome of a request, a join or a leave, in the order of their tickets.
    var waiting: [(ticket: UInt64, kind: Waiting)] = []
    /// The maximum number of pending requests and channels; exceeded only without limits.
    var maximumWaiting = 2
    var timers: [SessionMachine.Timer: Duration] = [:]
    var connecting: UInt64?
    var open: UInt64?
    /// The last connection or attempt that is no longer wanted; 0 for none.
    var stale: UInt64 = 0
    /// A connection that was established although it is no longer wanted.
    var late: UInt64?
    var isWireOpen = false
    var hasSentOpen = false
    /// The IDs used on this connection.
    var usedIDs: Set<UInt64> = []
    /// The last request to each channel on this connection, and the last one without a channel.
    var lastTickets: [String?: UInt64] = [:]
    /// The payloads of joins that were requested from the owner.
    var payloads: Set<PayloadRequest> = []
    /// The channels that are joined according to observers.
    var joinedTopics: Set<String> = []
    var delivery = DeliveryBook()
    var faults: [String] = []

    struct PayloadRequest: Hashable {
        var connection: UInt64
        var topic: String
        var generation: UInt64
    }

    init(_ settings: SessionMachine.Settings) {
        machine = SessionMachine(settings)
    }

    static let chance = SessionMachine.Chance(date: Date(timeIntervalSince1970: 0), random: 0.5)

    /// Performs a step and checks the invariants. Returns false if the step isn't possible now.
    mutating func perform(_ step: SessionStep) -> Bool {
        if case .becomeStable = step {
            guard canWait else { return false }
            now += machine.settings.policy.stablePeriod
            return true
        }
        guard let event = event(for: step) else { return false }
        perform(event)
        return true
    }

    /// Performs an event and checks the invariants. Returns its effects.
    @discardableResult
    mutating func perform(_ event: SessionMachine.Event) -> [SessionMachine.Effect] {
        prepare(event)
        prepareDelivery(event)
        let before = machine
        let effects = machine.handle(event, now: now)
        for effect in effects { note(effect, before) }
        check(after: event, before, effects)
        return effects
    }

    /// True if the connection has been open for so long that earlier failures don't count.
    var isStable: Bool {
        if case .open(_, let since) = machine.phase {
            now - since >= machine.settings.policy.stablePeriod
        } else {
            false
        }
    }

    /// True if anything depends on the passing of time.
    private var canWait: Bool {
        if case .open = machine.phase, !isStable { return true }
        return [machine.probeDeadline, machine.idleDeadline].contains { $0.map { $0 > now } ?? false }
    }

    /// Applies the event's changes to the environment of the machine.
    private mutating func prepare(_ event: SessionMachine.Event) {
        switch event {
        case .connected(let id):
            if id == connecting { (open, connecting, isWireOpen, hasSentOpen, usedIDs) = (id, nil, false, false, []) }
            late = id == open ? nil : id
            if id == open { lastTickets = [:] }
            if id == open { isWireOpen = !machine.settings.features.contains(.opening) }
        case .received(let id, .opened): if id == open { isWireOpen = true }
        case .ended(let id, _, _): if id == open { leaveConnection() }
        case .connectFailed(let id, _, _): if id == connecting { leaveConnection() }
        // These are compared with the time, so that one that fires too early does nothing.
        case .timer(.probe, _): if let at = timers[.probe], at <= now { timers[.probe] = nil }
        case .timer(.idle, _): if let at = timers[.idle], at <= now { timers[.idle] = nil }
        case .timer(let timer, _): timers[timer] = nil
        case .request(let ticket, _):
            _ = machine.makeTicket()
            waiting.append((ticket, .request))
        case .join(let ticket, _), .leave(let ticket, _):
            _ = machine.makeTicket()
            waiting.append((ticket, .channel))
        case .subscribe: _ = machine.makeTicket()
        case .cancel(let ticket): waiting.removeAll { $0.ticket == ticket }
        case .joinPayload(let id, let topic, let generation, _, _):
            payloads.remove(PayloadRequest(connection: id, topic: topic, generation: generation))
        default: break
        }
    }

    private mutating func leaveConnection() {
        stale = open ?? connecting ?? stale
        (open, connecting) = (nil, nil)
        (delivery.hasAsked, delivery.isAgreed) = (false, false)
        payloads = payloads.filter { $0.connection != stale }
    }

    private mutating func note(_ effect: SessionMachine.Effect, _ before: SessionMachine) {
        if before.state.isOver, !Self.mayFollowTheEnd(effect) { faults.append("after the end: \(effect)") }
        switch effect {
        case .connect(let id, _, _):
            if connecting != nil || open != nil { faults.append("connects beside another connection") }
            connecting = id
        case .abandon(let id):
            if connecting != id { faults.append("abandons \(id), which isn't being opened") }
            leaveConnection()
        case .close(let id, _):
            if id == open { leaveConnection() } else if id != late { faults.append("closes \(id), which isn't open") }
        case .send(let id, let signal): send(signal, on: id)
        case .probe(let id): if id != open { faults.append("probes \(id), which isn't open") }
        case .notify(let id, let signal, let ticket):
            send(signal, on: id)
            settle(ticket)
        case .setTimer(let timer, let deadline):
            if deadline < now { faults.append("\(timer) is due in the past") }
            timers[timer] = deadline
        case .clearTimer(let timer): timers[timer] = nil
        case .settle(let ticket, _): settle(ticket)
        case .tell(let notice): hear(notice, before)
        case .makeJoinPayload(let id, let topic, let generation):
            if id != open { faults.append("asks for a payload for \(id), which isn't open") }
            let request = PayloadRequest(connection: id, topic: topic, generation: generation)
            if !payloads.insert(request).inserted { faults.append("asks twice for the payload of \(topic)") }
        case .makeOpenPayload(let id): if id != open { faults.append("asks for a payload for \(id)") }
        }
    }

    private static func mayFollowTheEnd(_ effect: SessionMachine.Effect) -> Bool {
        switch effect {
        case .settle, .tell(.completed), .tell(.undelivered), .close: true
        default: false
        }
    }

    private mutating func settle(_ ticket: UInt64) {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else {
            return faults.append("settles \(ticket), for which nobody waits")
        }
        waiting.remove(at: index)
    }

    private mutating func send(_ signal: WireSignal, on id: UInt64) {
        if id != open { faults.append("sends \(signal) on \(id), which isn't open") }
        if case .open = signal {
            if isWireOpen || hasSentOpen { faults.append("opens the wire twice") }
            hasSentOpen = true
        } else if !isWireOpen {
            faults.append("sends \(signal) before the wire is open")
        }
        if machine.settings.delivery != nil { keepBook(of: signal) }
        var plain = signal
        if case .numbered(_, let inner) = signal { plain = inner }
        if case .request(let request) = plain, let ticket = request.id?.ticket {
            if let last = lastTickets.updateValue(ticket, forKey: request.topic), last > ticket {
                faults.append("\(ticket) is sent after \(last)")
            }
        }
        let number: SocketID? =
            switch plain {
            case .request(let request): request.id
            case .join(let join): join.id
            case .leave(let id, _), .subscribe(let id, _): id
            case .heartbeat(let id): id
            default: nil
            }
        if let ticket = number?.ticket, !usedIDs.insert(ticket).inserted {
            faults.append("uses the ID \(ticket) twice")
        }
    }

    private mutating func hear(_ notice: SessionMachine.Notice, _ before: SessionMachine) {
        switch notice {
        case .joined(let topic, _, _):
            if !joinedTopics.insert(topic).inserted { faults.append("\(topic) is joined twice") }
        case .interrupted(let topic):
            if joinedTopics.remove(topic) == nil { faults.append("\(topic) is interrupted, and was not joined") }
        case .left(let topic, _): joinedTopics.remove(topic)
        case .push(let push): if !isNew(push, before) { faults.append("\(push) has been seen") }
        case .event(let ticket, _):
            if before.subscriptions[ticket] == nil { faults.append("an event for \(ticket), which is over") }
        default: break
        }
    }

    /// True if a push is after its channel's position.
    private func isNew(_ push: WirePush, _ before: SessionMachine) -> Bool {
        guard let topic = push.topic, let offset = push.offset, let old = before.channels[topic]?.position else {
            return true
        }
        return machine.channels[topic]?.position?.epoch != old.epoch || offset > old.offset
    }
}
