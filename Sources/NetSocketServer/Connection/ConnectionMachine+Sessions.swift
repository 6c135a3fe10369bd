#if Server
internal import NetCore
internal import NetSocketCore

/// Sessions that number their messages.
extension ConnectionMachine {
    /// A session on its way from one connection to another.
    struct Session: Sendable {
        /// nil for a session that begins.
        var delivery: DeliveryMachine?
        var topics: Set<String> = []
        /// The commands that have arrived and weren't started.
        var waiting: [(work: Work, order: Order)] = []
        /// Commands before those still run where the session was.
        var isBusy = false
    }

    /// The session was found, or has begun: what is said from here on is numbered.
    mutating func resumed(
        _ session: Session, _ delivery: DeliveryMachine, now: Duration, _ effects: inout [Effect],
        order: (WireRequest) -> Order
    ) {
        self.delivery = delivery
        topics.formUnion(session.topics)
        isResuming = false
        keepsCommands = true
        if session.isBusy { waitsForTurn = true }
        // What has arrived on the connection before comes first.
        let former = session.waiting.map { each in
            lastID += 1
            return (id: lastID, work: each.work, order: each.order)
        }
        waiting.insert(contentsOf: former, at: 0)
        startWaiting(now, &effects)
        releaseHeld(now, &effects, order)
    }

    /// The commands on the connection before this one have ended.
    mutating func turnCame(_ now: Duration, _ effects: inout [Effect]) {
        waitsForTurn = false
        settle(now, &effects)
    }

    mutating func passTurn(_ effects: inout [Effect]) {
        guard owesTurn, !isBusy else { return }
        owesTurn = false
        effects.append(.passTurn)
    }

    private var isBusy: Bool { waitsForTurn || running.contains { $0.isSerial && $0.work.isCommand } }

    /// Numbers what a program says; nil if there is no room.
    mutating func number(_ signal: WireSignal) -> WireSignal? {
        guard delivery != nil, signal.isNumbered else { return signal }
        guard delivery?.hasRoom(for: signal.size) == true else { return nil }
        return delivery?.number(signal, bytes: signal.size)
    }

    /// What can't be written takes its number all the same.
    mutating func void(_ number: UInt64) { delivery?.void(number) }

    /// Gives the session to another connection. Commands that run go on here, and their replies go there.
    mutating func takeSession() -> Session {
        let commands = waiting.filter(\.work.isCommand).map { (work: $0.work, order: $0.order) }
        let session = Session(delivery: delivery, topics: topics, waiting: commands, isBusy: isBusy)
        (delivery, topics, owesTurn) = (nil, [], session.isBusy)
        waiting.removeAll { $0.work.isCommand }
        return session
    }

    /// Ends the session. Returns the channels that it was in.
    mutating func forgetSession(_ effects: inout [Effect]) -> Set<String> {
        defer { (delivery, topics, keepsCommands) = (nil, [], false) }
        if phase == .over { cancelWork(&effects) { _ in true } }
        return topics
    }

    /// Says what has arrived, if the client should know.
    mutating func acknowledge(_ effects: inout [Effect]) {
        guard phase != .over, let number = delivery?.takeAcknowledgment() else { return }
        effects.append(.send(.acknowledge(number)))
    }

    var mustAcknowledge: Bool { delivery?.mustAcknowledge ?? false }
}
#endif
