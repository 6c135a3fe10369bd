#if Server
internal import NetCore
internal import NetSocketCore

/// Sessions that number their messages.
extension ConnectionMachine {
    /// A session that moves from one connection to another.
    struct Session: Sendable {
        /// nil for a new session.
        var delivery: DeliveryMachine?
        var topics: Set<String> = []
        /// The commands that have been received but not started.
        var waiting: [(work: Work, order: Order)] = []
        /// True if earlier commands are still running on the previous connection.
        var isBusy = false
    }

    /// Handles a session that was found or created: signals are numbered from here on.
    mutating func resumed(
        _ session: Session, _ delivery: DeliveryMachine, now: Duration, _ effects: inout [Effect],
        order: (WireRequest) -> Order
    ) {
        self.delivery = delivery
        topics.formUnion(session.topics)
        isResuming = false
        keepsCommands = true
        if session.isBusy { waitsForTurn = true }
        // The commands that arrived on the previous connection come first.
        let former = session.waiting.map { each in
            lastID += 1
            return (id: lastID, work: each.work, order: each.order)
        }
        waiting.insert(contentsOf: former, at: 0)
        startWaiting(now, &effects)
        releaseHeld(now, &effects, order)
    }

    /// Handles the end of the commands on the previous connection.
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

    /// Numbers a signal that the program sends; nil if there is no room for it.
    mutating func number(_ signal: WireSignal) -> WireSignal? {
        guard delivery != nil, signal.isNumbered else { return signal }
        guard delivery?.hasRoom(for: signal.size) == true else { return nil }
        return delivery?.number(signal, bytes: signal.size)
    }

    /// A message that can't be encoded still uses its number.
    mutating func void(_ number: UInt64) { delivery?.void(number) }

    /// Hands the session over to another connection. Running commands continue here, and their replies go there.
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

    /// Acknowledges the messages received so far if an acknowledgment is due.
    mutating func acknowledge(_ effects: inout [Effect]) {
        guard phase != .over, let number = delivery?.takeAcknowledgment() else { return }
        effects.append(.send(.acknowledge(number)))
    }

    var mustAcknowledge: Bool { delivery?.mustAcknowledge ?? false }
}
#endif
