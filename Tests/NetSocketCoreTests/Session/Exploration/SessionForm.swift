import NetCore

@testable import NetSocketCore

/// The canonical form of a state: everything that affects the further course of a session. Numbers are replaced by
/// their order, and topics by the order of their first mention, so that states without other differences are equal.
///
/// The form is represented by a 128-bit hash; among a hundred million states, the probability that two different ones
/// have the same hash is 10^-23.
struct SessionForm: Hashable {
    private var first: UInt64 = 0xcbf2_9ce4_8422_2325
    private var second: UInt64 = 0x9e37_79b9_7f4a_7c15
    private var topics: [String] = []

    static func == (left: SessionForm, right: SessionForm) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(first) }

    var key: SIMD2<UInt64> { [first, second] }

    init(_ world: SessionWorld) {
        let machine = world.machine
        add(phase(of: machine))
        add(world.isStable, world.hasSentOpen, world.isWireOpen, world.stale != 0)
        add(
            machine.needsNewCredential, machine.hasRenewedCredential, machine.hasHeard,
            machine.heartbeats.interval != nil)
        add(machine.heartbeats.interval == machine.settings.heartbeatInterval)
        add(machine.series.failures)
        add(machine.series.hasLost, machine.isStarted, machine.heartbeats.expectsReplies)
        add(machine.subscriptions.count)
        add(machine.channels.count)
        for topic in machine.channelOrder {
            guard let channel = machine.channels[topic] else { continue }
            add(topic: topic)
            switch channel.state {
            case .waiting: add(0)
            case .joining: add(1)
            case .joined: add(2)
            case .leaving: add(3)
            }
            add(channel.waiters.count)
            add(channel.wasJoined, channel.position != nil, machine.unsentJoins.contains(topic))
        }
        add(machine.queue.entries.count)
        for entry in machine.queue.entries { add(entry.request) }
        add(machine.pending.count)
        for ticket in machine.pending.keys.sorted() {
            if let request = machine.pending[ticket] { add(request.entry.request) }
        }
        if machine.network != nil || machine.settings.idleTimeout != nil { addNetwork(world) }
        if let delivery = machine.delivery { add(delivery, world) }
    }

    private mutating func addNetwork(_ world: SessionWorld) {
        let machine = world.machine
        switch machine.network?.reachability {
        case nil: add(0)
        case .unknown: add(1)
        case .unreachable: add(2)
        case .reachable: add(machine.network?.interfaces == [.wifi] ? 3 : 4)
        }
        for deadline in [machine.probeDeadline, machine.idleDeadline] {
            add(deadline.map { $0 > world.now ? 1 : 2 } ?? 0)
        }
        for deadline in [world.timers[.probe], world.timers[.idle]] {
            add(deadline.map { $0 > world.now ? 1 : 2 } ?? 0)
        }
        add(machine.isStarted)
    }

    private mutating func add(_ delivery: DeliveryMachine, _ world: SessionWorld) {
        let machine = world.machine
        add(world.delivery.hasAsked, world.delivery.isAgreed, machine.waitsToAcknowledge, machine.isStarted)
        add(delivery.epoch != nil, delivery.acknowledged > 0, delivery.received > 0, delivery.owesAcknowledgment)
        add(Int(delivery.received - delivery.reported))
        add(delivery.unacknowledged.count)
        let pending = machine.pending.keys.sorted()
        for entry in delivery.unacknowledged {
            add(entry.bytes)
            guard case .request(let request) = entry.signal else { continue }
            add(topic: request.topic)
            add(request.id?.ticket.flatMap { pending.firstIndex(of: $0) } ?? (request.id == nil ? -1 : -2))
        }
    }

    private func phase(of machine: SessionMachine) -> Int {
        switch machine.phase {
        case .idle: 0
        case .connecting: 1
        case .opening: 2
        case .open: 3
        case .waiting: 4
        case .suspended: 5
        case .failed: 6
        case .closed: 7
        }
    }

    private mutating func add(_ request: SessionMachine.Request) {
        add(topic: request.topic)
        switch request.offline {
        case .fail: add(0)
        case .drop: add(1)
        case .queue: add(2)
        case .latest: add(3)
        case .resend: add(4)
        }
        add(request.wantsReply)
    }

    private mutating func add(topic: String?) {
        guard let topic else { return add(0) }
        if let index = topics.firstIndex(of: topic) { return add(index + 1) }
        topics.append(topic)
        add(topics.count)
    }

    private mutating func add(_ flags: Bool...) { for flag in flags { add(flag ? 1 : 0) } }

    private mutating func add(_ value: Int) {
        first = (first ^ UInt64(truncatingIfNeeded: value)) &* 0x0000_0100_0000_01b3
        second = (second ^ (second >> 29) ^ UInt64(truncatingIfNeeded: value)) &* 0xbf58_476d_1ce4_e5b9
    }
}
