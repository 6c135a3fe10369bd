import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

private final class Observer: CallObserver {
    let heard = Locked<[String]>([])
    func hear(_ event: ActivityEvent, attempt: Int, in environment: CallContext.Environment) {
        heard.change { $0.append("\(event.name) \(attempt)") }
    }
}

@Suite(.timeLimit(.minutes(1))) struct RunningCallEventsTests {
    private let kinds: [ActivityEvent.Kind] = [
        .started(requestBytes: 0), .cache(.init(.miss, .notStored)),
        .attemptEnded(.init(number: 5)), .retrying(attempt: 2, after: .zero, reason: "r"), .responded(status: 200),
    ]

    @Test func observersHearEverythingOrOnlyTrouble() {
        let call = CallContext.test().call
        #expect(!call.isHeard)
        let (all, further, trouble) = (Observer(), Observer(), Observer())
        call.observe(.trouble, trouble)
        #expect(!call.isHeard)
        for kind in kinds { call.record(kind) }
        #expect(trouble.heard.value == ["retrying 1"])
        call.observe(.everything, all)
        call.observe(.everything, all)
        call.observe(.everything, further)
        call.observe(.trouble, further)
        #expect(call.isHeard)
        _ = call.beginAttempt(1)
        _ = call.beginAttempt(2)
        for kind in kinds { call.record(kind) }
        let heard = ["started 2", "cache 2", "attemptEnded 5", "retrying 2", "responded 2"]
        #expect(all.heard.value == heard)
        #expect(further.heard.value == heard)
        #expect(trouble.heard.value == ["retrying 1", "retrying 2"])
    }

    @Test(
        arguments: [
            (ActivityEvent.Outcome.rejected(status: 404, responseBytes: 0), true),
            (.failed(NetError(.dns, phase: .resolving, message: "m")), true),
            (.completed(status: 200, responseBytes: 0), false), (.cancelled, false),
        ] as [(ActivityEvent.Outcome, Bool)])
    func onlyAnEndThatIsNotAsWishedIsTrouble(_ outcome: ActivityEvent.Outcome, isTrouble: Bool) {
        let call = CallContext.test().call
        let observer = Observer()
        call.observe(.trouble, observer)
        call.record(.ended(outcome))
        #expect(observer.heard.value.count == (isTrouble ? 1 : 0))
    }

    @Test func theHubHearsWhatListenersHear() async {
        let hub = ActivityHub()
        var environment = CallContext.Environment()
        environment.hub = hub
        let context = CallContext(for: .test(), environment: environment)
        #expect(!context.call.isHeard)
        let stream = hub.subscribe(.newest(10))
        #expect(context.call.isHeard)
        for kind in kinds { context.record(kind) }
        hub.finish()
        var names: [String] = []
        for await event in stream { names.append("\(event.sequence) \(event.name)") }
        #expect(names == ["1 started", "2 cache", "3 attemptEnded", "4 retrying", "5 responded"])
    }

    @Test func onlyListenersOfCallsHearThem() {
        let (calls, sockets) = (EventLog(), EventLog(.sockets))
        let context = CallContext.test(listeners: [calls, sockets])
        #expect(context.call.isHeard)
        #expect(!CallContext.test(listeners: [sockets]).call.isHeard)
        context.record(.started(requestBytes: nil))
        #expect(calls.names == ["started"])
        #expect(sockets.names.isEmpty)
    }

    @Test func theURLOfTheFirstEventIsKept() {
        let log = EventLog()
        var context = CallContext.test(.test("/x"), listeners: [log])
        context.record(.started(requestBytes: nil))
        context.trail = RedirectTrail(
            history: [], head: HTTPRequest(method: .get, scheme: "https", authority: "b.test", path: "/"), fragment: nil
        )
        context.record(.responded(status: 200))
        #expect(log.events.map(\.url) == ["https://a.test/x", "https://a.test/x"])
    }

    @Test func aListenerOfASocketIsAddedOnceForEachMark() {
        let call = CallContext.test().call
        let (first, second) = (EventLog(.sockets), EventLog(.socketFrames))
        call.observeSocket(first, mark: first)
        call.observeSocket(first, mark: first)
        #expect(call.socketListeners.count == 1)
        call.observeSocket(second, mark: second)
        call.observeSocket(EventLog(.calls), mark: log)
        #expect(call.socketListeners.map(\.interest) == [.sockets, .socketFrames])
    }
    private let log = EventLog()

    @Test func aCallThatNeverBeganIsToldOfWhole() {
        for (code, name) in [(NetError.Code.invalidRequest, "failed"), (.cancelled, "cancelled")] {
            let log = EventLog()
            let environment = CallContext.Environment(listeners: [log])
            let request = Request<Bytes>("x", method: .put, query: [QueryItem("token", "SECRET")])
            let error = CallContext.fail(
                toPrepare: request, with: NetError(code, phase: .preparing, message: "m"), environment: environment)
            #expect(error.code == code)
            #expect(error.url == "x?token=<redacted>")
            #expect(error.call?.method == .put)
            #expect(log.names == ["started", name])
            #expect(log.events[0].url == "x?token=<redacted>")
            guard case .started(let bytes) = log.events[0].kind else { continue }
            #expect(bytes == nil)
            let sent = CallContext.fail(
                toSend: .test("/y"), with: NetError(code, phase: .preparing, message: "m"), environment: environment)
            #expect(sent.url == "https://a.test/y")
            #expect(log.names == ["started", name, "started", name])
        }
    }

    @Test func aFailureThatIsACancellationEndsAsOne() {
        let log = EventLog()
        let context = CallContext.test(listeners: [log])
        context.end(failure: NetError(.cancelled, phase: .waiting, message: "m"))
        let other = CallContext.test(listeners: [log])
        other.end(failure: NetError(.timeout, phase: .waiting, message: "m"))
        #expect(log.names == ["cancelled", "failed"])
    }
}
