import NetCore
import Testing

@Suite struct SocketTaskMessagesTests {
    // MARK: Receiving

    @Test func messagesAreReceivedInOrderAndTogether() {
        var bench = MachineBench.opened()
        bench.arrive("a", "b", "c")
        #expect(bench.take() == "a b c")
        #expect(bench.effects() == ["receive", "receive", "receive"])
        #expect(bench.reports.dropFirst() == ["received a", "received b", "received c"])
    }

    @Test func aReceiverThatWaitsIsWokenOnceForEachMessage() {
        var bench = MachineBench.opened()
        #expect(bench.take() == "waits")
        bench.arrive("a", "b")
        #expect(bench.effects() == ["receiver: done", "receive", "receive"])
        #expect(bench.take() == "a b")
    }

    @Test func aSecondReceiverIsRejected() {
        var bench = MachineBench.opened()
        #expect(bench.take() == "waits")
        #expect(bench.take() == "busy")
    }

    @Test func cancellingAReceiverLosesNoMessage() throws {
        var bench = MachineBench.opened()
        guard case .wait(let id) = bench.machine.take() else {
            Issue.record("there is nothing to take")
            return
        }
        bench.name(id, "receiver")
        bench.machine.cancelled(id)
        bench.arrive("a")
        bench.machine.cancelled(id)
        #expect(bench.effects() == ["receiver: cancelled", "receive"])
        #expect(bench.take() == "a")
    }

    @Test func noMoreIsAskedForWhileTheInboxIsFull() {
        var bench = MachineBench.opened(.init(inboxBytes: 2 * 65))
        bench.arrive("a")
        #expect(bench.effects() == ["receive"])
        bench.arrive("b")
        #expect(bench.effects() == [])
        #expect(bench.take() == "a b")
        #expect(bench.effects() == ["receive"])
        // The outstanding one is sufficient.
        #expect(bench.take() == "waits")
        #expect(bench.effects() == [])
    }

    @Test func whileAPongIsAwaitedTheInboxTakesTwiceItsLimit() {
        var bench = MachineBench.opened(.init(inboxBytes: 65))
        bench.arrive("a")
        #expect(bench.effects() == [])
        #expect(bench.ping() == "waits")
        #expect(bench.effects() == ["ping 1", "receive"])
        bench.arrive("b")
        #expect(bench.effects() == [])
    }

    @Test func aMessageOverTheLimitEndsWith1009AfterThoseBeforeIt() {
        var bench = MachineBench.opened(.init(maximumMessageBytes: 3))
        bench.arrive("abc", "abcd", "x")
        let effects = bench.effects()
        #expect(effects.filter { $0.hasPrefix("close") || $0 == "cancel" }.count == 1)
        #expect(effects.contains { $0.hasPrefix("close 1009") })
        #expect(bench.take() == "abc")
        #expect(bench.take().hasPrefix("bodyTooLarge 1006, unconfirmed 1009"))
        #expect(bench.take().hasSuffix("by us"))
    }

    @Test func messagesTooLargeForURLSessionCloseWithCode1009() {
        var bench = MachineBench.opened()
        #expect(bench.take() == "waits")
        bench.machine.receiveFailed(.ofTask(.bodyTooLarge))
        #expect(bench.effects().map { $0.prefix(10) } == ["close 1009", "receiver: "])
        #expect(bench.take().hasPrefix("bodyTooLarge 1006, unconfirmed 1009"))
        // The close frame can still be received, but the task doesn't stay open forever.
        #expect(bench.deadline == .seconds(5))
        bench.passDeadline()
        #expect(bench.effects() == ["cancel"])
    }

    // MARK: Sending

    @Test func messagesAreSentOneAtATimeAndInOrder() {
        var bench = MachineBench.opened()
        for text in ["a", "b", "c"] { #expect(bench.send(text) == "taken") }
        #expect(bench.effects() == ["send a"])
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send b"])
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send c"])
        bench.machine.sendFinished(nil)
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == [])
    }

    @Test func aFullSendBufferSuspendsSendersUntilHalfOfItIsLeft() {
        var bench = MachineBench.opened(.init(sendBufferBytes: 2 * 65))
        #expect(bench.send("a") == "taken")
        #expect(bench.send("b") == "taken")
        #expect(bench.send("c", as: "first") == "waits")
        #expect(bench.send("d", as: "second") == "waits")
        #expect(bench.effects() == ["send a"])
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send b", "first: done"])
        // Later messages don't overtake the waiting one.
        #expect(bench.send("e", as: "third") == "waits")
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send c", "second: done"])
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send d", "third: done"])
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send e"])
    }

    @Test func aLaterSenderDoesNotTakeTheRoomOfOneThatWaits() {
        var bench = MachineBench.opened(.init(sendBufferBytes: 4 * 65))
        for text in ["a", "b", "c", "d"] { #expect(bench.send(text) == "taken") }
        #expect(bench.send("e", as: "first") == "waits")
        bench.machine.sendFinished(nil)
        // There is room, but more than half of the buffer remains in use.
        #expect(bench.send("f", as: "second") == "waits")
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send a", "send b", "send c", "first: done", "second: done"])
    }

    @Test func aSenderThatIsCancelledWhileItWaitsSendsNothing() {
        var bench = MachineBench.opened(.init(sendBufferBytes: 1))
        #expect(bench.send("a") == "taken")
        guard case .wait(let id) = bench.machine.send(.text("b")) else {
            Issue.record("the buffer is full")
            return
        }
        bench.name(id, "sender")
        #expect(bench.send("c", as: "next") == "waits")
        bench.machine.cancelled(id)
        #expect(bench.effects() == ["send a", "sender: cancelled"])
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send c", "next: done"])
        // Its message is already in the buffer: cancellation comes too late.
        bench.machine.cancelled(id)
        #expect(bench.effects() == [])
    }

    // MARK: Pings

    @Test func aPongAnswersItsOwnPing() {
        var bench = MachineBench.opened()
        #expect(bench.ping(now: .seconds(1), as: "first") == "waits")
        #expect(bench.ping(now: .seconds(2), as: "second") == "waits")
        #expect(bench.effects() == ["ping 1", "ping 2"])
        bench.machine.pongArrived(2, nil, now: .seconds(3))
        bench.machine.pongArrived(1, nil, now: .seconds(4))
        bench.machine.pongArrived(1, nil, now: .seconds(5))
        #expect(bench.effects() == ["second: answered 1.0 seconds", "first: answered 3.0 seconds"])
        #expect(bench.machine.lastSign == .seconds(5))
    }

    @Test func aPingThatFailsGetsTheReasonOfTheEnd() {
        var bench = MachineBench.opened()
        #expect(bench.ping() == "waits")
        _ = bench.effects()
        bench.machine.pongArrived(1, .ofTask(), now: .zero)
        #expect(bench.effects() == [])
        bench.machine.receivedClose(.goingAway, reason: "")
        bench.machine.receiveFailed(.ofTask())
        #expect(bench.effects() == ["pinger: webSocketClosed 1001 by peer"])
    }

    @Test func aSilentPeerIsAskedAndThenGone() {
        var bench = MachineBench.opened(
            .init(liveness: WebSocketLiveness(silence: .seconds(30), grace: .seconds(15))))
        #expect(bench.deadline == .seconds(30))
        bench.arrive("a", at: .seconds(20))
        _ = bench.effects()
        bench.passDeadline(now: .seconds(30))
        #expect(bench.effects() == [])
        #expect(bench.deadline == .seconds(20))
        bench.passDeadline(now: .seconds(50))
        #expect(bench.effects() == ["ping 1"])
        #expect(bench.deadline == .seconds(15))
        bench.passDeadline(now: .seconds(65))
        #expect(bench.effects() == ["cancel"])
        #expect(bench.take() == "a")
        #expect(bench.take() == "connectionLost 1006 by peer")
    }

    @Test func aQuestionOfTheApplicationIsSentPastAFullBuffer() {
        let liveness = WebSocketLiveness(silence: .seconds(30), probe: .message { .text("there?") })
        var bench = MachineBench.opened(.init(sendBufferBytes: 1, liveness: liveness))
        #expect(bench.send("a") == "taken")
        bench.passDeadline(now: .seconds(30))
        #expect(bench.effects() == ["send a", "ask"])
        if let question = bench.question { bench.machine.sendQuestion(question()) }
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send there?"])
    }

    @Test func aPauseInReadingIsNotThePeersSilence() {
        var bench = MachineBench.opened(.init(inboxBytes: 1, liveness: WebSocketLiveness()))
        bench.arrive("a")
        bench.passDeadline(now: .seconds(1000))
        #expect(bench.effects() == [])
        #expect(bench.deadline == .seconds(30))
    }
}
