import NetCore
import NetTesting
import Testing

@Suite struct SocketTaskEndingTests {
    // MARK: The peer

    @Test func messagesBeforeTheCloseFrameAreReceivedBeforeTheEnd() {
        var bench = MachineBench.opened()
        bench.arrive("a")
        // URLSession reports the close frame before it delivers the last message.
        bench.machine.receivedClose(WebSocketCloseCode(rawValue: 4001), reason: "bye")
        bench.arrive("b")
        #expect(bench.take() == "a b")
        #expect(bench.take() == "waits")
        bench.machine.receiveFailed(.ofTask())
        #expect(bench.effects().last == "receiver: done")
        #expect(bench.take() == "webSocketClosed 4001 \"bye\" by peer")
        #expect(bench.take() == "webSocketClosed 4001 \"bye\" by peer")
        #expect(bench.reports.filter { $0.hasPrefix("closed") } == ["closed webSocketClosed 4001 \"bye\" by peer"])
    }

    @Test func aSlowReceiverGetsAllThatCameBeforeTheEnd() {
        var bench = MachineBench.opened(.init(inboxBytes: 1))
        bench.arrive("a")
        bench.machine.receivedClose(.normalClosure, reason: "")
        bench.machine.didComplete(nil, head: nil, closure: nil)
        #expect(bench.effects() == [])
        #expect(bench.deadline == nil)
        #expect(bench.take() == "a")
        #expect(bench.effects() == ["receive"])
        bench.arrive("b")
        #expect(bench.take() == "b")
        bench.machine.receiveFailed(.ofTask())
        #expect(bench.take() == "webSocketClosed 1000 by peer")
    }

    @Test func aReceiveThatIsNeverAnsweredDoesNotHoldTheEndUp() {
        var bench = MachineBench.opened()
        #expect(bench.take() == "waits")
        bench.machine.receivedClose(.normalClosure, reason: "")
        #expect(bench.effects() == [])
        #expect(bench.deadline == .seconds(1))
        bench.passDeadline()
        #expect(bench.effects() == ["receiver: done"])
        #expect(bench.take() == "webSocketClosed 1000 by peer")
    }

    /// URLSession reports a failed `receive` before or after the reason.
    @Test(arguments: [false, true]) func theReasonIsTheCloseFrameInEitherOrder(isReceiveFirst: Bool) {
        var bench = MachineBench.opened()
        #expect(bench.take() == "waits")
        if isReceiveFirst { bench.machine.receiveFailed(.ofTask()) }
        bench.machine.receivedClose(.goingAway, reason: "")
        if !isReceiveFirst { bench.machine.receiveFailed(.ofTask()) }
        bench.machine.didComplete(.ofTask(), head: nil, closure: nil)
        #expect(bench.effects() == ["receiver: done"])
        #expect(bench.take() == "webSocketClosed 1001 by peer")
    }

    @Test func theTaskMayKnowACloseFrameThatWasNotReported() {
        var bench = MachineBench.opened()
        bench.machine.receiveFailed(.ofTask())
        bench.machine.didComplete(.ofTask(), head: nil, closure: (.goingAway, "later"))
        #expect(bench.take() == "webSocketClosed 1001 \"later\" by peer")
    }

    @Test func aConnectionThatBreaksIsLostWith1006() {
        var bench = MachineBench.opened()
        bench.arrive("a")
        bench.machine.receiveFailed(.ofTask())
        bench.machine.didComplete(.ofTask(), head: nil, closure: nil)
        #expect(!bench.effects().contains("cancel"))
        #expect(bench.take() == "a")
        #expect(bench.take() == "connectionLost 1006 by peer")
    }

    @Test func aFailureWithoutAReasonEndsAfterASecond() {
        var bench = MachineBench.opened()
        #expect(bench.take() == "waits")
        bench.machine.receiveFailed(.ofTask())
        #expect(bench.effects() == [])
        #expect(bench.send("x") == "connectionLost")
        #expect(bench.deadline == .seconds(1))
        bench.passDeadline()
        #expect(bench.effects() == ["receiver: done", "cancel"])
        #expect(bench.take() == "connectionLost 1006 by peer")
    }

    @Test func aSendThatFailsEndsTheConnectionAndThoseThatWait() {
        var bench = MachineBench.opened(.init(sendBufferBytes: 65))
        #expect(bench.send("a") == "taken")
        #expect(bench.send("b") == "waits")
        _ = bench.effects()
        bench.machine.sendFinished(.ofTask())
        bench.machine.didComplete(.ofTask(), head: nil, closure: nil)
        bench.machine.receiveFailed(.ofTask())
        #expect(bench.effects() == ["sender: connectionLost 1006 by peer"])
    }

    // MARK: Here

    @Test func closingSendsWhatWasSentBeforeAndThenTheCloseFrame() {
        var bench = MachineBench.opened()
        #expect(bench.send("a") == "taken")
        #expect(bench.send("b") == "taken")
        #expect(bench.close(.goingAway) == "waits")
        #expect(bench.send("c") == "webSocketClosed")
        #expect(bench.effects() == ["send a"])
        bench.machine.sendFinished(nil)
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["send b", "close 1001"])
        bench.machine.receivedClose(.goingAway, reason: "")
        #expect(bench.effects() == ["closer: done"])
        #expect(bench.deadline == .seconds(5))
        bench.machine.didComplete(nil, head: nil, closure: nil)
        #expect(bench.effects() == [])
        #expect(bench.deadline == nil)
        #expect(bench.take() == "webSocketClosed 1001 by us")
    }

    @Test func messagesThatArriveWhileClosingAreDroppedAndThoseBeforeAreNot() {
        var bench = MachineBench.opened(.init(inboxBytes: 1))
        bench.arrive("a")
        #expect(bench.effects() == [])
        #expect(bench.close() == "waits")
        // The close frame may be after more messages than the inbox accepts.
        #expect(bench.effects() == ["close 1000", "receive"])
        bench.arrive("b", "c")
        #expect(bench.effects() == ["receive", "receive"])
        bench.machine.receivedClose(.normalClosure, reason: "")
        #expect(bench.take() == "a")
        #expect(bench.take() == "webSocketClosed 1000 by us")
    }

    @Test func aPeerThatDoesNotCloseHasFiveSeconds() {
        var bench = MachineBench.opened()
        #expect(bench.close(as: "first") == "waits")
        #expect(bench.close(as: "second") == "waits")
        #expect(bench.effects() == ["close 1000"])
        #expect(bench.deadline == .seconds(5))
        bench.passDeadline()
        #expect(bench.effects() == ["first: done", "second: done", "cancel"])
        #expect(bench.take() == "webSocketClosed 1006, unconfirmed 1000 by us")
        #expect(bench.close() == "over")
    }

    @Test func closingWakesSendersThatWaitAndSendsNoneOfTheirMessages() {
        var bench = MachineBench.opened(.init(sendBufferBytes: 1))
        #expect(bench.send("a") == "taken")
        #expect(bench.send("b") == "waits")
        #expect(bench.close() == "waits")
        #expect(bench.effects() == ["send a", "sender: webSocketClosed 1000 by us"])
        bench.machine.sendFinished(nil)
        #expect(bench.effects() == ["close 1000"])
    }

    @Test func closingWhatThePeerHasClosedEndsImmediately() {
        var bench = MachineBench.opened()
        bench.machine.receivedClose(.goingAway, reason: "")
        #expect(bench.close() == "over")
        #expect(bench.take() == "webSocketClosed 1001 by peer")
        #expect(bench.effects() == [])
    }

    @Test func droppingEndsImmediatelyAndOnce() {
        var bench = MachineBench.opened(.init(sendBufferBytes: 1))
        #expect(bench.send("a") == "taken")
        #expect(bench.send("b") == "waits")
        #expect(bench.ping() == "waits")
        #expect(bench.take() == "waits")
        _ = bench.effects()
        bench.machine.drop()
        bench.machine.drop()
        #expect(
            bench.effects() == [
                "sender: connectionLost 1006 by peer", "pinger: connectionLost 1006 by peer", "receiver: done",
                "cancel",
            ])
        bench.machine.receiveFailed(.ofTask(.cancelled))
        bench.machine.sendFinished(.ofTask(.cancelled))
        bench.machine.pongArrived(1, .ofTask(.cancelled), now: .zero)
        bench.machine.receivedClose(.normalClosure, reason: "")
        bench.machine.didComplete(.ofTask(.cancelled), head: nil, closure: nil)
        #expect(bench.effects() == [])
        #expect(bench.take() == "connectionLost 1006 by peer")
        #expect(bench.reports.filter { $0.hasPrefix("closed") }.count == 1)
    }

    @Test func droppingCutsAClosingHandshakeOff() {
        var bench = MachineBench.opened()
        #expect(bench.close() == "waits")
        bench.machine.drop()
        #expect(bench.effects() == ["close 1000", "closer: done", "cancel"])
    }

    @Test func shuttingDownEndsAnOpenWebSocketWithItsOwnCode() {
        var bench = MachineBench.opened()
        bench.arrive("a")
        bench.machine.shutDown()
        #expect(bench.effects() == ["receive", "cancel"])
        #expect(bench.take() == "a")
        #expect(bench.take() == "shutdown")
        #expect(bench.send("x") == "shutdown")
    }

    /// For every order of events, each waiting task is resumed exactly once, and the end is reported once.
    @Test(arguments: 0..<200 as Range<UInt64>) func eachWaitingTaskEndsOnce(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        func pick(below limit: UInt64) -> Int { Int(random.next() % limit) }
        var bench = MachineBench.opened(.init(inboxBytes: 200, sendBufferBytes: 200, liveness: WebSocketLiveness()))
        var waiting: [String: Int] = [:]
        var resumed: [String: Int] = [:]
        var now = Duration.zero
        for step in 0..<60 {
            now += .seconds(pick(below: 4))
            let name = "w\(step)"
            var answer = ""
            switch pick(below: 14) {
            case 0, 1, 2: answer = bench.send("m\(step)", as: name)
            case 3: answer = bench.ping(now: now, as: name)
            case 4, 5: answer = bench.take(as: name)
            case 6: bench.arrive("x\(step)", at: now)
            case 7, 8: bench.machine.sendFinished(nil)
            case 9: bench.machine.pongArrived(UInt64(1 + pick(below: 5)), nil, now: now)
            case 10: if step > 30 { answer = bench.close(as: name) }
            case 11: if step > 20 { bench.machine.receivedClose(.goingAway, reason: "") }
            case 12: if step > 40 { bench.machine.receiveFailed(.ofTask()) }
            default: bench.passDeadline(now: now)
            }
            if answer == "waits" { waiting[name] = 1 }
            for effect in bench.effects() {
                if let colon = effect.firstIndex(of: ":") { resumed[String(effect[..<colon]), default: 0] += 1 }
            }
        }
        bench.machine.drop()
        for effect in bench.effects() {
            if let colon = effect.firstIndex(of: ":") { resumed[String(effect[..<colon]), default: 0] += 1 }
        }
        #expect(resumed == waiting)
        #expect(bench.reports.filter { $0.hasPrefix("closed") }.count == 1)
    }
}
