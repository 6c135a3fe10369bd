#if Server
internal import NetCore
internal import NetSocketCore

/// Sessions that number their messages.
extension ConnectionMachine {
    /// The session was found, or has begun: what is said from here on is numbered.
    mutating func resumed(
        _ delivery: DeliveryMachine, in topics: Set<String>, now: Duration, _ effects: inout [Effect],
        order: (WireRequest) -> Order
    ) {
        self.delivery = delivery
        self.topics.formUnion(topics)
        isResuming = false
        releaseHeld(now, &effects, order)
    }

    /// Numbers what a program says; nil if there is no room.
    mutating func number(_ signal: WireSignal) -> WireSignal? {
        guard delivery != nil, signal.isNumbered else { return signal }
        guard delivery?.hasRoom(for: signal.size) == true else { return nil }
        return delivery?.number(signal, bytes: signal.size)
    }

    /// What can't be written takes its number all the same.
    mutating func void(_ number: UInt64) { delivery?.void(number) }

    /// Gives the session to another connection.
    mutating func takeSession() -> (delivery: DeliveryMachine?, topics: Set<String>) {
        defer { (delivery, topics) = (nil, []) }
        return (delivery, topics)
    }

    /// Says what has arrived, if the client should know.
    mutating func acknowledge(_ effects: inout [Effect]) {
        guard phase != .over, let number = delivery?.takeAcknowledgment() else { return }
        effects.append(.send(.acknowledge(number)))
    }

    var mustAcknowledge: Bool { delivery?.mustAcknowledge ?? false }
}
#endif
