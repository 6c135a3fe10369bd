import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import NetCore

@Suite struct CallTraceTests {
    private static let call = CallID(high: 1, low: 2)

    private func event(_ elapsed: Duration, _ kind: ActivityEvent.Kind, call: CallID = call) -> ActivityEvent {
        ActivityEvent(
            call: call, sequence: 1, date: Date(timeIntervalSince1970: 1000 + elapsed.inSeconds), elapsed: elapsed,
            method: .post, url: "http://h/a", metadata: RequestMetadata(name: "n"), kind: kind)
    }

    private func attempt(
        _ number: Int, status: Int? = nil, error: NetError? = nil, url: String? = nil, start: Duration? = nil
    ) -> ActivityEvent.Kind {
        var attempt = ActivityEvent.Attempt(number: number, status: status, error: error)
        attempt.url = url
        attempt.start = start
        attempt.metrics = TransferMetrics(total: .seconds(1), requestBytes: 7, responseBytes: 9, version: "1.1")
        return .attemptEnded(attempt)
    }

    private func build(_ events: [ActivityEvent]) -> [CallTrace] {
        let calls = CallTraceAssembler()
        let traces = events.compactMap { calls.add($0) }
        #expect(calls.pending == 0)
        return traces
    }

    @Test func aCallIsPutTogetherWithItsRetriesAndRedirects() throws {
        let lost = NetError(.connectionLost, phase: .waiting, message: "gone")
        let traces = build([
            event(.zero, .started(requestBytes: 7)), event(.seconds(1), attempt(1, error: lost, start: .zero)),
            event(.seconds(1), .retrying(attempt: 2, after: .seconds(2), reason: "connectionLost")),
            event(.seconds(4), attempt(2, status: 302, start: .seconds(3))),
            event(.seconds(6), attempt(3, status: 200, url: "http://h/b", start: .seconds(4))),
            event(.seconds(6), .ended(.completed(status: 200, responseBytes: 5))),
        ])
        let trace = try #require(traces.first)
        #expect(traces.count == 1)
        #expect(trace.call == Self.call)
        #expect(trace.date == Date(timeIntervalSince1970: 1000))
        #expect(trace.duration == .seconds(6))
        #expect(trace.status == 200)
        #expect(trace.error == nil)
        #expect(trace.requestBytes == 7)
        #expect(trace.responseBytes == 5)
        #expect(trace.retries == 1)
        #expect(trace.redirects == 1)
        #expect(!trace.isStreamed)
        try #require(trace.attempts.map(\.number) == [1, 2, 3])
        #expect(trace.attempts.map(\.url) == ["http://h/a", "http://h/a", "http://h/b"])
        #expect(trace.attempts.map(\.retry) == [nil, .init(reason: "connectionLost", delay: .seconds(2)), nil])
        #expect(trace.attempts.map(\.duration) == [.seconds(1), .seconds(1), .seconds(2)])
        #expect(trace.attempts.map(\.followsRedirect) == [false, false, true])
        #expect(trace.attempts[0].error?.code == .connectionLost)
        #expect(
            trace.description.split(separator: "\n").map { $0.prefix(60) }
                == [
                    "n POST http://h/a: completed 200, 5 B in 6.000 s",
                    "  1 POST http://h/a: connectionLost in 1.000 s, HTTP/1.1, new c",
                    "  2 (connectionLost, 2.000 s later) POST http://h/a: 302 in 1.0",
                    "  3 (redirected) POST http://h/b: 200 in 2.000 s, HTTP/1.1, new",
                ].map { $0.prefix(60) })
    }

    @Test("Each way to end makes one trace, whatever follows", arguments: 0..<4)
    func everyEnd(index: Int) {
        let error = NetError(.timeout, phase: .waiting, message: "slow")
        let outcome: ActivityEvent.Outcome = [
            .completed(status: 200, responseBytes: 1), .rejected(status: 404, responseBytes: 2), .failed(error),
            .cancelled,
        ][index]
        let traces = build([
            event(.zero, .started(requestBytes: nil)), event(.zero, .responded(status: 200)),
            event(.seconds(1), attempt(1, status: 200)), event(.seconds(1), .ended(outcome)),
            event(.seconds(1), .ended(outcome)), event(.seconds(2), attempt(1, status: 200)),
        ])
        #expect(traces.count == 1)
        #expect(traces.first?.isStreamed == true)
        #expect(traces.first?.outcome.name == ["completed", "rejected", "failed", "cancelled"][index])
        // If the end doesn't contain a count, the transport's applies.
        #expect(traces.first?.responseBytes == [1, 2, 9, 9][index])
        #expect(traces.first?.requestBytes == 7)
        #expect(traces.first?.status == [200, 404, 200, 200][index])
    }

    @Test func callsAtTheSameTimeAreKeptApart() {
        let other = CallID(high: 9, low: 9)
        let traces = build([
            event(.zero, .started(requestBytes: 0)), event(.zero, .started(requestBytes: 0), call: other),
            event(.zero, attempt(1, status: 200), call: other), event(.zero, .ended(.cancelled)),
            event(.zero, .ended(.completed(status: 200, responseBytes: 0)), call: other),
        ])
        #expect(traces.map(\.call) == [Self.call, other])
        #expect(traces.map(\.attempts.count) == [0, 1])
    }

    @Test func aCallWhoseBeginningWasNotHeardIsPassedOver() {
        #expect(build([event(.zero, attempt(1, status: 200)), event(.zero, .ended(.cancelled))]).isEmpty)
    }

    @Test func aListenerGetsOneTraceACall() {
        let traces = Mutex<[CallTrace]>([])
        let listener = TraceListener { trace in traces.withLock { $0.append(trace) } }
        for kind in [ActivityEvent.Kind.started(requestBytes: 0), .ended(.cancelled), .ended(.cancelled)] {
            listener.record(event(.zero, kind))
        }
        #expect(traces.withLock { $0.count } == 1)
    }

    @Test func phasesAreTheTimesBetween() {
        var metrics = TransferMetrics(total: .milliseconds(100))
        #expect(metrics.phases.all.isEmpty)
        metrics.queued = .milliseconds(1)
        metrics.resolved = .milliseconds(3)
        metrics.connected = .milliseconds(6)
        metrics.secured = .milliseconds(16)
        metrics.requestSent = .milliseconds(17)
        metrics.firstByte = .milliseconds(47)
        #expect(metrics.phases.all.map(\.name) == ["queued", "lookup", "connect", "secure", "waiting", "download"])
        #expect(metrics.phases.all.map { $0.time } == [1, 2, 3, 10, 30, 53].map { .milliseconds($0) })
        metrics.requestBytes = 8
        metrics.requestStarted = .milliseconds(17)
        metrics.requestSent = .milliseconds(40)
        #expect(metrics.phases.sending == .milliseconds(23))
        #expect(metrics.phases.waiting == .milliseconds(7))
        #expect(metrics.phases.all.map(\.name).suffix(3) == ["sending", "waiting", "download"])
        // The server responds before it has the whole body; it reads the rest, or it doesn't.
        for sent in [Duration.milliseconds(60), nil] {
            metrics.requestSent = sent
            #expect(metrics.phases.sending == .milliseconds(30))
            #expect(metrics.phases.waiting == .zero)
            #expect(metrics.phases.download == .milliseconds(53))
        }
        // A body that takes no time, and no body.
        metrics.requestSent = .milliseconds(17)
        #expect(metrics.phases.sending == .zero)
        metrics.requestBytes = 0
        #expect(metrics.phases.sending == nil)
        #expect(metrics.phases.waiting == .milliseconds(30))
        metrics.requestSent = nil
        #expect(metrics.phases.sending == nil)
        #expect(metrics.phases.waiting == .milliseconds(30))
        // A reused connection.
        var used = TransferMetrics(total: .milliseconds(10))
        used.requestSent = .milliseconds(2)
        used.firstByte = .milliseconds(9)
        #expect(used.phases.all.map(\.name) == ["waiting", "download"])
        #expect(used.phases.waiting == .milliseconds(7))
        #expect(used.phases.download == .milliseconds(1))
    }
}

@Suite struct ActivitySummaryTests {
    private func event(_ kind: ActivityEvent.Kind, name: String? = nil) -> ActivityEvent {
        ActivityEvent(
            call: CallID(high: 0, low: 0), sequence: 1, date: .distantPast, elapsed: .seconds(2), method: .get,
            url: "http://h/", metadata: RequestMetadata(name: name), kind: kind)
    }

    @Test func anEventSaysWhatItHolds() {
        let rejected = event(.ended(.rejected(status: 404, responseBytes: 3)), name: "find")
        #expect(rejected.name == "rejected")
        #expect(rejected.status == 404)
        #expect(rejected.duration == .seconds(2))
        #expect(rejected.diagnosticSummary == "find GET http://h/: rejected 404, 3 B in 2.000 s")
        #expect(rejected.displayName == "find")
        #expect(event(.ended(.cancelled)).displayName == "GET")
        let retrying = event(.retrying(attempt: 2, after: .seconds(1), reason: "status 503"))
        #expect(retrying.retryAttempt == 2)
        #expect(retrying.retryDelay == .seconds(1))
        #expect(retrying.duration == nil)
        #expect(retrying.diagnosticSummary == "GET http://h/: attempt 2 follows in 1.000 s (status 503)")
        #expect(event(.started(requestBytes: 5)).diagnosticSummary == "GET http://h/: started, sends 5 B")
        #expect(event(.responded(status: 206)).status == 206)
    }

    @Test func aFailureSaysHowFarItCame() {
        let error = NetError(
            .decoding, phase: .decoding, message: "no",
            response: .init(head: ResponseHead(status: .ok), body: Bytes("secret".utf8)))
        let failed = event(.ended(.failed(error)))
        #expect(failed.error?.phase == .decoding)
        #expect(failed.status == 200)
        #expect(failed.diagnosticSummary == "GET http://h/: failed 200 in 2.000 s: decoding while decoding: no")
        let attempt = event(.attemptEnded(.init(number: 3, error: error)))
        #expect(attempt.error?.code == .decoding)
        #expect(attempt.diagnosticSummary == "GET http://h/: attempt 3: decoding")
    }
}
