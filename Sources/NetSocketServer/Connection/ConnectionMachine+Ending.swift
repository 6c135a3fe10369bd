#if Server
internal import NetCore
internal import NetSocketCore

/// The end of work, and of the connection.
extension ConnectionMachine {
    /// Handles the end of work. Returns false if its outcome isn't needed any more.
    mutating func ended(
        _ id: WorkID, _ outcome: Outcome, now: Duration, _ effects: inout [Effect], order: (WireRequest) -> Order
    ) -> Bool {
        guard let index = running.firstIndex(where: { $0.id == id }) else {
            if abandoned.removeValue(forKey: id) != nil { regulate(&effects) }
            return false
        }
        let work = running.remove(at: index).work
        switch (work, outcome) {
        case (.join(let join), .joined(let joined)):
            topics.insert(join.topic)
            effects.append(.send(.joined(joined)))
        case (.join(let join), .failed(let failure)):
            effects.append(.send(.joinRefused(join.id, topic: join.topic, failure)))
            // An earlier join that was abandoned may have made the connection a member.
            if !topics.contains(join.topic), !isJoining(join.topic) { effects.append(.leave(join.topic)) }
        case (.command(let request), _):
            if let reply = request.reply(outcome) { effects.append(.send(.reply(reply))) }
        case (.subscription(let id, _), .failed(let failure)): effects.append(.send(.completed(id, failure)))
        case (.subscription(let id, _), _): effects.append(.send(.completed(id, nil)))
        case (.opening, .done(let payload)):
            effects.append(.send(.opened(WireOpened(payload: payload, heartbeat: settings.maximumSilence))))
            opened(now, &effects, order)
        case (.authentication(let request), .done):
            if case .opening = phase {
                if let reply = request.reply(outcome) { effects.append(.send(.reply(reply))) }
                opened(now, &effects, order)
            } else {
                changed = request
                endIdentifying(now, &effects, order)
            }
        case (.ask, .done): endIdentifying(now, &effects, order)
        case (.ask(let topic), .failed(let failure)):
            decided(topic, failure, &effects)
            endIdentifying(now, &effects, order)
        case (.opening, .failed(let failure)), (.authentication, .failed(let failure)):
            refused(work, failure, &effects)
        default: break
        }
        settle(now, &effects)
        return true
    }

    mutating func opened(_ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order) {
        phase = .open
        releaseHeld(now, &effects, order)
    }

    mutating func refused(_ work: Work, _ failure: SocketFailure, _ effects: inout [Effect]) {
        var code = WebSocketCloseCode.unauthorized
        switch work {
        case .authentication(let request):
            if let reply = request.reply(.failed(failure)) { effects.append(.send(.reply(reply))) }
        default:
            effects.append(.send(.end(WireEnd(failure, mayReconnect: false))))
            if failure.code != "unauthorized" { code = settings.refusalCode }
        }
        end(code, failure.message.isEmpty ? failure.code : failure.message, &effects)
    }

    mutating func end(_ code: WebSocketCloseCode, _ reason: String, _ effects: inout [Effect]) {
        guard phase != .over else { return }
        over(&effects)
        effects.append(.close(code, reason))
    }

    mutating func over(_ effects: inout [Effect]) {
        giveUpAsking(&effects)
        phase = .over
        (held, abandoned) = ([], [:])
        cancelWork(&effects) { [keepsCommands] work in !(keepsCommands && work.isCommand) }
    }

    mutating func cancelWork(_ effects: inout [Effect], where isCancelled: (Work) -> Bool) {
        for each in running where isCancelled(each.work) { effects.append(.cancel(each.id)) }
        running.removeAll { isCancelled($0.work) }
        waiting.removeAll { isCancelled($0.work) }
    }

    /// Handles the end of the connection. A session that numbers its messages stays in its channels, and its commands
    /// keep running.
    mutating func connectionEnded(_ effects: inout [Effect]) {
        giveUpAsking(&effects)
        if delivery == nil {
            for topic in topics { effects.append(.leave(topic)) }
            topics = []
        }
        guard phase != .over else { return }
        over(&effects)
    }

    /// Closes the connection at the server's request.
    mutating func close(_ code: WebSocketCloseCode, _ reason: String, _ effects: inout [Effect]) {
        end(code, reason, &effects)
    }

    /// Accepts no new work; running and waiting work continues.
    mutating func drain(_ effects: inout [Effect]) {
        switch phase {
        case .open:
            phase = .draining
            isReading = false
            effects.append(.setReading(false))
            if isIdle { effects.append(.drained) }
        case .opening: effects.append(.drained)
        case .draining, .over: break
        }
    }

    // MARK: Time

    /// Ends work and phases that have exceeded their time limits.
    mutating func tick(now: Duration, _ effects: inout [Effect]) {
        if case .opening(let deadline) = phase, now >= deadline {
            return end(
                settings.hasOpening ? .openingTimeout : .unauthorized,
                "the connection was not opened in time", &effects)
        }
        if let expiry, now >= expiry { return end(.unauthorized, "the credentials have expired", &effects) }
        for each in running {
            guard let deadline = each.deadline, now >= deadline else { continue }
            effects.append(.cancel(each.id))
            abandoned[each.id] = Abandoned(each.work)
            _ = ended(each.id, .failed(Self.timeout), now: now, &effects) { _ in .serial }
        }
        acknowledge(&effects)
    }

    static let timeout = SocketFailure("timeout", "the command took too long")

    /// Sets the time until which the credentials are valid; nil for no limit.
    mutating func authenticated(until expiry: Duration?) { self.expiry = expiry }
}
#endif
