internal import NetCore

extension SessionMachine {
    /// True if an attempt would be in vain. An unknown status doesn't delay attempts.
    var isOffline: Bool { network?.reachability == .unreachable }

    /// Handles the first status of the network, or a change.
    mutating func changed(to status: NetworkStatus, _ now: Duration, _ effects: inout [Effect]) {
        let old = network
        network = status
        // An old connection rarely outlives an outage that ends with another address.
        let isElsewhere = old?.reachability == .unreachable && lastWay.map { !$0.hasSamePath(as: status) } ?? false
        if status.reachability == .reachable { lastWay = status }
        if let old, old.hasSamePath(as: status) { return }
        switch phase {
        case .waiting where isOffline:
            guard case .waiting(_, _?, let error) = state else { return }
            effects.append(.clearTimer(.reconnect))
            waitForNetwork(error, &effects)
        // The first status isn't a change.
        case .waiting where old != nil:
            effects.append(.clearTimer(.reconnect))
            connect(&effects)
        case .open(let id, _) where old != nil && !isOffline:
            probe(id, within: isElsewhere ? settings.probeTimeout / 10 : settings.probeTimeout, now, &effects)
        // Hints don't end working connections: a lost connection is reported by the transport.
        case .idle, .connecting, .opening, .open, .waiting, .suspended, .failed, .closed: break
        }
    }

    /// Waits until the network is back, however long that takes.
    mutating func waitForNetwork(_ error: NetError, _ effects: inout [Effect]) {
        phase = .waiting
        change(to: .waiting(attempt: series.next, wait: nil, error), &effects)
    }

    // MARK: Probes

    /// Probes the connection, which may have been lost with the old path without a report.
    private mutating func probe(
        _ id: ConnectionID, within limit: Duration, _ now: Duration, _ effects: inout [Effect]
    ) {
        let deadline = now + limit
        probeDeadline = deadline
        effects += [.setTimer(.probe, deadline), .probe(id)]
    }

    mutating func endProbe(_ effects: inout [Effect]) {
        guard probeDeadline != nil else { return }
        probeDeadline = nil
        effects.append(.clearTimer(.probe))
    }

    mutating func probeTimedOut(_ chance: Chance, _ now: Duration, _ effects: inout [Effect]) {
        guard let probeDeadline, now >= probeDeadline, let id = openConnection else { return }
        let error = NetError(
            .connectionLost, phase: .receiving,
            message: "the server didn't respond to a probe in time after the network changed",
            closure: WebSocketClosure(code: .abnormalClosure))
        effects.append(.close(id, .abnormalClosure))
        lost(id, error, chance, now, &effects)
        // The network changed; the server isn't gone, so there is no reason to wait.
        guard case .waiting = phase, !isOffline else { return }
        effects.append(.clearTimer(.reconnect))
        connect(&effects)
    }
}
