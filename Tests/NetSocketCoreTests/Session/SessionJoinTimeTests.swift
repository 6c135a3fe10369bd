import NetCore
import NetSocketCore
import Testing

/// The time limit of a join, which includes the wait for a connection.
struct SessionJoinTimeTests {
    private static func harness() -> SessionHarness {
        var settings = SessionMachine.Settings(features: SocketWire.json.features)
        settings.joinTimeout = .seconds(3)
        return SessionHarness(settings)
    }

    @Test func `A join that finds no connection ends at its time limit and isn't made later`() {
        var harness = Self.harness()
        harness.handle(.start)
        let join = harness.join("room")
        #expect(harness.timers[.request(join)] == .seconds(3))
        harness.pass(.request(join))
        #expect(harness.isSettled(join, "timedOut(3.0 seconds, mayHaveArrived: false)"))
        #expect(!harness.machine.hasChannel("room"))
        harness.connect()
        harness.makePayloads()
        #expect(harness.joinIDs["room"] == nil)
        #expect(harness.faults == [])
    }

    @Test func `The time of a join begins with the call, not with the connection`() {
        var harness = Self.harness()
        harness.handle(.start)
        let join = harness.join("room")
        harness.now = .seconds(2)
        harness.connect()
        harness.makePayloads()
        #expect(harness.joinIDs["room"] != nil)
        #expect(harness.timers[.request(join)] == .seconds(3))
        harness.pass(.request(join))
        #expect(harness.isSettled(join, "timedOut(3.0 seconds, mayHaveArrived: true)"))
        #expect(!harness.machine.hasChannel("room"))
        // The server may accept it later; it must not keep a member that nobody knows of.
        #expect(harness.leaveIDs["room"] != nil)
        #expect(harness.timers[.join(topic: "room")] == nil)
    }

    @Test func `A payload that is never made doesn't keep its join`() {
        var harness = Self.harness()
        harness.handle(.start)
        harness.connect()
        let join = harness.join("room")
        harness.pass(.request(join))
        #expect(harness.isSettled(join, "timedOut"))
        harness.makePayloads()
        #expect(harness.joinIDs["room"] == nil)
    }

    @Test func `Each caller has its own time, and the last one takes the join along`() {
        var harness = Self.harness()
        harness.handle(.start)
        let first = harness.join("room")
        harness.now = .seconds(2)
        let second = harness.join("room")
        harness.pass(.request(first))
        #expect(harness.isSettled(first, "timedOut"))
        #expect(harness.settled[second] == nil)
        #expect(harness.machine.hasChannel("room"))
        harness.pass(.request(second))
        #expect(harness.isSettled(second, "timedOut"))
        #expect(!harness.machine.hasChannel("room"))
    }

    @Test func `A channel that was joined before is still joined again when a caller's time is over`() {
        var harness = Self.harness()
        harness.handle(.start)
        harness.connect()
        _ = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room")
        harness.lose()
        let again = harness.join("room")
        harness.pass(.request(again))
        #expect(harness.isSettled(again, "timedOut"))
        #expect(harness.machine.hasChannel("room"))
        harness.handle(.resume)
        harness.connect()
        let old = harness.joinIDs["room"]
        harness.makePayloads()
        #expect(harness.joinIDs["room"] != old)
    }

    @Test func `A join that has ended needs no timer`() {
        var harness = Self.harness()
        harness.handle(.start)
        harness.connect()
        let accepted = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room")
        let cancelled = harness.join("other")
        harness.handle(.cancel(cancelled))
        let left = harness.join("third")
        harness.handle(.leave(harness.machine.makeTicket(), topic: "third"))
        let closed = harness.join("fourth")
        harness.handle(.close)
        #expect(harness.isSettled(closed, "closed"))
        for ticket in [accepted, cancelled, left, closed] { #expect(harness.timers[.request(ticket)] == nil) }
    }
}
