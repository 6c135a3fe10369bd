import NetCore
import NetSocketCore
import Testing

/// Sessions with at-least-once delivery, event by event.
struct SessionResumptionTests {
    private static func harness(
        _ limits: SocketDelivery = SocketDelivery(), opening: SocketWire.Features = []
    ) -> SessionHarness {
        var settings = SessionMachine.Settings(features: SocketWire.numberedJSON.features.union(opening))
        settings.heartbeatInterval = nil
        settings.delivery = (limits, "session")
        var harness = SessionHarness(settings)
        harness.handle(.start)
        harness.connect()
        return harness
    }

    private static func undelivered(_ effects: [SessionMachine.Effect]) -> [SocketID?] {
        effects.flatMap { effect -> [SocketID?] in
            if case .tell(.undelivered(let requests)) = effect { requests.map(\.id) } else { [] }
        }
    }

    @Test func resentRequestsAreNotReportedAsUndeliveredAfterAServerReset() {
        var harness = Self.harness()
        harness.receive(.resumed(WireResumed(epoch: "a", received: 0)))
        let again = harness.request("again", offline: .resend)
        let lost = harness.request("lost")
        harness.lose()
        harness.passTimer()
        harness.connect()
        _ = harness.take()
        harness.receive(.resumed(WireResumed(epoch: "b", received: 0)))
        #expect(harness.sent == [.numbered(1, .request(WireRequest(id: .number(again), event: "again")))])
        #expect(Self.undelivered(harness.take()) == [.number(lost)])
        #expect(harness.settled[again] == nil)
        #expect(harness.isSettled(lost, "mayHaveArrived: true"))
        // Until it is closed.
        harness.handle(.close)
        #expect(Self.undelivered(harness.take()) == [.number(again)])
        #expect(harness.settled[again]?.count == 1)
    }

    @Test func aMessageThatCannotBeWrittenMakesRoomForThoseThatWait() {
        var harness = Self.harness(SocketDelivery(maximumBytes: 2))
        harness.receive(.resumed(WireResumed(epoch: "a", received: 0)))
        for event in ["a", "b", "c"] { _ = harness.request(event) }
        #expect(harness.sent.suffix(2).map { "\($0)".contains("numbered") } == [true, true])
        _ = harness.take()
        harness.handle(.unwritable(1))
        #expect(harness.sent.count == 1)
        #expect("\(harness.sent)".contains("numbered(3"))
    }

    @Test func aServerIsAskedOnceToGoOnAndMayNotAnswerBeforeThat() {
        var harness = Self.harness(opening: .opening)
        harness.receive(.resumed(WireResumed(epoch: "a", received: 0)))
        #expect(harness.states.last == "connecting")
        harness.makePayloads()
        _ = harness.take()
        harness.receive(.opened(WireOpened()))
        harness.receive(.opened(WireOpened()))
        #expect(harness.sent == [.resume(WireResume(session: "session"))])
        harness.receive(.resumed(WireResumed(epoch: "a", received: 0)))
        #expect(harness.states.last == "open")
    }
}
