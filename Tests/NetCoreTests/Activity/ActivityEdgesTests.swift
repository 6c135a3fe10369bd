import Foundation
import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

private final class SocketLog: ActivityListener {
    let interest: ActivityInterest
    private let kept = Locked<[String]>([])
    init(_ interest: ActivityInterest) { self.interest = interest }
    var texts: [String] { kept.value }
    func record(_ event: ActivityEvent) {}
    func record(_ event: SocketEvent) {
        let text =
            switch event.kind {
            case .opened(let opening): "opened \(opening.subprotocol ?? "-")"
            case .frame(let frame): "\(frame.direction) \(frame.kind) \(frame.bytes) \(frame.preview ?? "-")"
            case .roundTrip(let time): "trip \(time.seconds(places: 0))"
            case .closed(let end):
                "closed \(end.code) \(end.isByPeer) \(end.sent.messages)/\(end.sent.bytes)"
                    + " \(end.received.messages)/\(end.received.bytes)"
            }
        kept.change { $0.append("\(event.sequence) \(text)") }
    }
    func record(_ message: CapturedSocketMessage) {
        let text =
            "\(message.sequence) \(message.direction.rawValue) \(message.count) \(message.isCut) \(message.redacted())"
        kept.change { $0.append(text) }
    }
}

@Suite struct SocketRecorderEdgesTests {
    private let clock = TestClock()
    private let end = NetError(
        .webSocketClosed, phase: .receiving, message: "m", closure: .init(code: .goingAway, isByPeer: false))

    private func recorder(_ logs: [SocketLog]) -> SocketRecorder {
        SocketRecorder(
            logs.compactMap { SocketEventListener($0) }, CallID(high: 1, low: 2), on: .client, url: "u",
            redaction: .safeDefault,
            clock: clock.netClock)
    }

    @Test func everyListenerHearsWhatItAskedFor() {
        let logs = [
            ActivityInterest.sockets, [.socketFrames], [.socketFrames, .socketPreviews], [.sockets, .socketFrames],
        ].map { SocketLog($0) }
        let recorder = recorder(logs)
        recorder.opened(.init(subprotocol: "p"))
        recorder.record(.sent, .text(#"{"pin":1}"#))
        recorder.record(.received, [.binary([1, 2]), .text("x")])
        recorder.record(part: Bytes("ab".utf8), of: .text, isLast: false)
        recorder.record(part: Bytes("c".utf8), of: .binary, isLast: true)
        recorder.record(.received, .ping, bytes: 4)
        recorder.roundTrip(.seconds(3))
        recorder.closed(end)
        for late in [true, false] {
            recorder.closed(end)
            recorder.record(.sent, .text("late"))
            recorder.record(.sent, .pong, bytes: 1)
            recorder.record(part: [1], of: .text, isLast: late)
            recorder.roundTrip(.zero)
        }
        let frames = [
            "2 sent text 9 -", "3 received binary 2 -", "4 received text 1 -", "5 sent text 2 -", "6 sent binary 1 -",
            "7 received ping 4 -",
        ]
        let others = ["1 opened p", "8 trip 3", "9 closed 1001 false 2/12 2/3"]
        #expect(logs[0].texts == others)
        #expect(logs[1].texts == frames)
        #expect(logs[2].texts == ["2 sent text 9 {\"pin\":0}"] + frames.dropFirst())
        #expect(logs[3].texts == [others[0]] + frames + others.dropFirst())
    }

    @Test func withoutFramesOnlyTheEndsAreTold() {
        let log = SocketLog(.sockets)
        let recorder = recorder([log])
        recorder.record(.sent, .text("ab"))
        recorder.record(.received, .ping, bytes: 4)
        recorder.closed(NetError(.connectionLost, phase: .receiving, message: "m"))
        #expect(log.texts == ["1 closed 1006 true 1/2 0/0"])
    }

    @Test func messagesAreHandedOverWhole() {
        let log = SocketLog([.socketMessages])
        let recorder = recorder([log, SocketLog(.sockets)])
        recorder.record(.sent, .text(#"{"token":"of-the-client"}"#))
        recorder.record(.received, .text("of-the-client"))
        recorder.record(part: Bytes("ab".utf8), of: .text, isLast: false)
        recorder.record(part: Bytes("c".utf8), of: .text, isLast: true)
        recorder.record(part: [1], of: .binary, isLast: true)
        recorder.closed(end)
        recorder.record(part: [1], of: .binary, isLast: true)
        #expect(
            log.texts == [
                #"1 sent 25 false text("{\"token\":\"<redacted>\"}")"#, #"2 received 13 false text("<redacted>")"#,
                #"3 sent 3 false text("abc")"#, "4 sent 1 false binary(1 bytes)",
            ])
    }

    @Test func aPreviewIsShortAndWithoutSecrets() {
        func preview(_ text: String) -> String? { SocketRecorder.preview(text, .safeDefault) }
        #expect(preview("x") == nil)
        #expect(preview(#"{"pin":1,"token":"a"}"#) == #"{"pin":0,"token":"<redacted>"}"#)
        #expect(preview("") == nil)
        let secret = String(repeating: "s", count: 900)
        #expect(preview(#"{"token":"\#(secret)","b":"c"}"#) == #"{"token":"<redacted>","b":"c"}"#)
        let long = "[" + String(repeating: "1", count: 300)
        #expect(preview(long) == String(long.prefix(256)))
        #expect(SocketRecorder.previewBytes == 256)
        #expect(preview("[\"" + String(repeating: "a", count: 2000) + "\"]")?.utf8.count == 256)
        #expect(preview("[" + String(repeating: " ", count: 1024) + "]")?.utf8.count == 256)
    }

    @Test func aMessageIsCutAtItsLimit() {
        let capture = SocketCapture(limit: 3, handshake: nil, subprotocol: nil, policy: .safeDefault)
        #expect(capture.beginning(of: .text("abc")) == .text("abc"))
        #expect(capture.beginning(of: .text("abcd")) == .text("abc"))
        #expect(capture.beginning(of: .binary([1, 2, 3, 4])) == .binary([1, 2, 3]))
        #expect(capture.beginning(of: .binary([1])) == .binary([1]))
        #expect(SocketCapture(limit: -1, handshake: nil, subprotocol: nil, policy: .safeDefault).limit == 0)
        var parts = SocketCapture.Parts(.text)
        for text in ["ab", "cd", "e"] { parts.append(Bytes(text.utf8), limit: 3) }
        #expect(parts.message == .text("abc"))
        #expect(parts.count == 5)
    }

    @Test func aRecorderIsMadeForThoseWhoListen() {
        #expect(CallContext.test().makeSocketRecorder() == nil)
        #expect(CallContext.test(listeners: [SocketLog(.calls)]).makeSocketRecorder() == nil)
        #expect(CallContext.test(listeners: [SocketLog(.sockets)]).makeSocketRecorder() != nil)
        let context = CallContext.test()
        let log = SocketLog(.socketFrames)
        context.call.observeSocket(log, mark: log)
        context.makeSocketRecorder()?.record(.sent, .ping, bytes: 1)
        #expect(log.texts == ["1 sent ping 1 -"])
        for (interest, isOne) in [
            (ActivityInterest.sockets, true), (.socketFrames, true), (.socketMessages, true), (.calls, false),
            (.socketPreviews, false),
        ] {
            #expect((SocketEventListener(SocketLog(interest)) != nil) == isOne)
        }
        #expect(SocketEventListener(SocketLog(.sockets))?.messageBytes == 0)
        #expect(SocketEventListener(SocketLog(.socketMessages))?.messageBytes == 65_536)
        let all: [ActivityInterest] = [
            .calls, .sockets, .socketFrames, .socketPreviews, .sessions, .socketServers, .headers, .bodies,
            .socketMessages, .jobs,
        ]
        #expect(all.map(\.rawValue) == (0..<10).map { 1 << $0 })
    }
}

@Suite struct ActivityTraceTests {
    private func event(_ kind: ActivityEvent.Kind, name: String? = nil) -> ActivityEvent {
        ActivityEvent(
            call: CallID(high: 1, low: 2), sequence: 1, date: Date(timeIntervalSince1970: 100),
            elapsed: .milliseconds(1500), method: .get, url: "u",
            metadata: RequestMetadata(name: name), kind: kind)
    }

    @Test func eventsAreDescribed() throws {
        let error = NetError(
            .dns, phase: .resolving, message: "m", response: .init(head: ResponseHead(status: .badGateway), body: []))
        var metrics = TransferMetrics(total: .seconds(2), requestBytes: 3, responseBytes: 4, version: "2")
        let new = ActivityEvent.Attempt(number: 1, status: 200, metrics: metrics)
        metrics.isReused = true
        metrics.version = ""
        let used = ActivityEvent.Attempt(number: 2, error: error, metrics: metrics)
        let table: [(ActivityEvent.Kind, String, String, Int?)] = [
            (.started(requestBytes: nil), "started", "started", nil),
            (.started(requestBytes: 0), "started", "started", nil),
            (.started(requestBytes: 1), "started", "started, sends 1 B", nil),
            (.attemptEnded(new), "attemptEnded", "attempt 1: 200, 2.000 s, HTTP/2, new connection", 200),
            (.attemptEnded(used), "attemptEnded", "attempt 2: dns, 2.000 s, reused connection", 502),
            (.attemptEnded(.init(number: 3)), "attemptEnded", "attempt 3: no response", nil),
            (
                .retrying(attempt: 2, after: .seconds(1), reason: "r"), "retrying", "attempt 2 follows in 1.000 s (r)",
                nil
            ), (.cache(.init(.hit, .fresh)), "cache", "cache hit (fresh)", nil),
            (.responded(status: 201), "responded", "responded 201", 201),
            (.ended(.completed(status: 200, responseBytes: 5)), "completed", "completed 200, 5 B in 1.500 s", 200),
            (.ended(.rejected(status: 404, responseBytes: 0)), "rejected", "rejected 404, 0 B in 1.500 s", 404),
            (.ended(.failed(error)), "failed", "failed 502 in 1.500 s: dns while resolving: m", 502),
            (.ended(.cancelled), "cancelled", "cancelled in 1.500 s", nil),
        ]
        for (kind, name, summary, status) in table {
            let event = event(kind)
            #expect(event.name == name)
            #expect(event.diagnosticSummary == "GET u: " + summary)
            #expect(event.status == status)
            #expect(self.event(kind, name: "n").diagnosticSummary == "n GET u: " + summary)
            if case .ended = kind {
                #expect(event.duration == .milliseconds(1500))
            } else {
                #expect(event.duration == nil)
            }
        }
        try #require(
            table.map { event($0.0).error != nil } == [
                false, false, false, false, true, false, false, false, false, false, false, true, false,
            ])
        try #require(
            table.map { event($0.0).retryAttempt } == [nil, nil, nil, nil, nil, nil, 2, nil, nil, nil, nil, nil, nil])
        #expect(event(table[6].0).retryDelay == .seconds(1))
        #expect(event(table[5].0).retryDelay == nil)
        #expect(event(table[7].0).cacheDecision == .init(.hit, .fresh))
        #expect(event(table[6].0).cacheDecision == nil)
        #expect(event(table[0].0).displayName == "GET")
        #expect(event(table[0].0, name: "n").displayName == "n")
        #expect(new.requestBytes == 3)
        #expect(new.responseBytes == 4)
        #expect(ActivityEvent.Attempt(number: 1).requestBytes == nil)
    }

    @Test func aTraceIsPutTogether() throws {
        let calls = CallTraceAssembler()
        func add(_ kind: ActivityEvent.Kind) -> CallTrace? { calls.add(event(kind, name: "n")) }
        #expect(add(.responded(status: 200)) == nil)
        #expect(calls.pending == 0)
        #expect(add(.started(requestBytes: nil)) == nil)
        #expect(calls.pending == 1)
        var first = ActivityEvent.Attempt(
            number: 1, status: 302,
            metrics: TransferMetrics(total: .seconds(2), requestBytes: 3, responseBytes: 4, version: "1.1"))
        first.start = .milliseconds(500)
        _ = add(.attemptEnded(first))
        _ = add(.cache(.init(.miss, .notStored)))
        var second = ActivityEvent.Attempt(number: 2, error: NetError(.dns, phase: .resolving, message: "m"))
        (second.url, second.method) = ("v", .put)
        _ = add(.attemptEnded(second))
        _ = add(.retrying(attempt: 3, after: .seconds(1), reason: "r"))
        _ = add(.attemptEnded(.init(number: 3, status: 302, metrics: first.metrics)))
        let trace = try #require(add(.ended(.completed(status: 200, responseBytes: 5))))
        #expect(calls.pending == 0)
        #expect(trace.attempts.map(\.followsRedirect) == [false, true, false])
        #expect(trace.redirects == 1)
        #expect(trace.retries == 1)
        #expect(!trace.isStreamed)
        #expect(trace.attempts.map(\.duration) == [.seconds(1), nil, .seconds(2)])
        #expect(trace.attempts.map(\.url) == ["u", "v", "u"])
        #expect(trace.date == Date(timeIntervalSince1970: 98.5))
        #expect(trace.duration == .milliseconds(1500))
        #expect(trace.requestBytes == 3)
        #expect(trace.responseBytes == 5)
        #expect(trace.status == 200)
        #expect(trace.error == nil)
        #expect(trace.traceID == nil)
        #expect(
            trace.description
                == "n GET u: completed 200, 5 B in 1.500 s\n  cache: miss (notStored)"
                + "\n  1 GET u: 302 in 1.000 s, HTTP/1.1, new connection\n"
                + "  2 (redirected) PUT v: dns\n  3 (r, 1.000 s later) GET u: 302 in 2.000 s, HTTP/1.1, new connection")
        _ = add(.started(requestBytes: 7))
        _ = add(.responded(status: 200))
        _ = add(.attemptEnded(first))
        let failed = try #require(add(.ended(.failed(NetError(.dns, phase: .resolving, message: "m")))))
        #expect(failed.isStreamed)
        #expect(failed.requestBytes == 7)
        #expect(failed.responseBytes == 4)
        #expect(failed.status == 302)
        #expect(failed.description.hasPrefix("n GET u: failed 302, 4 B in 1.500 s: dns while resolving: m"))
        let heard = Locked(0)
        let listener = TraceListener { _ in heard.change { $0 += 1 } }
        listener.record(event(.started(requestBytes: nil)))
        #expect(heard.value == 0)
        listener.record(event(.ended(.cancelled)))
        listener.record(event(.ended(.cancelled)))
        #expect(heard.value == 1)
    }

    @Test func aHubTellsTracesAndForgetsWhoLeft() async {
        let hub = ActivityHub()
        let traces = hub.subscribeToTraces(.oldest(1))
        for _ in 0..<2 {
            hub.record(event(.started(requestBytes: nil)))
            hub.record(event(.ended(.cancelled)))
        }
        #expect(hub.dropped == 1)
        #expect(hub.hasSubscribers)
        hub.finish()
        var count = 0
        for await _ in traces { count += 1 }
        #expect(count == 1)
        #expect(await eventually { !hub.hasSubscribers })
        var late = hub.subscribe(.standard).makeAsyncIterator()
        #expect(await late.next() == nil)
        #expect(!hub.hasSubscribers)
        #expect(ActivityBuffering.standard == .newest(100))
    }

    @Test func jobsHaveAnEnd() {
        #expect(JobActivity.State.allCases.filter(\.isFinal) == [.completed, .failed, .cancelled])
        let job = JobActivity(
            job: CallID(high: 1, low: 2), sequence: 3, date: Date(), kind: .download, url: "u", state: .queued)
        #expect(job.bytes == 0)
        #expect(job.attempts == 0)
        #expect(job.totalBytes == nil)
        #expect(job.title == nil)
    }
}
