#if Server
internal import NetCore
internal import NetSocketCore

/// Work that runs, and work that waits for its turn.
extension ConnectionMachine {
    mutating func requested(
        _ request: WireRequest, _ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order
    ) {
        if request.event == settings.authentication {
            return start(.authentication(request), serial: false, now, &effects)
        }
        enqueue(.command(request), order(request), now, &effects)
    }

    mutating func subscribing(
        _ id: SocketID, _ payload: SocketPayload, _ now: Duration, _ effects: inout [Effect]
    ) {
        let isKnown =
            running.contains { $0.work.id == id && $0.work.isSubscription }
            || waiting.contains { $0.work.id == id && $0.work.isSubscription }
        if isKnown {
            return end(.subscriberExists, "Subscriber for \(id) already exists", &effects)
        }
        enqueue(.subscription(id, payload), .concurrent, now, &effects)
    }

    mutating func enqueue(_ work: Work, _ order: Order, _ now: Duration, _ effects: inout [Effect]) {
        // The common case: nothing is in the way.
        if waiting.isEmpty, running.isEmpty, !waitsForTurn {
            if refuseOutside(work, &effects) { return }
            return start(work, serial: order == .serial, now, &effects)
        }
        lastID += 1
        waiting.append((lastID, work, order))
        startWaiting(now, &effects)
        if isReading, running.count + waiting.count >= settings.maximumCommands {
            isReading = false
            effects.append(.setReading(false))
        }
    }

    /// Starts what waits and needn't any more, in order.
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
        if !isReading, phase == .open, running.count + waiting.count <= settings.maximumCommands / 2 {
            isReading = true
            effects.append(.setReading(true))
        }
    }

    /// Refuses a command to a channel that the connection isn't in.
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
        let timeout = work.isSubscription ? nil : settings.commandTimeout
        running.append(Running(id: id, work: work, isSerial: serial, deadline: timeout.map { now + $0 }))
        if case .subscription(let id, _) = work { effects.append(.send(.subscribed(id))) }
        effects.append(.start(id, work))
    }

    mutating func cancel(_ id: SocketID, _ effects: inout [Effect]) {
        waiting.removeAll { $0.work.id == id && !$0.work.isJoin }
        for each in running where each.work.id == id && !each.work.isJoin { effects.append(.cancel(each.id)) }
        running.removeAll { $0.work.id == id && !$0.work.isJoin }
    }
}
#endif
