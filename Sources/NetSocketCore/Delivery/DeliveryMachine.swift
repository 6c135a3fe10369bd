package import NetCore

/// The delivery state of one end of a session: numbers sent messages, keeps them until they are acknowledged, and
/// detects duplicates of received ones. Pure; the same at both ends.
///
/// Numbers start at 1 and belong to the session, not to a connection. An acknowledgment is cumulative: it covers its
/// number and all earlier ones. Numbers never decrease.
package struct DeliveryMachine: Sendable, Hashable {
    /// A message that was sent and hasn't been acknowledged.
    package struct Entry: Sendable, Hashable {
        package var number: UInt64
        package var signal: WireSignal
        package var bytes: Int
    }

    /// The agreement at the start of a connection.
    package struct Agreement: Sendable, Hashable {
        /// The messages to send again, in order and before anything else.
        package var again: [WireSignal] = []
        /// The messages that were sent, not acknowledged, and won't be sent again; in order.
        package var lost: [WireSignal] = []
        /// True if both ends count from 1 again.
        package var isNew = false

        package init(again: [WireSignal] = [], lost: [WireSignal] = [], isNew: Bool = false) {
            self.again = again
            self.lost = lost
            self.isNew = isNew
        }
    }

    package let limits: SocketDelivery
    /// The epoch of the session on the server, within which the numbers are valid; nil before the first connection. A
    /// restarted server starts a new epoch.
    package private(set) var epoch: String?
    /// The messages in the order of their numbers, without gaps. Those before `head` are acknowledged.
    private var entries: [Entry] = []
    private var head = 0
    package private(set) var bytes = 0
    /// The number of the last message that was sent.
    package private(set) var lastSent: UInt64 = 0
    /// The number up to which the peer has acknowledged all messages.
    package private(set) var acknowledged: UInt64 = 0
    /// The number up to which all messages have arrived.
    package private(set) var received: UInt64 = 0
    /// The number last acknowledged to the peer.
    package private(set) var reported: UInt64 = 0
    /// True if a message was received again: the peer doesn't know that it has arrived.
    private var mustRepeat = false

    package init(_ limits: SocketDelivery) {
        self.limits = limits
    }

    /// The messages that were sent and haven't been acknowledged, in order.
    package var unacknowledged: ArraySlice<Entry> { entries[head...] }

    // MARK: Sending

    /// Returns true if a message of a size may be sent now.
    package func hasRoom(for size: Int) -> Bool {
        let count = entries.count - head
        return count == 0 || count < limits.maximumCount && bytes + size <= limits.maximumBytes
    }

    /// Numbers a message and keeps it. Check ``hasRoom(for:)`` first.
    package mutating func number(_ signal: WireSignal, bytes size: Int) -> WireSignal {
        lastSent += 1
        entries.append(Entry(number: lastSent, signal: signal, bytes: size))
        bytes += size
        return .numbered(lastSent, signal)
    }

    /// Replaces a message that can't be encoded with an empty one that keeps its number.
    package mutating func void(_ number: UInt64) {
        guard let index = entries.indices.first(where: { $0 >= head && entries[$0].number == number }) else { return }
        bytes -= entries[index].bytes
        entries[index].signal = .alive(nil)
        entries[index].bytes = 0
    }

    /// Handles an acknowledgment of all messages up to a number. Throws `.protocolViolation` for a number that was
    /// never sent.
    package mutating func acknowledge(upTo number: UInt64) throws(NetError) {
        guard number <= lastSent else {
            throw Self.violation("it acknowledges message \(number), but only \(lastSent) have been sent")
        }
        // An older acknowledgment can't revoke a newer one.
        guard number > acknowledged else { return }
        drop(upTo: number)
    }

    /// Handles the reply to a message of this epoch, which therefore has arrived.
    package mutating func conclude(arrivalOf number: UInt64) {
        if number > acknowledged, number <= lastSent { drop(upTo: number) }
    }

    private mutating func drop(upTo number: UInt64) {
        acknowledged = number
        while head < entries.count, entries[head].number <= number {
            bytes -= entries[head].bytes
            head += 1
        }
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head > entries.count / 2 {
            entries.removeFirst(head)
            head = 0
        }
    }

    // MARK: Receiving

    /// Handles the number of a message that has arrived. Returns false for a duplicate. Throws `.protocolViolation` if
    /// an earlier message is missing: within one connection, no message gets lost.
    package mutating func receive(_ number: UInt64) throws(NetError) -> Bool {
        guard number > received else {
            mustRepeat = true
            return false
        }
        guard number == received + 1 else {
            throw Self.violation("message \(number) arrived after \(received)")
        }
        received = number
        return true
    }

    /// True if the peer should receive an acknowledgment soon.
    package var owesAcknowledgment: Bool { received > reported || mustRepeat }

    /// True if the peer should receive an acknowledgment immediately.
    package var mustAcknowledge: Bool { received - reported >= UInt64(max(limits.acknowledgmentCount, 1)) }

    /// Returns the number to acknowledge; nil if the peer already knows it.
    package mutating func takeAcknowledgment() -> UInt64? {
        guard owesAcknowledgment else { return nil }
        mustRepeat = false
        reported = received
        return received
    }

    // MARK: Connections

    /// Client: returns the first message of a new connection.
    package mutating func resume(session: String) -> WireResume {
        noteReported()
        return WireResume(session: session, epoch: epoch, received: received)
    }

    /// Client: handles the server's response. Throws `.protocolViolation` if the response is impossible.
    package mutating func resumed(_ answer: WireResumed) throws(NetError) -> Agreement {
        if answer.epoch == epoch {
            if let again = goOn(peerReceived: answer.received) { return Agreement(again: again) }
            throw Self.violation(
                "it reports \(answer.received) received messages, but \(lastSent) were sent and \(acknowledged) were "
                    + "already acknowledged")
        }
        let lost = reset()
        epoch = answer.epoch
        return Agreement(lost: lost, isNew: true)
    }

    /// Server: returns the response to a client that resumes the session or starts it.
    ///
    /// - Parameter next: The name of a new epoch, if one starts. It must be unique among all epochs of all sessions.
    package mutating func accept(
        _ resume: WireResume, next: @autoclosure () -> String
    ) -> (answer: WireResumed, agreement: Agreement) {
        if let epoch {
            // A client that never learned of this epoch has received nothing in it. If it has acknowledged a message,
            // it is another client, or has lost its state.
            let peerReceived = resume.epoch == epoch ? resume.received : 0
            let isKnown = resume.epoch == epoch || received == 0
            if isKnown, let again = goOn(peerReceived: peerReceived) {
                noteReported()
                return (WireResumed(epoch: epoch, received: received), Agreement(again: again))
            }
        }
        let lost = reset()
        let next = next()
        epoch = next
        return (WireResumed(epoch: next, received: 0), Agreement(lost: lost, isNew: true))
    }

    private mutating func noteReported() {
        mustRepeat = false
        reported = received
    }

    /// Resumes after a connection. Returns nil if the peer has forgotten what it acknowledged, or claims to have
    /// received messages that were never sent.
    private mutating func goOn(peerReceived: UInt64) -> [WireSignal]? {
        guard peerReceived >= acknowledged, peerReceived <= lastSent else { return nil }
        drop(upTo: peerReceived)
        return unacknowledged.map { .numbered($0.number, $0.signal) }
    }

    /// Starts over. Returns the unacknowledged messages, in order.
    package mutating func reset() -> [WireSignal] {
        let lost = unacknowledged.map(\.signal)
        self = DeliveryMachine(limits)
        return lost
    }

    private static func violation(_ problem: String) -> NetError {
        NetError(
            .protocolViolation, phase: .receiving,
            message: "the peer violates the rules of numbered messages: \(problem)"
        )
    }
}
