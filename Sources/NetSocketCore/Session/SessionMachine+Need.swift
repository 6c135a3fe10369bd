internal import NetCore

extension SessionMachine {
    /// True if an idle session connects as soon as a connection is needed.
    var isArmed: Bool { isStarted && settings.idleTimeout != nil }

    /// True if a connection is needed: by a waiting message, an awaited acknowledgment or reply, a channel, or a
    /// subscription.
    var isNeeded: Bool {
        !queue.entries.isEmpty || !pending.isEmpty || !channels.isEmpty || !subscriptions.isEmpty
            || delivery?.unacknowledged.isEmpty == false
    }

    mutating func start(_ effects: inout [Effect]) {
        guard !isStarted, !state.isOver else { return }
        isStarted = true
        if delivery != nil, !settings.features.contains(.delivery) { return over(Self.undeliverable, &effects) }
        // A session that was paused before stays paused.
        if case .idle = phase, settings.idleTimeout == nil { connect(&effects) }
    }

    /// Continues after a pause.
    mutating func wake(_ effects: inout [Effect]) {
        guard settings.idleTimeout != nil, !isNeeded else { return connect(&effects) }
        phase = .idle
        change(to: .idle, &effects)
    }

    /// Connects when a connection is needed, and measures for how long it isn't.
    mutating func followNeed(after event: Event, _ now: Duration, _ effects: inout [Effect]) {
        guard let idleTimeout = settings.idleTimeout, isStarted else { return }
        switch phase {
        case .idle: if isNeeded { connect(&effects) }
        case .connecting, .opening, .open, .waiting:
            if isNeeded {
                endIdling(&effects)
            } else if idleDeadline == nil || event.isUse {
                idleDeadline = now + idleTimeout
                effects.append(.setTimer(.idle, now + idleTimeout))
            }
        case .suspended, .failed, .closed: endIdling(&effects)
        }
    }

    private mutating func endIdling(_ effects: inout [Effect]) {
        guard idleDeadline != nil else { return }
        idleDeadline = nil
        effects.append(.clearTimer(.idle))
    }

    /// Disconnects when the connection, or the wait for one, hasn't been needed for the idle timeout.
    mutating func becomeIdle(_ now: Duration, _ effects: inout [Effect]) {
        guard let idleDeadline, now >= idleDeadline, !isNeeded else { return }
        self.idleDeadline = nil
        leaveConnection(.normalClosure, Self.unneeded, &effects)
        phase = .idle
        change(to: .idle, &effects)
    }

    private static let unneeded = NetError(
        .connectionLost, phase: .receiving, message: "the connection was idle; a new one is opened when it's needed"
    )
}

extension SessionMachine.Event {
    /// True if the event uses the connection, even if it doesn't need it afterward.
    fileprivate var isUse: Bool { if case .request = self { true } else { false } }
}
