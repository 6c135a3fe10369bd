import NetCore
import NetSocketCore
import Testing

/// Replies to requests of the peer.
struct SessionAnswerTests {
    @Test func aReplyIsSentOnTheConnectionOfItsRequestAndOnNoOther() {
        var harness = SessionHarness(SessionMachine.Settings(features: [.requests]))
        harness.handle(.start)
        harness.connect()
        let reply = WireReply(id: 7, .success(nil))
        guard let first = harness.open else {
            Issue.record("it isn't open")
            return
        }
        harness.receive(.request(WireRequest(id: 7, event: "a")))
        let asked = harness.take().contains { effect in
            if case .tell(.request(_, first)) = effect { true } else { false }
        }
        #expect(asked)
        harness.handle(.reply(first, reply))
        #expect(harness.sent == [.reply(reply)])
        _ = harness.take()
        harness.lose()
        harness.handle(.reply(first, reply))
        harness.passTimer()
        harness.connect()
        harness.handle(.reply(first, reply))
        #expect(harness.sent == [])
        #expect(harness.states.last == "open")
        #expect(harness.faults == [])
    }
}
