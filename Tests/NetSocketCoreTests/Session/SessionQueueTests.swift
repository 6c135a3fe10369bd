import NetCore
import Testing

@testable import NetSocketCore

/// The messages that wait for a connection, and the defaults of a session.
struct SessionQueueTests {
    private func entry(_ ticket: UInt64, _ event: String = "ab", _ payload: String? = nil) -> SessionQueue.Entry {
        SessionQueue.Entry(
            ticket: ticket,
            request: SessionMachine.Request(event, payload: payload.map { SocketPayload(json: $0) }))
    }

    private func tickets(_ queue: SessionQueue) -> [UInt64] { queue.entries.map(\.ticket) }

    /// Appends an entry; returns true if there was room.
    private func takes(_ queue: inout SessionQueue, _ entry: SessionQueue.Entry) -> Bool { queue.append(entry) }

    @Test func itIsBoundedByNumberAndByBytes() {
        for (count, bytes, fits) in [(3, 100, 3), (0, 100, 0), (100, 6, 3), (100, 5, 2), (100, 1, 0), (1, 2, 1)] {
            var queue = SessionQueue(maximumCount: count, maximumBytes: bytes)
            for ticket in UInt64(1)...5 { #expect(takes(&queue, entry(ticket)) == (ticket <= fits)) }
            #expect(queue.entries.count == fits)
            #expect(queue.bytes == 2 * fits)
        }
    }

    @Test func theSizeIsThatOfNameAndPayload() {
        #expect(entry(1, "ä", "[1]").bytes == 5)
        #expect(entry(1, "").bytes == 0)
        var queue = SessionQueue(maximumCount: 10, maximumBytes: 10)
        #expect(takes(&queue, entry(1, "ä", "[1]")))
        #expect(!takes(&queue, entry(2, "ab", "[10]")))
        #expect(takes(&queue, entry(3, "ab", "[1]")))
        #expect(!takes(&queue, entry(4, "a")))
        #expect(takes(&queue, entry(5, "")))
        #expect(queue.bytes == 10)
    }

    @Test func takenEntriesFreeTheirSpace() {
        var queue = SessionQueue(maximumCount: 4, maximumBytes: 8)
        for ticket in UInt64(1)...4 { _ = queue.append(entry(ticket)) }
        #expect(queue.take { $0.ticket > 9 }.isEmpty)
        #expect(queue.bytes == 8)
        #expect(queue.take { $0.ticket % 2 == 0 }.map(\.ticket) == [2, 4])
        #expect(tickets(queue) == [1, 3])
        #expect(queue.bytes == 4)
        #expect(takes(&queue, entry(5)))
        #expect(takes(&queue, entry(6)))
        #expect(!takes(&queue, entry(7)))
        #expect(queue.take { _ in true }.map(\.ticket) == [1, 3, 5, 6])
        #expect(queue.bytes == 0)
        #expect(queue.take { _ in true }.isEmpty)
    }

    @Test func prependedEntriesComeFirstDespiteTheLimits() {
        var queue = SessionQueue(maximumCount: 1, maximumBytes: 2)
        _ = queue.append(entry(3))
        queue.prepend([entry(1), entry(2)])
        #expect(tickets(queue) == [1, 2, 3])
        #expect(queue.bytes == 6)
        queue.prepend([])
        #expect(!takes(&queue, entry(4)))
    }

    // MARK: Defaults

    @Test func aSessionHasDefaults() {
        let settings = SessionMachine.Settings(features: [])
        #expect(settings.joinTimeout == .seconds(10))
        #expect(settings.probeTimeout == .seconds(5))
        #expect(settings.heartbeatInterval == .seconds(30))
        #expect(settings.idleTimeout == nil)
        #expect(settings.maximumQueueCount == 1000)
        #expect(settings.maximumQueueBytes == 1 << 20)
        #expect(settings.delivery == nil)
        let request = SessionMachine.Request("a")
        #expect(request.wantsReply)
        #expect(request.timeout == .seconds(30))
        #expect(request.offline == .queue)
        #expect(request.payload == nil)
        #expect(request.topic == nil)
    }

    @Test func statesTellWhetherTheyAreOpenOrOver() {
        let error = NetError(.timeout, phase: .waiting, message: "m")
        for (state, isOpen, isOver) in [
            (SocketSessionState.idle, false, false), (.connecting(attempt: 1), false, false), (.open, true, false),
            (.waiting(attempt: 1, wait: nil, error), false, false), (.suspended, false, false),
            (.failed(error), false, true), (.closed, false, true),
        ] {
            #expect(state.isOpen == isOpen)
            #expect(state.isOver == isOver)
        }
    }

    @Test func ticketsCountUp() {
        var machine = SessionMachine(SessionMachine.Settings(features: []))
        #expect((1...3).map { _ in machine.makeTicket() } == [1, 2, 3])
        #expect(machine.current == nil)
        #expect(machine.openConnection == nil)
        #expect(!machine.hasChannel("a"))
    }
}
