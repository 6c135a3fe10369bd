package import NetCore

/// What either end of a session knows about the delivery of messages: numbers what it sends, keeps it until it is
/// acknowledged, and tells what is new from what has been seen. Pure; the same at both ends.
///
/// Numbers begin at 1 and are those of the session, not of a connection. An acknowledgment is cumulative: it covers its number
/// and all before it. No number ever goes back.
package struct DeliveryMachine: Sendable, Hashable {
    /// A message that was sent and isn't acknowledged.
    package struct Entry: Sendable, Hashable {
        package var number: UInt64
        package var signal: WireSignal
        package var bytes: Int
    }

    /// What follows from the agreement at the beginning of a connection.
    package struct Agreement: Sendable, Hashable {
        /// What is sent again, in order and before anything else.
        package var again: [WireSignal] = []
        /// What was sent, was not acknowledged, and is never sent again; in order.
        package var lost: [WireSignal] = []
        /// Both ends count from 1 again.
        package var isNew = false

        package init(again: [WireSignal] = [], lost: [WireSignal] = [], isNew: Bool = false) {
            self.again = again
            self.lost = lost
            self.isNew = isNew
        }
    }

    package let limits: SocketDelivery
    /// The life of the session at the server in which the numbers count; nil before the first connection. A server that was
    /// started again begins another one.
    package private(set) var epoch: String?
    /// In the order of their numbers, without a hole. Those before `head` are acknowledged.
    private var entries: [Entry] = []
    private var head = 0
    package private(set) var bytes = 0
    /// The number of the last message that was sent.
    package private(set) var lastSent: UInt64 = 0
    /// The number up to which the peer has everything, as far as it has said so.
    package private(set) var acknowledged: UInt64 = 0
    /// The number up to which everything has arrived.
    package private(set) var received: UInt64 = 0
    /// The number that the peer was told last.
    package private(set) var reported: UInt64 = 0
    /// A message has come again: the peer doesn't know that it has arrived.
    private var mustRepeat = false

    package init(_ limits: SocketDelivery) {
        self.limits = limits
    }

    /// What was sent and isn't acknowledged, in order.
    package var unacknowledged: ArraySlice<Entry> { entries[head...] }

    // MARK: Sending

    /// Whether a message of that size may be sent now.
    package func hasRoom(for size: Int) -> Bool {
        let count = entries.count - head
        return count == 0 || count < limits.maximumCount && bytes + size <= limits.maximumBytes
    }

    /// Numbers a message and keeps it. Ask ``hasRoom(for:)`` first.
    package mutating func number(_ signal: WireSignal, bytes size: Int) -> WireSignal {
        lastSent += 1
        entries.append(Entry(number: lastSent, signal: signal, bytes: size))
        bytes += size
        return .numbered(lastSent, signal)
    }

    /// The message could not be written and never will be: something without meaning takes its number.
    package mutating func void(_ number: UInt64) {
        guard let index = entries.indices.first(where: { $0 >= head && entries[$0].number == number }) else { return }
        bytes -= entries[index].bytes
        entries[index].signal = .alive(nil)
        entries[index].bytes = 0
    }

    /// The peer has everything up to a number. Throws `.protocolViolation` for a number that was never sent.
    package mutating func acknowledge(upTo number: UInt64) throws(NetError) {
        guard number <= lastSent else {
            throw Self.violation("it acknowledges message \(number), but only \(lastSent) have been sent")
        }
        // An older acknowledgment can't take back a newer one.
        guard number > acknowledged else { return }
        drop(upTo: number)
    }

    /// The peer has answered a message of this epoch.
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

    /// Takes the number of a message that has arrived. Returns false for one that has been seen. Throws `.protocolViolation`
    /// if one before it is missing: on one connection nothing gets lost.
    package mutating func receive(_ number: UInt64) throws(NetError) -> Bool {
        guard number > received else {
            mustRepeat = true
            return false
        }
        guard number == received + 1 else {
            throw Self.violation("message \(number) has arrived after \(received)")
        }
        received = number
        return true
    }

    /// Whether the peer should be told soon what has arrived.
    package var owesAcknowledgment: Bool { received > reported || mustRepeat }

    /// Whether it should be told at once.
    package var mustAcknowledge: Bool { received - reported >= UInt64(max(limits.acknowledgmentCount, 1)) }

    /// The number to tell the peer; nil if it knows.
    package mutating func takeAcknowledgment() -> UInt64? {
        guard owesAcknowledgment else { return nil }
        mustRepeat = false
        reported = received
        return received
    }

    // MARK: Connections

    /// Client: what to say first on a new connection.
    package mutating func resume(session: String) -> WireResume {
        noteReported()
        return WireResume(session: session, epoch: epoch, received: received)
    }

    /// Client: goes on with what the server has answered. Throws `.protocolViolation` if that can't be true.
    package mutating func resumed(_ answer: WireResumed) throws(NetError) -> Agreement {
        if answer.epoch == epoch {
            if let again = goOn(peerReceived: answer.received) { return Agreement(again: again) }
            throw Self.violation(
                "it says that it has received \(answer.received) messages of \(lastSent), after it has acknowledged "
                    + "\(acknowledged)")
        }
        let lost = reset()
        epoch = answer.epoch
        return Agreement(lost: lost, isNew: true)
    }

    /// Server: the answer to a client that goes on with the session, or begins it.
    ///
    /// - Parameter next: The name of another epoch, if one begins. No other epoch of any session may have it.
    package mutating func accept(
        _ resume: WireResume, next: @autoclosure () -> String
    ) -> (answer: WireResumed, agreement: Agreement) {
        if let epoch {
            // A client that never learned of this epoch has received nothing in it. If it has acknowledged something, it is
            // another client, or has forgotten.
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

    /// Goes on after a connection. Returns nil if the peer no longer knows what it has acknowledged, or never was sent what it
    /// says to have.
    private mutating func goOn(peerReceived: UInt64) -> [WireSignal]? {
        guard peerReceived >= acknowledged, peerReceived <= lastSent else { return nil }
        drop(upTo: peerReceived)
        return unacknowledged.map { .numbered($0.number, $0.signal) }
    }

    /// Begins anew. Returns what was not acknowledged, in order.
    package mutating func reset() -> [WireSignal] {
        let lost = unacknowledged.map(\.signal)
        self = DeliveryMachine(limits)
        return lost
    }

    private static func violation(_ problem: String) -> NetError {
        NetError(
            .protocolViolation, phase: .receiving, message: "the peer breaks the rules of numbered messages: \(problem)"
        )
    }
}
