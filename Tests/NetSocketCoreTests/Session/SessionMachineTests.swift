import NetCore
import NetSocketCore
import NetTesting
import Testing

struct SessionMachineTests {
    static func harness(
        features: SocketWire.Features = SocketWire.json.features, policy: ReconnectPolicy = ReconnectPolicy()
    ) -> SessionHarness {
        var settings = SessionMachine.Settings(features: features)
        settings.policy = policy
        settings.maximumQueueCount = 3
        return SessionHarness(settings)
    }

    static func open() -> SessionHarness {
        var harness = harness()
        harness.handle(.start)
        harness.connect()
        _ = harness.take()
        return harness
    }

    // MARK: Connecting

    @Test func itConnectsWaitsAndConnectsAgain() {
        var harness = Self.harness()
        harness.handle(.start)
        harness.connect()
        harness.lose()
        harness.passTimer()
        harness.connect()
        #expect(harness.states == ["connecting", "open", "waiting", "connecting", "open"])
        #expect(harness.now == .milliseconds(500))
    }

    @Test(arguments: [
        (UInt16(1000), "failed"), (1008, "failed"), (4000, "failed"), (1001, "waiting"), (1012, "waiting"),
    ])
    func theCodeOfTheCloseDecides(code: UInt16, state: String) {
        var harness = Self.open()
        harness.lose(closure: code)
        #expect(harness.states.last == state)
    }

    @Test func aRefusedCredentialIsRenewedOnceInARow() {
        var harness = Self.harness(policy: ReconnectPolicy())
        harness.handle(.start)
        harness.connect()
        _ = harness.take()
        harness.lose(closure: 4401)
        let renewals = harness.take().filter {
            if case .connect(_, _, needsNewCredential: true) = $0 { true } else { false }
        }
        #expect(renewals.count == 1)
        let refused = NetError(
            .unacceptableStatus, phase: .validating, message: "401",
            response: .init(head: ResponseHead(status: .unauthorized), body: Bytes()))
        if let connecting = harness.connecting {
            harness.handle(.connectFailed(connecting, refused, SessionHarness.chance))
        }
        #expect(harness.states.last == "failed")
    }

    /// A connection that was open for long enough has proved the new credential, regardless of its end.
    @Test func afterAPauseACredentialMayBeRenewedAnew() {
        var harness = Self.open()
        harness.lose(closure: 4401)
        harness.connect()
        harness.now += .seconds(10)
        harness.handle(.pause)
        harness.handle(.resume)
        harness.connect()
        harness.lose(closure: 4401)
        #expect(harness.states.last == "connecting")
    }

    @Test func aCredentialThatIsRefusedAgainAndAgainEndsTheSession() {
        var harness = Self.harness()
        harness.handle(.start)
        for _ in 0..<2 {
            harness.connect()
            harness.lose(closure: 4401)
        }
        #expect(harness.states == ["connecting", "open", "connecting", "open", "failed"])
    }

    @Test func theServerMayEndTheWireUntilTheNextConnectionOrForGood() {
        for (mayReconnect, state) in [(true, "waiting"), (false, "failed")] {
            var harness = Self.open()
            let ticket = harness.request("a")
            if let open = harness.open {
                harness.handle(
                    .wireEnded(open, WireEnd(SocketFailure("3000"), mayReconnect: mayReconnect), SessionHarness.chance))
            }
            #expect(harness.states.last == state)
            #expect(harness.isSettled(ticket, "mayHaveArrived: true"))
        }
    }

    @Test func failuresCountUntilAConnectionWasStable() {
        var harness = Self.harness(policy: ReconnectPolicy(maximumAttempts: 2))
        harness.handle(.start)
        for _ in 0..<5 {
            harness.connect()
            harness.now += .seconds(10)
            harness.lose()
            harness.passTimer()
        }
        harness.connect()
        harness.lose()
        harness.passTimer()
        harness.connect()
        harness.lose()
        harness.passTimer()
        harness.connect()
        harness.lose()
        #expect(harness.states.last == "failed")
    }

    /// Sockit and Simorgh reconnect after they were closed.
    @Test func closingWinsOverAWaitForTheNextAttempt() {
        var harness = Self.open()
        harness.lose()
        harness.handle(.close)
        #expect(harness.timers.isEmpty)
        harness.handle(.timer(.reconnect, SessionHarness.chance))
        harness.handle(.reconnect)
        harness.handle(.resume)
        harness.handle(.start)
        #expect(harness.states.last == "closed")
        #expect(harness.connecting == nil)
        #expect(harness.faults == [])
    }

    @Test func aConnectionThatComesTooLateIsClosed() {
        var harness = Self.harness()
        harness.handle(.start)
        let late = harness.connecting
        harness.handle(.pause)
        harness.handle(.resume)
        _ = harness.take()
        if let late { harness.handle(.connected(late)) }
        #expect(harness.take().contains { if case .close(late, .goingAway) = $0 { true } else { false } })
        harness.connect()
        #expect(harness.states.last == "open")
    }

    @Test func theWireIsOpenedBeforeAnythingElse() {
        var harness = Self.harness(features: [.opening, .subscriptions])
        harness.handle(.start)
        let ticket = harness.machine.makeTicket()
        harness.handle(.subscribe(ticket, SocketPayload(json: "{}")))
        harness.connect()
        #expect(harness.sent == [])
        harness.makePayloads()
        #expect(harness.sent == [.open(nil)])
        harness.receive(.opened(WireOpened()))
        #expect(harness.sent == [.open(nil), .subscribe(.number(ticket), SocketPayload(json: "{}"))])
        #expect(harness.states == ["connecting", "open"])
    }

    @Test func aServerThatNeverOpensTheWireIsLeft() {
        var harness = Self.harness(features: [.opening])
        harness.handle(.start)
        harness.connect()
        harness.makePayloads()
        harness.passTimer()
        #expect(harness.states == ["connecting", "waiting"])
        #expect(harness.open == nil)
    }

    @Test func aServerThatIsSilentBetweenTwoHeartbeatsIsGone() {
        var harness = Self.open()
        harness.passTimer()
        #expect(harness.sent == [.heartbeat(2)])
        #expect(harness.now == .seconds(30))
        harness.receive(.push(WirePush(event: "any sign counts")))
        harness.passTimer()
        harness.passTimer()
        #expect(harness.states == ["connecting", "open", "waiting"])
        #expect(harness.now == .seconds(90))
    }

    @Test func theLimitOfTheServerCounts() {
        var harness = Self.harness(features: [.opening, .requests])
        harness.handle(.start)
        harness.connect()
        harness.makePayloads()
        harness.receive(.opened(WireOpened(heartbeat: .seconds(5))))
        harness.passTimer()
        #expect(harness.states == ["connecting", "open", "waiting"])
        #expect(harness.now == .seconds(5))
        #expect(!harness.sent.contains { if case .heartbeat = $0 { true } else { false } })
    }

    // MARK: Requests

    @Test func aReplySettlesItsRequestAndNoOther() {
        var harness = Self.open()
        let (first, second) = (harness.request("a"), harness.request("b"))
        harness.receive(.reply(WireReply(id: .number(second), .success(SocketPayload(json: "2")))))
        harness.receive(.reply(WireReply(id: .number(second), .success(nil))))
        harness.receive(.reply(WireReply(id: .number(first), .failure(SocketFailure("no")))))
        #expect(harness.isSettled(first, "rejected"))
        #expect(harness.isSettled(second, "success"))
        #expect(harness.timers.keys.elementsEqual([.heartbeat]))
    }

    /// Sockit clears them on the loss of heartbeats without resuming any task.
    @Test func everyEndOfAConnectionEndsItsRequests() {
        for end in ["lost", "paused", "reconnected", "closed"] {
            var harness = Self.open()
            let ticket = harness.request("a")
            switch end {
            case "lost": harness.lose()
            case "paused": harness.handle(.pause)
            case "reconnected": harness.handle(.reconnect)
            default: harness.handle(.close)
            }
            #expect(harness.isSettled(ticket, "mayHaveArrived: true"), "\(end)")
        }
    }

    @Test func resendableRequestsAreResentAfterReconnecting() {
        var harness = Self.open()
        let ticket = harness.request("a", offline: .resend)
        harness.lose()
        #expect(harness.settled[ticket] == nil)
        harness.passTimer()
        _ = harness.take()
        harness.connect()
        #expect(harness.sent == [.request(WireRequest(id: .number(ticket), event: "a"))])
        harness.receive(.reply(WireReply(id: .number(ticket), .success(nil))))
        #expect(harness.isSettled(ticket, "success"))
    }

    @Test func theRuleDecidesWhatBecomesOfAMessageWhileThereIsNoConnection() {
        var harness = Self.harness()
        harness.handle(.start)
        let (failing, dropped) = (
            harness.request("a", offline: .fail), harness.request("b", wantsReply: false, offline: .drop)
        )
        #expect(harness.isSettled(failing, "offline"))
        #expect(harness.isSettled(dropped, "replaced"))
        let old = harness.request("c", offline: .latest(key: "c"))
        let new = harness.request("c2", offline: .latest(key: "c"))
        #expect(harness.isSettled(old, "replaced"))
        let queued = [harness.request("d"), harness.request("e", wantsReply: false)]
        let full = harness.request("f")
        #expect(harness.isSettled(full, "full"))
        _ = harness.take()
        harness.connect()
        #expect(harness.sent.count == 3)
        #expect(harness.sent.first == .request(WireRequest(id: .number(new), event: "c2")))
        #expect(harness.isSettled(queued[1], "success"))
    }

    @Test func aRequestTimesOutInTheQueueAndAfterIt() {
        var harness = Self.harness()
        let queued = harness.request("a")
        harness.passTimer()
        #expect(harness.isSettled(queued, "mayHaveArrived: false"))
        var open = Self.open()
        let sent = open.request("a")
        // The heartbeat is due at the same time.
        open.passTimer()
        open.passTimer()
        #expect(open.isSettled(sent, "mayHaveArrived: true"))
        #expect(open.now == .seconds(30))
    }
}
