import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetStore

/// The spans of an entry, without a store.
struct OTLPSpanTests {
    private static let start: Int64 = 1_767_225_600_000_000
    private static let trace = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")

    private func item(_ kind: StoredItem.Kind = .call, _ change: (inout StoredItem) -> Void = { _ in }) -> StoredItem {
        var item = StoredItem(
            id: 7, uid: CallID(high: 1, low: 2), kind: kind, run: 1, startedAt: StoredTime.date(Self.start))
        item.duration = .milliseconds(250)
        item.outcome = .completed
        if kind == .call {
            (item.method, item.url, item.status) = ("GET", "https://api.example.com/users?x=1", 200)
        }
        change(&item)
        return item
    }

    private func attempt(
        _ number: Int, _ item: StoredItem, end: Duration? = nil, _ change: (inout StoredAttempt) -> Void = { _ in }
    ) -> OTLPEntry.Attempt {
        var attempt = StoredAttempt(number)
        (attempt.method, attempt.url, attempt.status) = (item.method, item.url, item.status)
        attempt.start = .zero
        change(&attempt)
        return OTLPEntry.Attempt(attempt: attempt, end: end)
    }

    private func spans(_ item: StoredItem, _ attempts: [OTLPEntry.Attempt] = []) -> [OTLPSpan] {
        OTLPSpanBuilder(OTLPEntry(item: item, attempts: attempts)).spans
    }

    private func text(_ span: OTLPSpan, _ key: String) -> String? {
        if case .string(let text) = span.attributes[key] { text } else { nil }
    }

    private func number(_ span: OTLPSpan, _ key: String) -> Int64? {
        if case .integer(let number) = span.attributes[key] { number } else { nil }
    }

    @Test func `An attempt has the ID that it sent, below a call in the same trace`() throws {
        let item = item { $0.operation = "getUser" }
        let spans = spans(item, [attempt(1, item, end: .milliseconds(200)) { $0.trace = Self.trace }])
        let (call, sent) = (try #require(spans.first), try #require(spans.last))
        #expect(spans.count == 2)
        #expect(call.kind == .internal)
        #expect(sent.kind == .client)
        #expect(sent.span == 0xb7ad_6b71_6920_3331)
        #expect(call.trace == CallID(high: 0x0af7_6519_16cd_43dd, low: 0x8448_eb21_1c80_319c))
        #expect(sent.trace == call.trace)
        #expect(sent.parent == call.span)
        #expect(call.parent == nil)
        #expect(call.name == "GET getUser")
        #expect(sent.name == "GET getUser")
        #expect(sent.start == Self.start)
        #expect(sent.end == Self.start + 200_000)
        #expect(call.start == Self.start)
        #expect(call.end == Self.start + 250_000)
    }

    @Test func `The ID of a call is the beginning of a SHA-256`() {
        // printf 000000000000000100000000000000020100000000 | xxd -r -p | sha256sum
        #expect(OTLPSpanID.derived(from: CallID(high: 1, low: 2), .call) == 0xe73e_d1e2_2079_8dd5)
    }

    @Test func `Without a traceparent the trace is the call's ID and attempts have IDs of their own`() {
        let item = item()
        let spans = spans(item, [attempt(1, item), attempt(2, item)])
        #expect(Set(spans.map(\.span)).count == 3)
        #expect(spans.allSatisfy { $0.trace == item.uid && $0.isSampled })
        #expect(spans == self.spans(item, [attempt(1, item), attempt(2, item)]), "the same each time")
    }

    @Test func `Attempts with one traceparent are spans of their own`() {
        let item = item()
        let spans = spans(item, (1...2).map { attempt($0, item) { $0.trace = Self.trace } })
        #expect(spans[1].span == Self.trace?.parentID)
        #expect(spans[2].span != spans[1].span)
        #expect(spans[2].parent == spans[0].span)
    }

    @Test func `An attempt in another trace links to its call`() {
        let item = item()
        let other = TraceParent("00-00000000000000000000000000000009-0000000000000003-00")
        let spans = spans(item, [attempt(1, item) { $0.trace = other }, attempt(2, item) { $0.trace = Self.trace }])
        #expect(spans[1].parent == nil)
        #expect(spans[1].links == [.init(trace: spans[0].trace, span: spans[0].span)])
        #expect(spans[1].flags == 0x100)
        #expect(spans[2].flags == 0x101)
    }

    private static let outcomes: [(StoredItem.Outcome, status: Int?, code: String?, expected: String?)] = [
        (.completed, 200, nil, nil), (.completed, 404, nil, nil), (.rejected, 503, nil, "503"),
        (.failed, 200, "decoding", "decoding"), (.failed, nil, "timeout", "timeout"),
        (.failed, 401, "authentication", "401"), (.cancelled, nil, nil, "cancelled"), (.cutOff, nil, nil, "cutOff"),
    ]

    @Test(arguments: outcomes)
    func `A call fails by its outcome`(outcome: StoredItem.Outcome, status: Int?, code: String?, expected: String?) {
        let item = item {
            ($0.outcome, $0.status) = (outcome, status)
            $0.failure = code.map { StoredFailure(code: $0, phase: "waiting", message: "it failed") }
        }
        let span = spans(item)[0]
        #expect(text(span, "error.type") == expected)
        #expect(span.isError == (expected != nil))
        #expect(span.message == (code == nil ? (outcome == .cutOff ? "the process ended before" : nil) : "it failed"))
    }

    @Test func `An attempt says what the conventions name`() throws {
        let item = item { ($0.method, $0.url) = ("BREW", "https://api.example.com:8443/pot") }
        let third = attempt(3, item) { attempt in
            attempt.status = 503
            attempt.version = "2"
            attempt.remoteAddress = "192.0.2.1:8443"
            attempt.requestBytes = 10
            attempt.phases = TransferPhases(connect: .milliseconds(5))
        }
        let span = spans(item, [third])[1]
        #expect(span.name == "HTTP")
        #expect(text(span, "http.request.method") == "_OTHER")
        #expect(text(span, "http.request.method_original") == "BREW")
        #expect(text(span, "url.full") == "https://api.example.com:8443/pot")
        #expect(text(span, "server.address") == "api.example.com")
        #expect(number(span, "server.port") == 8443)
        #expect(number(span, "http.request.resend_count") == 2)
        #expect(number(span, "http.response.status_code") == 503)
        #expect(text(span, "error.type") == "503")
        #expect(text(span, "network.protocol.version") == "2")
        #expect(text(span, "network.peer.address") == "192.0.2.1")
        #expect(number(span, "network.peer.port") == 8443)
        #expect(number(span, "http.request.body.size") == 10)
        #expect(span.attributes["swift_net.phase.connect"] == .double(0.005))
        #expect(span.isError)
        #expect(span.message == nil)
    }

    @Test func `A retry is an event of the call, at the end of the attempt`() throws {
        let item = item()
        let first = attempt(1, item, end: .milliseconds(30)) {
            ($0.retryDelay, $0.retryReason) = (.milliseconds(500), "status 503")
        }
        let call = spans(item, [first, attempt(2, item)])[0]
        let event = try #require(call.events.first)
        #expect(call.events.count == 1)
        #expect(event.name == "retry")
        #expect(event.time == Self.start + 30_000)
        #expect(event.attributes["swift_net.retry.delay"] == .double(0.5))
        #expect(event.attributes["swift_net.retry.reason"] == .string("status 503"))
    }

    @Test func `A cached call is one span`() throws {
        let spans = spans(item { ($0.cache, $0.cacheReason) = ("serve", "fresh") })
        try #require(spans.count == 1)
        #expect(text(spans[0], "swift_net.cache.action") == "serve")
    }

    @Test func `A WebSocket is below the call that opened it, in its trace`() {
        let item = item(.socket) {
            ($0.url, $0.status) = ("wss://api.example.com/live", 1000)
            $0.detail = "subprotocol v1, 3 messages sent, 4 received"
        }
        let trace = CallID(high: 8, low: 9)
        let span = OTLPSpanBuilder(OTLPEntry(item: item, ownerTrace: trace)).spans[0]
        #expect(span.kind == .client)
        #expect(span.name == "WebSocket")
        #expect(span.trace == trace)
        #expect(!span.isError)
        #expect(span.parent == OTLPSpanID.derived(from: item.uid, .call))
        #expect(span.span != span.parent)
        #expect(number(span, "swift_net.websocket.close_code") == 1000)
        #expect(text(span, "swift_net.websocket.subprotocol") == "v1")
        #expect(number(span, "swift_net.websocket.messages.sent") == 3)
        #expect(number(span, "swift_net.websocket.messages.received") == 4)
        #expect(number(span, "server.port") == 443)
    }

    @Test func `The call of a job links to it`() {
        let job = CallID(high: 5, low: 6)
        let call = spans(item { $0.owner = job })[0]
        let span = spans(item(.job) { ($0.uid, $0.name) = (job, "film.mp4") })[0]
        #expect(span.name == "film.mp4")
        #expect(span.kind == .internal)
        #expect(span.trace == job)
        #expect(call.links == [.init(trace: job, span: span.span)])
        #expect(call.parent == nil)
        let child = spans(item { ($0.uid, $0.owner) = (job, job) })[0]
        #expect(child.parent == span.span, "in the same trace it is a child")
    }

    @Test func `A row that somebody has changed makes a span that can be sent`() {
        let item = item {
            ($0.uid, $0.startedAt) = (CallID(high: 0, low: 0), Date(timeIntervalSince1970: -1e300))
            ($0.duration, $0.url, $0.method) = (.microseconds(Int64.max), "", "")
        }
        var json = OTLPJSON()
        for span in spans(item, [attempt(-1, item)]) { span.write(to: &json) }
        #expect(!String(decoding: json.bytes, as: UTF8.self).contains("\"00000000000000000000000000000000\""))
    }
}
