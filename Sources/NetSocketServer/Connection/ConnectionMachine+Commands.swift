#if Server
internal import NetCore
internal import NetSocketCore

/// Running work, and work that waits for its turn.
extension ConnectionMachine {
    mutating func requested(
        _ request: WireRequest, _ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order
    ) {
        if request.event == settings.authentication {
            isIdentifying = true
            start(.authentication(request), serial: false, now, &effects)
            return regulate(&effects)
        }
        enqueue(.command(request), order(request), now, &effects)
    }

    mutating func subscribing(
        _ id: SocketID, _ payload: SocketPayload, _ now: Duration, _ effects: inout [Effect]
    ) {
        let known = running.filter(\.work.isSubscription)
        if known.contains(where: { $0.work.id == id }) {
            return end(.subscriberExists, "Subscriber for \(id) already exists", &effects)
        }
        let bytes = known.reduce(payload.count) { $0 + $1.work.weight }
        guard known.count < settings.maximumSubscriptions, bytes <= settings.maximumCommandBytes else {
            let failure = SocketFailure(
                "too_many_subscriptions", "a connection can have at most \(settings.maximumSubscriptions) subscriptions"
            )
            return effects.append(.send(.completed(id, failure)))
        }
        start(.subscription(id, payload), serial: false, now, &effects)
    }

    mutating func enqueue(_ work: Work, _ order: Order, _ now: Duration, _ effects: inout [Effect]) {
        if mustWait(work, order) {
            guard waiting.count < settings.maximumWaiting else { return refuse(work, &effects) }
            lastID += 1
            waiting.append((lastID, work, order))
        } else {
            if refuseOutside(work, &effects) { return }
            start(work, serial: order == .serial, now, &effects)
        }
        regulate(&effects)
    }

    private func mustWait(_ work: Work, _ order: Order) -> Bool {
        // The common case: nothing is in the way.
        if waiting.isEmpty, running.isEmpty { return waitsForTurn && order == .serial }
        if let topic = work.topic, isJoining(topic) { return true }
        guard order == .serial else { return false }
        return waitsForTurn || running.contains(where: \.isSerial) || waiting.contains { $0.order == .serial }
    }

    private func refuse(_ work: Work, _ effects: inout [Effect]) {
        guard case .command(let request) = work else { return }
        let failure = SocketFailure("too_many_commands", "too many commands are waiting")
        if let reply = request.reply(.failed(failure)) { effects.append(.send(.reply(reply))) }
    }

    /// Stops reading while the limits on commands are exceeded, and resumes at half of them. Subscriptions don't
    /// count: they are long-lived.
    mutating func regulate(_ effects: inout [Effect]) {
        guard phase == .open else { return }
        var (count, bytes) = (waiting.count + abandoned.count, abandoned.values.reduce(0) { $0 + $1.weight })
        for each in running where !each.work.isSubscription {
            count += 1
            bytes += each.work.weight
        }
        for each in waiting { bytes += each.work.weight }
        if isIdentifying { (count, bytes) = (count + held.count, bytes + heldBytes) }
        let isFull = count >= settings.maximumCommands || bytes >= settings.maximumCommandBytes
        let isFree = count <= settings.maximumCommands / 2 && bytes <= settings.maximumCommandBytes / 2
        guard isReading ? isFull : isFree else { return }
        isReading.toggle()
        effects.append(.setReading(isReading))
    }

    /// Starts the waiting work that is no longer blocked, in order.
    mutating func startWaiting(_ now: Duration, _ effects: inout [Effect]) {
        var isBlocked = waitsForTurn || running.contains(where: \.isSerial)
        var index = 0
        while index < waiting.count {
            let (id, work, order) = waiting[index]
            let waitsForJoin = work.topic.map(isJoining) ?? false
            if order == .serial && isBlocked || waitsForJoin {
                if order == .serial { isBlocked = true }
                index += 1
                continue
            }
            waiting.remove(at: index)
            if refuseOutside(work, &effects) { continue }
            if order == .serial { isBlocked = true }
            run(id, work, serial: order == .serial, now, &effects)
        }
        regulate(&effects)
    }

    /// Starts waiting work, passes the turn to the connection that took over the session, and ends the draining after
    /// the last work.
    mutating func settle(_ now: Duration, _ effects: inout [Effect]) {
        guard phase != .over || keepsCommands else { return }
        startWaiting(now, &effects)
        passTurn(&effects)
        if phase == .draining, isIdle { effects.append(.drained) }
    }

    /// Refuses a command for a channel that the connection isn't in.
    func refuseOutside(_ work: Work, _ effects: inout [Effect]) -> Bool {
        guard settings.requiresJoin, case .command(let request) = work, let topic = request.topic,
            !topics.contains(topic)
        else { return false }
        let failure = SocketFailure("not_joined", "the connection is not in the channel of this command")
        if let id = request.id {
            effects.append(.send(.reply(WireReply(id: id, event: request.event, topic: topic, .failure(failure)))))
        }
        return true
    }

    mutating func start(_ work: Work, serial: Bool, _ now: Duration, _ effects: inout [Effect]) {
        lastID += 1
        run(lastID, work, serial: serial, now, &effects)
    }

    mutating func run(
        _ id: WorkID, _ work: Work, serial: Bool, _ now: Duration, _ effects: inout [Effect]
    ) {
        // Other signals wait for these.
        let timeout =
            work.isAuthentication || work.isAsk
            ? settings.commandTimeout ?? settings.openingTimeout : work.isSubscription ? nil : settings.commandTimeout
        running.append(Running(id: id, work: work, isSerial: serial, deadline: timeout.map { now + $0 }))
        if case .subscription(let id, _) = work { effects.append(.send(.subscribed(id))) }
        effects.append(.start(id, work))
    }

    mutating func cancel(_ id: SocketID, _ now: Duration, _ effects: inout [Effect]) {
        waiting.removeAll { $0.work.id == id }
        abandon({ $0.id == id && !$0.isJoin && !$0.isAuthentication }, &effects)
        settle(now, &effects)
    }

    /// Cancels work whose outcome isn't needed any more.
    mutating func abandon(_ condition: (Work) -> Bool, _ effects: inout [Effect]) {
        for each in running where condition(each.work) {
            effects.append(.cancel(each.id))
            abandoned[each.id] = Abandoned(each.work)
        }
        running.removeAll { condition($0.work) }
    }
}
#endif
