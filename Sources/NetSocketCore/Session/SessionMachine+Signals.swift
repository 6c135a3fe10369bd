internal import NetCore

extension SessionMachine {
    mutating func received(_ id: ConnectionID, _ signal: WireSignal, _ now: Duration, _ effects: inout [Effect]) {
        guard current == id else { return }
        heard(now, &effects)
        switch signal {
        case .opened(let opened):
            guard case .opening = phase, !isResuming else { return }
            heartbeats = Heartbeats(opened)
            effects.append(.clearTimer(.opening))
            greeted(id, now, &effects)
        case .resumed(let resumed): self.resumed(resumed, id, now, &effects)
        case .numbered(let number, let signal): numbered(number, signal, id, now, &effects)
        case .acknowledge(let number): acknowledged(number, id, now, &effects)
        // The driver reports the end in a separate event.
        case .end: break
        case .reply(let reply): replied(reply, now, &effects)
        case .push(let push): pushed(push, &effects)
        case .request(let request): effects.append(.tell(.request(request, id)))
        case .cancel(let id): effects.append(.tell(.cancelled(id)))
        case .joined(let joined): self.joined(joined, now, &effects)
        case .joinRefused(let id, let topic, let failure): joinRefused(id, topic, failure, now, &effects)
        case .left(let id, let topic, let failure): left(id, topic, failure, now, &effects)
        case .event(let id, let payload):
            if let ticket = id.ticket, subscriptions[ticket] != nil { effects.append(.tell(.event(ticket, payload))) }
        case .completed(let id, let failure): completed(id, failure, &effects)
        case .heartbeat, .alive, .subscribed: break
        // Only a client sends these signals.
        case .open, .join, .leave, .subscribe, .unsubscribe, .resume: break
        }
    }

    /// Handles the server's end of the wire protocol, permanently or until the next connection.
    mutating func ended(
        _ id: ConnectionID, _ end: WireEnd, _ chance: Chance, _ now: Duration, _ effects: inout [Effect]
    ) {
        guard current == id else { return }
        effects.append(.close(id, .normalClosure))
        let reason = end.failure.map(Self.reason) ?? ""
        if end.mayReconnect {
            let error = NetError(
                .connectionLost, phase: .receiving, message: "the server ended the connection" + reason,
                underlying: end.failure)
            lost(id, error, chance, now, &effects)
        } else {
            let error = NetError(
                .webSocketClosed, phase: .receiving, message: "the server ended the session for good" + reason,
                underlying: end.failure)
            fail(id, error, &effects)
        }
    }

    /// Returns the code and the text of a failure for a message.
    private static func reason(_ failure: SocketFailure) -> String {
        let (code, text) = (ServerWords.shown(failure.code, limit: 64), ServerWords.shown(failure.message))
        return (code.isEmpty ? "" : " (\(code))") + (text.isEmpty || text == code ? "" : ": \(text)")
    }

    mutating func passed(_ timer: Timer, _ chance: Chance, _ now: Duration, _ effects: inout [Effect]) {
        switch timer {
        case .reconnect: if case .waiting = phase, !isOffline { connect(&effects) }
        case .opening:
            guard case .opening(let id) = phase else { return }
            let error = NetError(
                .timeout, phase: .waiting,
                message: "the server didn't open the wire protocol within \(settings.joinTimeout)")
            effects.append(.close(id, .goingAway))
            lost(id, error, chance, now, &effects)
        case .request(let ticket): timedOut(ticket, now, &effects)
        case .join(let topic): joinTimedOut(topic, &effects)
        case .heartbeat: beat(chance, now, &effects)
        case .silence: checkSilence(chance, now, &effects)
        case .acknowledgment: acknowledge(&effects)
        case .probe: probeTimedOut(chance, now, &effects)
        case .idle: becomeIdle(now, &effects)
        }
    }

    // MARK: Subscriptions

    mutating func subscribe(_ ticket: Ticket, _ payload: SocketPayload, _ effects: inout [Effect]) {
        guard !state.isOver else {
            effects.append(.tell(.completed(ticket, nil)))
            return
        }
        subscriptions[ticket] = payload
        subscriptionOrder.append(ticket)
        if let openConnection { effects.append(.send(openConnection, .subscribe(.number(ticket), payload))) }
    }

    mutating func unsubscribe(_ ticket: Ticket, _ effects: inout [Effect]) {
        guard subscriptions.removeValue(forKey: ticket) != nil else { return }
        subscriptionOrder.removeAll { $0 == ticket }
        if let openConnection { effects.append(.send(openConnection, .unsubscribe(.number(ticket)))) }
        effects.append(.tell(.completed(ticket, nil)))
    }

    private mutating func completed(_ id: SocketID, _ failure: SocketFailure?, _ effects: inout [Effect]) {
        guard let ticket = id.ticket, subscriptions.removeValue(forKey: ticket) != nil else { return }
        subscriptionOrder.removeAll { $0 == ticket }
        effects.append(.tell(.completed(ticket, failure)))
    }
}

extension SocketID {
    /// The number that this side assigned; nil for the peer's text IDs.
    var ticket: UInt64? { if case .number(let number) = self { number } else { nil } }
}
