import NetCore

@testable import NetSocketCore

/// The conditions for sessions that follow the network, and connect when something needs them.
extension SessionWorld {
    /// Checks that without a network no attempts are used up, and nothing connects on its own.
    mutating func checkNetwork(
        after event: SessionMachine.Event, _ before: SessionMachine, _ effects: [SessionMachine.Effect]
    ) {
        if machine.probeDeadline != timers[.probe] { faults.append("a probe and its timer are different things") }
        if machine.probeDeadline != nil, machine.openConnection == nil { faults.append("a probe of nothing") }
        if case .reply(let id, _) = event {
            let replies = effects.count { if case .send(_, .reply) = $0 { true } else { false } }
            if replies != (id == before.openConnection ? 1 : 0) { faults.append("\(replies) replies are sent") }
        }
        guard machine.isOffline else { return }
        if machine.series.failures > before.series.failures { faults.append("an attempt is counted without a network") }
        if case .waiting(_, _?, _) = machine.state { faults.append("it counts the time without a network") }
        guard case .connecting = machine.state, !machine.needsNewCredential else { return }
        switch event {
        case .timer, .network, .connectFailed, .ended, .wireEnded:
            if effects.contains(where: { if case .connect = $0 { true } else { false } }) {
                faults.append("it connects by itself without a network")
            }
        default: break
        }
    }

    /// Checks that a needed session has a connection or will have one, and that an unneeded one has none after a while,
    /// without losing anything.
    mutating func checkNeed(_ before: SessionMachine) {
        let isNeeded =
            !waiting.isEmpty || !machine.channels.isEmpty || !machine.subscriptions.isEmpty || !delivery.kept.isEmpty
        guard machine.settings.idleTimeout != nil, machine.isStarted else {
            if timers[.idle] != nil { faults.append("it becomes idle unasked") }
            return
        }
        var mayEnd = false
        switch machine.phase {
        case .idle: if isNeeded { faults.append("it is idle, and needed") }
        case .connecting, .opening, .open, .waiting: mayEnd = !isNeeded
        case .suspended, .failed, .closed: break
        }
        if (machine.idleDeadline != nil) != mayEnd { faults.append("it doesn't know whether it is needed") }
        if machine.idleDeadline != timers[.idle] { faults.append("the timer for idleness is another") }
        if case .idle = machine.state, before.isNeeded { faults.append("it becomes idle, and was needed") }
    }

    /// Checks that the end of a connection is handled according to the tables of close codes and statuses.
    mutating func checkEnding(after event: SessionMachine.Event, _ before: SessionMachine) {
        let (id, error): (UInt64, NetError)
        switch event {
        case .ended(let ended, let reason, _), .connectFailed(let ended, let reason, _): (id, error) = (ended, reason)
        default: return
        }
        guard before.current == id else { return }
        let policy = machine.settings.policy
        var action =
            error.closure.map { policy.closeCodes[Int($0.decisiveCode.rawValue)] } ?? error.status.map {
                policy.statuses[$0]
            }
            ?? (error.code == .invalidRequest ? .stop : .retry)
        var hasRenewed = before.hasRenewedCredential
        if case .open(_, let since) = before.phase, now - since >= policy.stablePeriod { hasRenewed = false }
        if action == .renewCredential, hasRenewed { action = .stop }
        let isInChannel = before.channels.values.contains(where: \.isWanted)
        let isNeeded = before.openConnection != nil && (isInChannel || !before.subscriptions.isEmpty)
        if action == .retryIfNeeded { action = isNeeded ? .retry : .stop }
        if action == .retry, !policy.allows(failures: machine.series.failures) { action = .stop }
        switch (action, machine.state) {
        case (.retry, .waiting), (.renewCredential, .connecting), (.stop, .failed): break
        default: faults.append("\(error) leads to \(machine.state), and not to \(action)")
        }
    }
}
