import NetCore

@testable import NetSocketCore

/// The conditions that hold after each event.
extension SessionWorld {
    mutating func check(
        after event: SessionMachine.Event, _ before: SessionMachine, _ effects: [SessionMachine.Effect]
    ) {
        checkStates(before, effects)
        checkTickets()
        checkTimers()
        checkConnection()
        checkChannels(before, event)
        checkNetwork(after: event, before, effects)
        checkNeed(before)
        checkEnding(after: event, before)
        checkDelivery(before, effects)
        if machine.state.isOver { checkEnd() }
    }

    /// Checks that the state changes according to the table in the machine's comment, one notification after another.
    private mutating func checkStates(_ before: SessionMachine, _ effects: [SessionMachine.Effect]) {
        var state = before.state
        for case .tell(.state(let next)) in effects {
            if !Self.follows(next, state), !mayIdle(next, state) { faults.append("\(state) is followed by \(next)") }
            state = next
        }
        if Self.rank(state) != Self.rank(machine.state) { faults.append("nobody was told of \(machine.state)") }
    }

    private static func rank(_ state: SocketSessionState) -> Int {
        switch state {
        case .idle: 0
        case .connecting: 1
        case .open: 2
        case .waiting: 3
        case .suspended: 4
        case .failed: 5
        case .closed: 6
        }
    }

    private static func follows(_ next: SocketSessionState, _ state: SocketSessionState) -> Bool {
        switch (state, next) {
        case (.idle, .connecting), (.idle, .closed): true
        // Another attempt in place of an abandoned one, or with a new credential.
        case (.connecting, .connecting), (.connecting, .open), (.connecting, .waiting), (.connecting, .failed),
            (.connecting, .suspended), (.connecting, .closed):
            true
        case (.open, .connecting), (.open, .waiting), (.open, .failed), (.open, .suspended), (.open, .closed): true
        case (.waiting, .connecting), (.waiting, .suspended), (.waiting, .closed): true
        case (.suspended, .connecting), (.suspended, .closed): true
        default: false
        }
    }

    /// Transitions that are possible only for sessions that haven't begun, connect when needed, or follow the network.
    private func mayIdle(_ next: SocketSessionState, _ state: SocketSessionState) -> Bool {
        switch (state, next) {
        case (.idle, .suspended) where !machine.isStarted, (.suspended, .idle) where !machine.isStarted: true
        // It fails if the wire can't deliver at least once.
        case (.suspended, .failed): machine.settings.delivery != nil
        case (.idle, .suspended), (.suspended, .idle), (.connecting, .idle), (.open, .idle), (.waiting, .idle):
            machine.settings.idleTimeout != nil
        case (.waiting(_, _?, _), .waiting(_, nil, _)): machine.isOffline
        default: false
        }
    }

    /// Checks that the machine knows exactly the tickets that wait for an outcome.
    private mutating func checkTickets() {
        var count = machine.pending.count + machine.queue.entries.count
        for entry in machine.queue.entries where machine.pending[entry.ticket] != nil {
            faults.append("\(entry.ticket) waits twice")
        }
        for topic in machine.channelOrder { count += machine.channels[topic]?.waiters.count ?? 0 }
        for (ticket, kind) in waiting {
            let isKnown =
                switch kind {
                case .request:
                    machine.pending[ticket] != nil || machine.queue.entries.contains { $0.ticket == ticket }
                case .channel:
                    machine.channelOrder.contains { machine.channels[$0]?.waiters.contains(ticket) == true }
                }
            if !isKnown { faults.append("\(ticket) will never be settled") }
        }
        if count != waiting.count { faults.append("the machine keeps \(count) tickets, and \(waiting.count) wait") }
        if machine.queue.bytes != machine.queue.entries.reduce(0, { $0 + $1.bytes }) {
            faults.append("the bytes of the queue don't add up")
        }
    }

    /// Checks that each timer is set exactly as long as something depends on it.
    private mutating func checkTimers() {
        var wanted = 0
        var missing: SessionMachine.Timer?
        func want(_ timer: SessionMachine.Timer) {
            wanted += 1
            if timers[timer] == nil { missing = timer }
        }
        switch machine.phase {
        case .waiting: if !machine.isOffline { want(.reconnect) }
        case .opening: want(.opening)
        case .open:
            if machine.heartbeats.interval != nil { want(.heartbeat) }
            if machine.heartbeats.silence != nil { want(.silence) }
        default: break
        }
        if machine.probeDeadline != nil { want(.probe) }
        if machine.idleDeadline != nil { want(.idle) }
        if delivery.isAgreed, machine.delivery?.owesAcknowledgment == true { want(.acknowledgment) }
        for ticket in machine.pending.keys { want(.request(ticket)) }
        for entry in machine.queue.entries { want(.request(entry.ticket)) }
        for (topic, channel) in machine.channels {
            switch channel.state {
            case .joining, .leaving: want(.join(topic: topic))
            case .waiting, .joined: break
            }
            if channel.isWanted { for ticket in channel.waiters { want(.request(ticket)) } }
        }
        if let missing { faults.append("no timer is set for \(missing)") }
        if missing == nil, wanted != timers.count { faults.append("timers are set for nothing: \(timers)") }
    }

    private mutating func checkConnection() {
        if machine.current != (open ?? connecting) {
            faults.append("the machine uses \(machine.current ?? 0), and \(open ?? connecting ?? 0) is there")
        }
        let mayWait = machine.settings.delivery != nil && machine.openConnection == nil
        for request in machine.pending.values where !mayWait && request.connection != machine.openConnection {
            faults.append("\(request.entry.ticket) waits for a reply on a connection that is gone")
        }
        guard machine.openConnection != nil else {
            if !machine.unsentJoins.isEmpty { faults.append("joins hold up messages without a connection") }
            return
        }
        for entry in machine.queue.entries {
            let mustWait = entry.request.topic.map { machine.channels[$0]?.isJoined == false } ?? false
            guard !mustWait, entry.request.topic != nil || machine.unsentJoins.isEmpty else { continue }
            if machine.delivery?.hasRoom(for: entry.bytes) ?? true {
                faults.append("\(entry.ticket) waits, and could be sent")
            }
            // The entries after it wait for it.
            break
        }
    }

    private mutating func checkChannels(_ before: SessionMachine, _ event: SessionMachine.Event) {
        if Set(machine.channelOrder) != Set(machine.channels.keys)
            || machine.channelOrder.count != machine.channels.count
        {
            faults.append("the order of channels is \(machine.channelOrder)")
        }
        if machine.subscriptionOrder.count != machine.subscriptions.count {
            faults.append("the order of subscriptions is \(machine.subscriptionOrder)")
        }
        for topic in SessionStep.topics where joinedTopics.contains(topic) != machine.channels[topic]?.isJoined {
            // Observers are notified of the end when the response to the leave has arrived.
            if machine.channels[topic].map({ !$0.isWanted }) ?? !joinedTopics.contains(topic) { continue }
            faults.append("observers think otherwise about the joining of \(topic)")
        }
        for topic in machine.unsentJoins where machine.channels[topic] == nil {
            faults.append("\(topic) holds up others")
        }
        for entry in machine.queue.entries {
            if let topic = entry.request.topic, machine.channels[topic]?.isWanted != true {
                faults.append("\(entry.ticket) waits for \(topic), which nobody joins")
            }
        }
        for (topic, channel) in machine.channels {
            check(channel, topic)
            guard let old = before.channels[topic], old.generation == channel.generation,
                let (from, to) = old.position.flatMap({ from in channel.position.map { (from, $0) } }),
                from.epoch == to.epoch, to.offset < from.offset
            else { continue }
            // Unless the server reports that it has lost the history.
            if case .received(_, .joined(let joined)) = event, joined.isRecovered == false { continue }
            faults.append("the position of \(topic) goes back from \(from.offset) to \(to.offset)")
        }
    }

    private mutating func check(_ channel: SessionMachine.Channel, _ topic: String) {
        switch channel.state {
        case .waiting:
            if channel.waiters.isEmpty, !channel.wasJoined { faults.append("nobody wants \(topic)") }
            guard let open = machine.openConnection else { return }
            let request = PayloadRequest(connection: open, topic: topic, generation: channel.generation)
            if !payloads.contains(request) { faults.append("nobody was asked for the payload of \(topic)") }
        case .joining:
            if channel.waiters.isEmpty, !channel.wasJoined { faults.append("nobody wants \(topic)") }
            if machine.openConnection == nil { faults.append("\(topic) is joining without a connection") }
        case .joined:
            if !channel.waiters.isEmpty { faults.append("\(channel.waiters) wait for \(topic), which is joined") }
            if machine.openConnection == nil { faults.append("\(topic) is joined without a connection") }
        case .leaving: if machine.openConnection == nil { faults.append("\(topic) is left without a connection") }
        }
    }

    private mutating func checkEnd() {
        if !waiting.isEmpty { faults.append("\(waiting) wait after the end") }
        if !timers.isEmpty { faults.append("timers are left after the end: \(timers)") }
        if open != nil || connecting != nil { faults.append("a connection is left after the end") }
        if !machine.channels.isEmpty || !machine.subscriptions.isEmpty {
            faults.append("something is left after the end")
        }
    }
}
