internal import NetCore

extension SessionMachine {
    mutating func connect(_ effects: inout [Effect]) {
        lastNumber += 1
        phase = .connecting(lastNumber)
        change(to: .connecting(attempt: series.next), &effects)
        effects.append(.connect(lastNumber, attempt: series.next, needsNewCredential: needsNewCredential))
    }

    mutating func resume(_ effects: inout [Effect]) {
        switch phase {
        case .suspended where !isStarted:
            phase = .idle
            change(to: .idle, &effects)
        case .suspended: wake(&effects)
        case .waiting:
            effects.append(.clearTimer(.reconnect))
            connect(&effects)
        case .idle, .connecting, .opening, .open, .failed, .closed: break
        }
    }

    mutating func pause(_ effects: inout [Effect]) {
        switch phase {
        case .connecting, .opening, .open, .waiting:
            leaveConnection(.goingAway, Self.paused, &effects)
            phase = .suspended
            change(to: .suspended, &effects)
        // A session that hasn't begun yet begins paused.
        case .idle where isArmed || !isStarted:
            phase = .suspended
            change(to: .suspended, &effects)
        case .idle, .suspended, .failed, .closed: break
        }
    }

    mutating func reconnect(_ effects: inout [Effect]) {
        switch phase {
        // It connects when it begins.
        case .suspended where !isStarted: resume(&effects)
        case .connecting, .opening, .open, .waiting, .suspended:
            leaveConnection(.goingAway, Self.reconnecting, &effects)
            (series, hasRenewedCredential) = (AttemptSeries(), false)
            connect(&effects)
        case .idle, .failed, .closed: break
        }
    }

    mutating func close(_ effects: inout [Effect]) {
        switch phase {
        case .failed, .closed: return
        default: break
        }
        leaveConnection(.normalClosure, Self.closedHere, &effects)
        phase = .closed
        settleAll(.closed, Self.closedHere, &effects)
        change(to: .closed, &effects)
    }

    /// Abandons the connection, or the wait for one.
    mutating func leaveConnection(
        _ code: WebSocketCloseCode, _ error: NetError, _ effects: inout [Effect]
    ) {
        switch phase {
        case .connecting(let id): effects.append(.abandon(id))
        case .open where delivery != nil:
            // Acknowledges the messages that have arrived.
            acknowledge(&effects)
            if let current { effects.append(.close(current, code)) }
        case .opening(let id), .open(let id, _): effects.append(.close(id, code))
        case .waiting: effects.append(.clearTimer(.reconnect))
        case .idle, .suspended, .failed, .closed: break
        }
        if let current { interrupt(current, error, &effects) }
    }

    static let paused = NetError(
        .connectionLost, phase: .receiving, message: "the session is paused; call resume() to continue")
    static let reconnecting = NetError(
        .connectionLost, phase: .receiving, message: "the session is reconnecting, as requested")
    static let closedHere = NetError(.webSocketClosed, phase: .receiving, message: "the session was closed here")

    // MARK: Opening

    mutating func connected(_ id: ConnectionID, _ now: Duration, _ effects: inout [Effect]) {
        guard case .connecting(id) = phase else {
            // The connection came too late and isn't needed any more.
            effects.append(.close(id, .goingAway))
            return
        }
        guard settings.features.contains(.opening) else { return greeted(id, now, &effects) }
        phase = .opening(id)
        effects += [.setTimer(.opening, now + settings.joinTimeout), .makeOpenPayload(id)]
    }

    mutating func openPayload(
        _ id: ConnectionID, _ payload: SocketPayload?, _ error: NetError?, _ chance: Chance, _ now: Duration,
        _ effects: inout [Effect]
    ) {
        guard case .opening(id) = phase else { return }
        if let error {
            effects.append(.close(id, .goingAway))
            lost(id, error, chance, now, &effects)
        } else {
            effects.append(.send(id, .open(payload)))
        }
    }

    mutating func open(_ id: ConnectionID, _ now: Duration, _ effects: inout [Effect]) {
        phase = .open(id, since: now)
        needsNewCredential = false
        change(to: .open, &effects)
        startHeartbeats(now, &effects)
        unsentJoins = Set(channelOrder)
        for topic in channelOrder { makeJoinPayload(id, topic, &effects) }
        for ticket in subscriptionOrder {
            if let payload = subscriptions[ticket] { effects.append(.send(id, .subscribe(.number(ticket), payload))) }
        }
        flush(now, &effects)
    }

    // MARK: The end of a connection

    mutating func lost(
        _ id: ConnectionID, _ error: NetError, _ chance: Chance, _ now: Duration, _ effects: inout [Effect]
    ) {
        guard current == id else { return }
        let wasOpen = openConnection != nil
        if !isOffline { series.end(wasOpen: wasOpen) }
        interrupt(id, error, &effects)
        switch ReconnectDecision.decide(
            error, failures: series.failures, waits: max(1, series.waits),
            isNeeded: wasOpen && !(channels.isEmpty && subscriptions.isEmpty), policy: settings.policy,
            date: chance.date, random: chance.random)
        {
        case .retry where isOffline: waitForNetwork(error, &effects)
        case .retry(let wait):
            phase = .waiting
            effects.append(.setTimer(.reconnect, now + wait))
            change(to: .waiting(attempt: series.next, wait: wait, error), &effects)
        case .renewCredential where !hasRenewedCredential:
            (hasRenewedCredential, needsNewCredential) = (true, true)
            connect(&effects)
        case .renewCredential, .stop: over(error, &effects)
        }
    }

    /// Ends the session with an error, regardless of the reconnect policy.
    mutating func fail(_ id: ConnectionID, _ error: NetError, _ effects: inout [Effect]) {
        interrupt(id, error, &effects)
        over(error, &effects)
    }

    mutating func over(_ error: NetError, _ effects: inout [Effect]) {
        phase = .failed
        settleAll(.lost(error, mayHaveArrived: false), error, &effects)
        change(to: .failed(error), &effects)
    }

    /// Interrupts the work of a connection that has ended.
    mutating func interrupt(_ id: ConnectionID, _ error: NetError, _ effects: inout [Effect]) {
        effects.append(.clearTimer(.opening))
        endHeartbeats(&effects)
        endProbe(&effects)
        unsentJoins = []
        interruptChannels(error, &effects)
        // Numbered messages are sent again, and so are their replies.
        guard delivery != nil else { return abandonRequests(of: id, error, &effects) }
        isResuming = false
        if waitsToAcknowledge { effects.append(.clearTimer(.acknowledgment)) }
        waitsToAcknowledge = false
    }

    /// Settles the requests that were sent on a connection, or puts them back into the queue.
    mutating func abandonRequests(of id: ConnectionID, _ error: NetError, _ effects: inout [Effect]) {
        var again: [SessionQueue.Entry] = []
        for ticket in pending.keys.sorted() {
            guard let request = pending[ticket], request.connection == id else { continue }
            pending[ticket] = nil
            // Skips messages of a channel that was left meanwhile: they would wait in vain.
            let message = request.entry.request
            if message.offline == .resend, message.topic.map({ isTag($0) || hasChannel($0) }) ?? true {
                again.append(request.entry)
            } else {
                settle(ticket, .failed(.lost(error, mayHaveArrived: true)), &effects)
            }
        }
        queue.prepend(again)
    }

    mutating func settle(_ ticket: Ticket, _ outcome: Outcome, _ effects: inout [Effect]) {
        effects += [.clearTimer(.request(ticket)), .settle(ticket, outcome)]
    }

    /// Settles all tickets when the session is over.
    private mutating func settleAll(_ loss: Loss, _ error: NetError, _ effects: inout [Effect]) {
        for ticket in pending.keys.sorted() { settle(ticket, .failed(.lost(error, mayHaveArrived: true)), &effects) }
        pending = [:]
        tell(undelivered: delivery?.reset() ?? [], &effects)
        for entry in queue.take(where: { _ in true }) { settle(entry.ticket, .failed(loss), &effects) }
        for topic in channelOrder {
            guard let channel = channels[topic] else { continue }
            effects.append(.clearTimer(.join(topic: topic)))
            for ticket in channel.waiters { settle(ticket, .failed(loss), &effects) }
            effects.append(.tell(.left(topic: topic, nil)))
        }
        (channels, channelOrder) = ([:], [])
        // Their sequences end with the session, with its error if it has one.
        (subscriptions, subscriptionOrder) = ([:], [])
    }
}
