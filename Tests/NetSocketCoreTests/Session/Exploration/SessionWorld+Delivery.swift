import NetCore

@testable import NetSocketCore

/// The messages that a session with at-least-once delivery has sent and received, as seen by its peer.
struct DeliveryBook: Sendable {
    /// True if the session was named on this connection.
    var hasAsked = false
    /// True if the server has replied to that.
    var isAgreed = false
    var epoch: String?
    /// The sent messages without an acknowledgment, in the order of their numbers.
    var kept: [(number: UInt64, signal: WireSignal)] = []
    /// The last number overall; then the last one on this connection.
    var lastSent: UInt64 = 0
    var lastHere: UInt64 = 0
    var acknowledged: UInt64 = 0
    /// The last number of the server.
    var received: UInt64 = 0
    /// The requests that aren't sent again after the current event.
    var lost: [WireRequest] = []
    /// True if the current event has a wrong number.
    var isViolated = false

    mutating func drop(upTo number: UInt64) {
        guard number > acknowledged else { return }
        acknowledged = number
        kept.removeAll { $0.number <= number }
    }

    mutating func begin(_ epoch: String?) {
        let requests = kept.compactMap { entry in
            if case .request(let request) = entry.signal { request } else { WireRequest?.none }
        }
        self = DeliveryBook(hasAsked: hasAsked, isAgreed: isAgreed, epoch: epoch, lost: requests)
    }
}

extension SessionWorld {
    // MARK: Messages of the server

    func number(of kept: SessionStep.Kept) -> UInt64? {
        switch kept {
        case .first: delivery.kept.first?.number
        case .last: delivery.kept.count > 1 ? delivery.kept.last?.number : nil
        case .none: delivery.acknowledged
        case .unsent: delivery.lastSent + 1
        }
    }

    func resumed(_ resumption: SessionStep.Resumption) -> WireResumed? {
        if resumption == .otherEpoch { return WireResumed(epoch: delivery.epoch == "e" ? "f" : "e", received: 0) }
        guard let epoch = delivery.epoch else { return nil }
        return switch resumption {
        case .all: WireResumed(epoch: epoch, received: delivery.lastSent)
        case .asKnown: WireResumed(epoch: epoch, received: delivery.acknowledged)
        case .less:
            delivery.acknowledged == 0 ? nil : WireResumed(epoch: epoch, received: delivery.acknowledged - 1)
        default: WireResumed(epoch: epoch, received: delivery.lastSent + 1)
        }
    }

    func numbered(_ order: SessionStep.Order, _ content: SessionStep.Content) -> WireSignal? {
        let number: UInt64
        switch order {
        case .next: number = delivery.received + 1
        case .seen: number = delivery.received
        case .later: number = delivery.received + 2
        }
        guard number > 0 else { return nil }
        switch content {
        case .push: return .numbered(number, .push(WirePush(event: "p")))
        case .reply: return sent.first.map { .numbered(number, .reply(WireReply(id: .number($0), .success(nil)))) }
        }
    }

    /// Updates the book for an event before the machine handles it.
    mutating func prepareDelivery(_ event: SessionMachine.Event) {
        (delivery.lost, delivery.isViolated) = ([], false)
        switch event {
        case .unwritable(let number):
            if let index = delivery.kept.firstIndex(where: { $0.number == number }) {
                delivery.kept[index].signal = .alive(nil)
            }
        case .received(let id, let signal): if id == open { prepareDelivery(signal) }
        default: break
        }
    }

    private mutating func prepareDelivery(_ signal: WireSignal) {
        switch signal {
        case .resumed(let resumed):
            guard delivery.hasAsked, !delivery.isAgreed else { return }
            guard resumed.epoch == delivery.epoch else {
                delivery.isAgreed = true
                return delivery.begin(resumed.epoch)
            }
            delivery.isViolated = !(delivery.acknowledged...delivery.lastSent ~= resumed.received)
            guard !delivery.isViolated else { return }
            delivery.isAgreed = true
            delivery.drop(upTo: resumed.received)
            delivery.lastHere = resumed.received
        case .acknowledge(let number):
            guard delivery.isAgreed else { return }
            delivery.isViolated = number > delivery.lastSent
            if !delivery.isViolated { delivery.drop(upTo: number) }
        case .numbered(let number, let message):
            guard delivery.isAgreed else { return }
            delivery.isViolated = number > delivery.received + 1
            guard number == delivery.received + 1 else { return }
            delivery.received = number
            prepareDelivery(message)
        case .reply(let reply):
            // A message with a reply has arrived.
            let number = reply.id.ticket.flatMap { machine.pending[$0]?.number }
            if let number { delivery.drop(upTo: number) }
        default: break
        }
    }

    // MARK: Messages of the session

    mutating func keepBook(of signal: WireSignal) {
        switch signal {
        case .open: break
        case .resume(let resume):
            if delivery.hasAsked { faults.append("it resumes twice") }
            delivery.hasAsked = true
            if resume.epoch != delivery.epoch || resume.received != delivery.received {
                faults.append("it resumes with \(resume), and \(delivery.received) were received")
            }
        case .numbered(let number, let message): keepBook(of: number, message)
        case .request: faults.append("it sends a message without a number")
        case .acknowledge(let number):
            if number != delivery.received { faults.append("it acknowledges \(number), not \(delivery.received)") }
            fallthrough
        default: if !delivery.isAgreed { faults.append("it sends \(signal) before the server has answered") }
        }
    }

    private mutating func keepBook(of number: UInt64, _ message: WireSignal) {
        if !delivery.isAgreed { faults.append("it sends \(number) before the server has answered") }
        if number != delivery.lastHere + 1 { faults.append("it sends \(number) after \(delivery.lastHere)") }
        delivery.lastHere = number
        if number > delivery.lastSent {
            delivery.lastSent = number
            delivery.kept.append((number, message))
        } else if delivery.kept.first(where: { $0.number == number })?.signal != message {
            faults.append("\(number) is another message than before")
        }
    }

    // MARK: Rules

    /// Checks that each accepted message is kept until it is acknowledged, is reported as undelivered, or waits to be
    /// sent again.
    mutating func checkDelivery(_ before: SessionMachine, _ effects: [SessionMachine.Effect]) {
        guard let known = machine.delivery else { return }
        if machine.state.isOver, !before.state.isOver { delivery.begin(nil) }
        var told: [WireRequest] = []
        for case .tell(.undelivered(let requests)) in effects { told += requests }
        let lost = delivery.lost.filter { request in
            !waiting.contains { $0.ticket == request.id?.ticket }
        }
        if told != lost { faults.append("\(told) were told as undelivered, and \(lost) were lost") }
        if delivery.isViolated, !machine.state.isOver { faults.append("a server that miscounts is believed") }
        if known.unacknowledged.map(\.number) != delivery.kept.map(\.number)
            || known.unacknowledged.map(\.signal) != delivery.kept.map(\.signal)
        {
            faults.append("\(known.unacknowledged) are kept, and not \(delivery.kept)")
        }
        if known.bytes != known.unacknowledged.reduce(0, { $0 + $1.bytes }) { faults.append("bytes don't add up") }
        let limit = known.limits
        if delivery.kept.count > max(1, limit.maximumCount)
            || delivery.kept.count > 1 && known.bytes > limit.maximumBytes
        {
            faults.append("\(delivery.kept.count) messages are kept")
        }
        if machine.waitsToAcknowledge != (delivery.isAgreed && known.owesAcknowledgment) {
            faults.append("an acknowledgment is forgotten, or owed to nobody")
        }
    }
}
