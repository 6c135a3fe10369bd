import NetCore
import NetSocketCore
import Testing

/// The effects of a session, one by one.
struct SessionDetailTests {
    private static func open(
        _ features: SocketWire.Features = SocketWire.json.features,
        _ change: (inout SessionMachine.Settings) -> Void = { _ in }
    ) -> SessionHarness {
        var settings = SessionMachine.Settings(features: features)
        settings.heartbeatInterval = nil
        change(&settings)
        var harness = SessionHarness(settings)
        harness.handle(.start)
        harness.connect()
        harness.makePayloads()
        _ = harness.take()
        return harness
    }

    /// Returns the names of the effects since the last call, without states.
    private static func names(_ harness: inout SessionHarness) -> [String] {
        harness.take().compactMap { effect in
            switch effect {
            case .tell(.state): nil
            case .tell(let notice): "\(notice)".prefix { $0 != "(" }.description
            default: "\(effect)".prefix { $0 != "(" }.description
            }
        }
    }

    @Test func theAttemptsAreCountedAndTimed() {
        var harness = SessionHarness(SessionMachine.Settings(features: []))
        harness.handle(.start)
        harness.handle(.start)
        for attempt in 1...3 {
            let attempts = harness.take().compactMap { effect in
                if case .connect(_, let number, false) = effect { number } else { nil }
            }
            #expect(attempts == [attempt])
            if let connecting = harness.connecting {
                let error = NetError(.connect, phase: .connecting, message: "refused")
                harness.handle(.connectFailed(connecting, error, SessionHarness.chance))
            }
            guard case .waiting(let next, let wait?, _) = harness.machine.state else {
                Issue.record("it doesn't wait")
                return
            }
            #expect(next == attempt + 1)
            #expect(harness.timers[.reconnect] == harness.now + wait)
            harness.passTimer()
        }
    }

    @Test func anOpeningThatCannotBeMadeOrIsLateEndsTheConnection() {
        for isLate in [true, false] {
            var harness = SessionHarness(SessionMachine.Settings(features: [.opening]))
            harness.handle(.start)
            harness.connect()
            guard let id = harness.open else {
                Issue.record("not connected")
                return
            }
            #expect(harness.timers[.opening] == .seconds(10))
            if isLate {
                harness.passTimer()
            } else {
                let error = NetError(.connectionLost, phase: .preparing, message: "no token")
                harness.handle(.openPayload(id, nil, error, SessionHarness.chance))
            }
            #expect(harness.open == nil)
            #expect(harness.states == ["connecting", "waiting"])
            #expect(harness.timers.keys.elementsEqual([.reconnect]))
            // A late payload has no recipient.
            harness.handle(.openPayload(id, nil, nil, SessionHarness.chance))
            #expect(harness.sent == [])
            #expect(harness.faults == [])
        }
    }

    @Test func theEndOfTheWireSaysItsCode() {
        for (mayReconnect, code) in [(true, NetError.Code.connectionLost), (false, .webSocketClosed)] {
            for failure in [nil, SocketFailure(String(repeating: "x", count: 70), "the reason")] {
                var harness = Self.open()
                let end = WireEnd(failure, mayReconnect: mayReconnect)
                if let open = harness.open { harness.handle(.wireEnded(open, end, SessionHarness.chance)) }
                let found: NetError? =
                    switch harness.machine.state {
                    case .waiting(_, _, let error), .failed(let error): error
                    default: nil
                    }
                #expect(found?.code == code)
                #expect(found?.phase == .receiving)
                #expect(harness.open == nil)
                #expect(found?.message.contains("xxxx") == (failure != nil))
                #expect(found?.message.contains(String(repeating: "x", count: 65)) == false)
                #expect(found?.message.contains("the reason") == (failure != nil))
            }
        }
    }

    /// As from a broker: NATS's `Authorization Violation`, or the body of STOMP's ERROR.
    @Test func theTextOfTheWiresEndIsKeptCutAndCleaned() {
        var harness = Self.open()
        let text = "Authorization Violation\u{1b}[2J\npassword=geheim123456 " + String(repeating: "y", count: 1000)
        let end = WireEnd(SocketFailure("error", text), mayReconnect: false)
        if let open = harness.open { harness.handle(.wireEnded(open, end, SessionHarness.chance)) }
        guard case .failed(let error) = harness.machine.state else {
            Issue.record("not failed")
            return
        }
        #expect(error.message.contains("Authorization Violation"))
        #expect(!error.message.contains("\u{1b}"))
        #expect(!error.message.contains("\n"))
        #expect(!error.message.contains("geheim123456"))
        #expect(error.message.utf8.count < 600)
    }

    @Test func eachMessageHasItsOwnTimeAndIsCancelledAtThePeerWhereThatCanBeSaid() {
        for features in [SocketWire.Features([.requests, .cancellation]), .requests] {
            var harness = Self.open(features)
            let ticket = harness.machine.makeTicket()
            harness.handle(.request(ticket, .init("a", timeout: .seconds(7))))
            #expect(harness.timers == [.request(ticket): .seconds(7)])
            _ = harness.take()
            harness.passTimer()
            let cancels = features.contains(.cancellation)
            #expect(harness.sent == (cancels ? [.cancel(.number(ticket))] : []))
            #expect(harness.isSettled(ticket, "timedOut(7.0 seconds, mayHaveArrived: true)"))
            let other = harness.request("b")
            _ = harness.take()
            harness.handle(.cancel(other))
            #expect(harness.sent == (cancels ? [.cancel(.number(other))] : []))
            #expect(harness.timers.isEmpty)
            #expect(harness.settled[other] == nil)
        }
    }

    @Test func aReplyThatNobodyWaitsForIsStray() {
        var harness = Self.open()
        for id in [SocketID.number(99), "text"] {
            harness.receive(.reply(WireReply(id: id, .success(nil))))
            #expect(Self.names(&harness) == ["stray"])
        }
        harness.receive(.cancel(7))
        harness.receive(.request(WireRequest(id: 1, event: "a")))
        harness.receive(.push(WirePush(event: "a")))
        #expect(Self.names(&harness) == ["cancelled", "request", "push"])
    }

    @Test func unexpectedServerSignalsAreIgnored() {
        var harness = Self.open()
        for signal in [
            WireSignal.open(nil), .join(WireJoin(id: 1, topic: "t")), .leave(1, topic: "t"), .unsubscribe(1),
            .subscribe(1, SocketPayload(json: "{}")), .resume(WireResume(session: "s")), .alive(nil), .heartbeat(nil),
            .subscribed(1), .end(WireEnd()), .event(1, SocketPayload(json: "{}")), .completed(1, nil), .acknowledge(1),
            .numbered(1, .push(WirePush(event: "a"))), .resumed(WireResumed(epoch: "a", received: 0)),
            .joined(WireJoined(id: 1, topic: "t")), .joinRefused(1, topic: "t", SocketFailure("a")),
            .left(nil, topic: "t", nil), .opened(WireOpened()),
        ] {
            harness.receive(signal)
            #expect(Self.names(&harness) == [], "\(signal)")
        }
        #expect(harness.states.last == "open")
    }

    @Test func aSubscriptionEndsOnce() {
        var harness = Self.open([.subscriptions])
        let (first, second) = (harness.machine.makeTicket(), harness.machine.makeTicket())
        let payload = SocketPayload(json: "{}")
        for ticket in [first, second] { harness.handle(.subscribe(ticket, payload)) }
        #expect(harness.sent == [.subscribe(.number(first), payload), .subscribe(.number(second), payload)])
        _ = harness.take()
        harness.receive(.event(.number(first), payload))
        harness.receive(.completed(.number(first), SocketFailure("a")))
        harness.receive(.completed(.number(first), nil))
        harness.handle(.unsubscribe(first))
        #expect(Self.names(&harness) == ["event", "completed"])
        harness.lose()
        harness.passTimer()
        _ = harness.take()
        harness.connect()
        #expect(harness.sent == [.subscribe(.number(second), payload)])
        _ = harness.take()
        harness.handle(.unsubscribe(second))
        #expect(harness.sent == [.unsubscribe(.number(second))])
        #expect(Self.names(&harness) == ["send", "completed"])
        harness.handle(.close)
        _ = harness.take()
        harness.handle(.subscribe(harness.machine.makeTicket(), payload))
        #expect(Self.names(&harness) == ["completed"])
    }

    @Test func aJoinAndALeaveHaveTheirTimes() {
        var harness = Self.open { $0.joinTimeout = .seconds(3) }
        let join = harness.join("room")
        harness.makePayloads()
        #expect(harness.timers == [.join(topic: "room"): .seconds(3), .request(join): .seconds(3)])
        harness.answerJoin("room")
        #expect(harness.timers.isEmpty)
        #expect(harness.isSettled(join, "success"))
        let leave = harness.machine.makeTicket()
        harness.handle(.leave(leave, topic: "room"))
        let second = harness.machine.makeTicket()
        harness.handle(.leave(second, topic: "room"))
        #expect(harness.timers == [.join(topic: "room"): .seconds(3)])
        _ = harness.take()
        harness.passTimer()
        #expect(harness.isSettled(leave, "success"))
        #expect(harness.isSettled(second, "success"))
        #expect(Self.names(&harness).contains("left"))
        #expect(!harness.machine.hasChannel("room"))
        let nothing = harness.machine.makeTicket()
        harness.handle(.leave(nothing, topic: "room"))
        #expect(harness.isSettled(nothing, "success"))
    }

    @Test func withoutAConfirmationAChannelIsLeftAtOnce() {
        var harness = Self.open([.channels])
        _ = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room")
        _ = harness.take()
        let leave = harness.machine.makeTicket()
        harness.handle(.leave(leave, topic: "room"))
        #expect(harness.isSettled(leave, "success"))
        #expect(harness.timers.isEmpty)
        #expect(Self.names(&harness) == ["clearTimer", "send", "settle", "left"])
    }

    @Test func aJoinedChannelIsJoinedAgainAtOnceForAnotherCaller() {
        var harness = Self.open()
        _ = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room")
        _ = harness.take()
        let again = harness.join("room")
        #expect(harness.isSettled(again, "success"))
        #expect(harness.sent == [])
        harness.handle(.close)
        let late = harness.join("room")
        #expect(harness.isSettled(late, "closed"))
    }

    @Test func aPayloadThatThrowsEndsItsJoin() {
        var harness = Self.open()
        let join = harness.join("room")
        guard case .makeJoinPayload(let id, let topic, let generation)? = harness.take().last else {
            Issue.record("no payload is asked for")
            return
        }
        let error = NetError(.authentication, phase: .preparing, message: "no token")
        harness.handle(.joinPayload(id, topic: topic, generation: generation, nil, error))
        #expect(harness.isSettled(join, "unprepared"))
        #expect(harness.sent == [])
        #expect(Self.names(&harness) == ["clearTimer", "clearTimer", "settle", "left"])
    }

    @Test func pausingAndConnectingAnewCloseWithTheirCodes() {
        for (event, code) in [
            (SessionMachine.Event.pause, WebSocketCloseCode.goingAway), (.reconnect, .goingAway),
            (.close, .normalClosure),
        ] {
            var harness = Self.open()
            harness.handle(event)
            let codes = harness.take().compactMap { effect in
                if case .close(_, let code) = effect { code } else { nil }
            }
            #expect(codes == [code])
        }
    }

    @Test func messagesAreAcknowledgedLaterOrAtOnce() {
        var harness = Self.open(SocketWire.numberedJSON.features) {
            $0.delivery = (SocketDelivery(acknowledgmentCount: 3, acknowledgmentDelay: .seconds(2)), "s")
        }
        #expect(harness.timers[.opening] == .seconds(10))
        harness.receive(.resumed(WireResumed(epoch: "a", received: 0)))
        #expect(harness.states.last == "open")
        #expect(harness.timers.isEmpty)
        _ = harness.take()
        let push = WireSignal.push(WirePush(event: "p"))
        harness.receive(.numbered(1, push))
        harness.receive(.numbered(2, push))
        #expect(harness.timers == [.acknowledgment: .seconds(2)])
        #expect(harness.sent == [])
        harness.receive(.numbered(3, push))
        #expect(harness.timers.isEmpty)
        #expect(harness.sent == [.acknowledge(3)])
        _ = harness.take()
        harness.receive(.numbered(3, push))
        #expect(Self.names(&harness) == ["setTimer"], "it was seen")
        harness.passTimer()
        #expect(harness.sent == [.acknowledge(3)])
        #expect(harness.now == .seconds(2))
        harness.receive(.numbered(5, push))
        #expect(harness.states.last == "failed")
        #expect(harness.open == nil)
    }

    @Test func deliveryNeedsAWireWithNumbers() {
        var settings = SessionMachine.Settings(features: SocketWire.json.features)
        settings.delivery = (SocketDelivery(), "s")
        var harness = SessionHarness(settings)
        harness.handle(.start)
        guard case .failed(let error) = harness.machine.state else {
            Issue.record("it hasn't failed")
            return
        }
        #expect(error.code == .unsupported)
        #expect(harness.connecting == nil)
    }
}
