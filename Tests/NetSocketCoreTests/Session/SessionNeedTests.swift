import NetCore
import NetSocketCore
import Testing

/// A session that connects when something needs it.
struct SessionNeedTests {
    private static func harness(features: SocketWire.Features = SocketWire.json.features) -> SessionHarness {
        var settings = SessionMachine.Settings(features: features)
        settings.idleTimeout = .seconds(60)
        settings.heartbeatInterval = nil
        return SessionHarness(settings)
    }

    private static func started() -> SessionHarness {
        var harness = harness()
        harness.handle(.start)
        return harness
    }

    private static func opens(_ harness: inout SessionHarness) -> Bool {
        harness.connect()
        harness.makePayloads()
        return harness.states.last == "open"
    }

    @Test func itDoesNotConnectUntilSomethingNeedsIt() {
        var harness = Self.started()
        #expect(harness.connecting == nil)
        #expect(harness.states == [])
        #expect(harness.timers.isEmpty)
        let ticket = harness.request("a")
        #expect(harness.states == ["connecting"])
        #expect(Self.opens(&harness))
        harness.receive(.reply(WireReply(id: .number(ticket), .success(nil))))
        #expect(harness.isSettled(ticket, "success"))
    }

    @Test(arguments: ["request", "notification", "channel", "subscription"])
    func eachNeedConnects(need: String) {
        var harness = Self.started()
        let ticket = harness.machine.makeTicket()
        switch need {
        case "request": _ = harness.request("a")
        case "notification": _ = harness.request("a", wantsReply: false)
        case "channel": _ = harness.join("a")
        default: harness.handle(.subscribe(ticket, SocketPayload(json: "{}")))
        }
        #expect(harness.states == ["connecting"])
        #expect(harness.timers[.idle] == nil)
    }

    @Test func requestsQueuedBeforeTheStartOpenAConnection() {
        var harness = Self.harness()
        _ = harness.request("a")
        #expect(harness.connecting == nil)
        harness.handle(.start)
        #expect(harness.states == ["connecting"])
    }

    @Test func theConnectionIsClosedWhenNothingHasNeededItForAWhile() {
        var harness = Self.started()
        let ticket = harness.request("a")
        _ = Self.opens(&harness)
        #expect(harness.timers[.idle] == nil)
        harness.now = .seconds(10)
        harness.receive(.reply(WireReply(id: .number(ticket), .success(nil))))
        #expect(harness.timers[.idle] == .seconds(70))
        harness.passTimer()
        #expect(harness.states == ["connecting", "open", "idle"])
        #expect(harness.open == nil)
        #expect(harness.timers.isEmpty)
        _ = harness.request("b")
        #expect(harness.states.last == "connecting")
    }

    @Test func aUseWithoutAReplyPutsItOff() {
        var harness = Self.started()
        _ = harness.request("a", wantsReply: false)
        _ = Self.opens(&harness)
        harness.now = .seconds(30)
        _ = harness.request("a", wantsReply: false)
        harness.receive(.push(WirePush(event: "p")))
        #expect(harness.timers[.idle] == .seconds(90))
        // A deadline that has passed before it was postponed.
        harness.now = .seconds(60)
        harness.handle(.timer(.idle, SessionHarness.chance))
        #expect(harness.states.last == "open")
    }

    @Test func aChannelKeepsItAndLeavingItDoesNot() {
        var harness = Self.started()
        _ = harness.join("a")
        _ = Self.opens(&harness)
        harness.answerJoin("a")
        #expect(harness.timers[.idle] == nil)
        let ticket = harness.machine.makeTicket()
        harness.handle(.leave(ticket, topic: "a"))
        #expect(harness.timers[.idle] == nil)
        if let id = harness.leaveIDs["a"] { harness.receive(.left(id, topic: "a", nil)) }
        #expect(harness.timers.keys.elementsEqual([.idle]))
    }

    @Test func aWaitForTheNextAttemptEndsToo() {
        var harness = Self.started()
        let ticket = harness.request("a")
        if let connecting = harness.connecting {
            harness.handle(
                .connectFailed(
                    connecting, NetError(.connect, phase: .connecting, message: "refused"), SessionHarness.chance))
        }
        #expect(harness.states.last == "waiting")
        harness.handle(.cancel(ticket))
        harness.now = .seconds(60)
        harness.handle(.timer(.idle, SessionHarness.chance))
        #expect(harness.states.last == "idle")
        #expect(harness.timers[.reconnect] == nil)
    }

    @Test func aPauseHoldsWhatIsIdleToo() {
        var harness = Self.started()
        harness.handle(.pause)
        _ = harness.request("a")
        #expect(harness.states == ["suspended"])
        harness.handle(.resume)
        #expect(harness.states == ["suspended", "connecting"])
    }

    @Test func afterAPauseThatNothingNeedsItIsIdle() {
        var harness = Self.started()
        harness.handle(.pause)
        harness.handle(.resume)
        #expect(harness.states == ["suspended", "idle"])
        #expect(harness.connecting == nil)
    }

    @Test func closingEndsIt() {
        for needs in [true, false] {
            var harness = Self.started()
            if needs { _ = harness.request("a", wantsReply: false) }
            harness.connect()
            harness.handle(.close)
            #expect(harness.states.last == "closed")
            #expect(harness.timers.isEmpty)
            _ = harness.request("b")
            #expect(harness.connecting == nil)
        }
    }
}
