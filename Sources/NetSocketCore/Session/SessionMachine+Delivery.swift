internal import NetCore

/// At-least-once delivery: on each connection, both sides first agree on the messages that have arrived. The others
/// are sent again, in order, before anything else.
extension SessionMachine {
    static let undeliverable = NetError(
        .unsupported, phase: .preparing,
        message: "the wire protocol can't deliver at least once: it has no numbered messages; use another one, "
            + "such as SocketWire.numberedJSON, or don't set `delivery`")

    /// Handles the open wire: the session starts immediately, or resumes where it stopped.
    mutating func greeted(_ id: ConnectionID, _ now: Duration, _ effects: inout [Effect]) {
        guard let session = settings.delivery?.session, let resume = delivery?.resume(session: session) else {
            return open(id, now, &effects)
        }
        phase = .opening(id)
        isResuming = true
        effects += [
            .setTimer(.opening, now + settings.joinTimeout),
            .send(id, .resume(resume)),
        ]
    }

    mutating func resumed(
        _ resumed: WireResumed, _ id: ConnectionID, _ now: Duration, _ effects: inout [Effect]
    ) {
        guard case .opening(id) = phase, isResuming else { return }
        isResuming = false
        effects.append(.clearTimer(.opening))
        let agreement: DeliveryMachine.Agreement
        do throws(NetError) { agreement = try delivery?.resumed(resumed) ?? .init() } catch {
            return violated(id, error, &effects)
        }
        if !agreement.isNew {
            for ticket in pending.keys { pending[ticket]?.connection = id }
        } else {
            // Requests that the server has already acknowledged won't get a reply any more, either.
            for connection in Set(pending.values.map(\.connection)) {
                abandonRequests(of: connection, Self.forgotten, &effects)
            }
            tell(undelivered: agreement.lost, &effects)
        }
        for signal in agreement.again { effects.append(.send(id, signal)) }
        open(id, now, &effects)
    }

    static let forgotten = NetError(
        .connectionLost, phase: .receiving, message: "the server no longer knows this session")

    /// Reports unacknowledged messages, which aren't sent again, except those that were put back into the queue.
    func tell(undelivered signals: [WireSignal], _ effects: inout [Effect]) {
        let lost = signals.compactMap { signal -> WireRequest? in
            guard case .request(let request) = signal else { return nil }
            return queue.entries.contains { $0.ticket == request.id?.ticket } ? nil : request
        }
        if !lost.isEmpty { effects.append(.tell(.undelivered(lost))) }
    }

    // MARK: Messages

    /// Replaces an unencodable message's number with an empty message, which makes room for others.
    mutating func unwritable(_ number: UInt64, _ now: Duration, _ effects: inout [Effect]) {
        delivery?.void(number)
        flush(now, &effects)
    }

    /// Returns true if a message may be sent now: there is room for it, and no earlier message is waiting.
    func hasRoom(for entry: SessionQueue.Entry) -> Bool {
        guard let delivery else { return true }
        return delivery.hasRoom(for: entry.bytes) && !queue.entries.contains { isReady($0.request) }
    }

    mutating func numbered(
        _ number: UInt64, _ signal: WireSignal, _ id: ConnectionID, _ now: Duration, _ effects: inout [Effect]
    ) {
        guard openConnection == id, delivery != nil else { return }
        do throws(NetError) {
            let isNew = try delivery?.receive(number) == true
            if delivery?.mustAcknowledge == true {
                acknowledge(&effects)
            } else if let delay = settings.delivery?.limits.acknowledgmentDelay, !waitsToAcknowledge {
                waitsToAcknowledge = true
                effects.append(.setTimer(.acknowledgment, now + delay))
            }
            if isNew { received(id, signal, now, &effects) }
        } catch {
            violated(id, error, &effects)
        }
    }

    mutating func acknowledge(_ effects: inout [Effect]) {
        if waitsToAcknowledge { effects.append(.clearTimer(.acknowledgment)) }
        waitsToAcknowledge = false
        guard let openConnection, let number = delivery?.takeAcknowledgment() else { return }
        effects.append(.send(openConnection, .acknowledge(number)))
    }

    mutating func acknowledged(_ number: UInt64, _ id: ConnectionID, _ now: Duration, _ effects: inout [Effect]) {
        guard openConnection == id, delivery != nil else { return }
        do throws(NetError) { try delivery?.acknowledge(upTo: number) } catch {
            return violated(id, error, &effects)
        }
        flush(now, &effects)
    }

    /// Ends the session: a server that counts wrongly would lose messages.
    private mutating func violated(_ id: ConnectionID, _ error: NetError, _ effects: inout [Effect]) {
        effects.append(.close(id, .protocolError))
        fail(id, error, &effects)
    }
}
