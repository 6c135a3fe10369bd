import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// Event sources in virtual time, over a transport in memory.
@Suite(.timeLimit(.minutes(1))) struct EventSourceTests {
    private func source(
        _ clock: TestClock = TestClock(), request: Request<Void> = Request<Void>("events"),
        _ configuration: EventSource.Configuration = .init(idleTimeout: nil), listeners: [any ActivityListener] = [],
        _ respond: @escaping @Sendable (PreparedRequest, CallContext) async throws -> StubResponse
    ) -> (EventSource, MockTransport) {
        let transport = MockTransport(respond)
        var settings = HTTPClient.Configuration(baseURL: "https://a.test")
        settings.clock = clock.netClock
        // A test that waits for a sleeper means the pause between connections, not a timeout.
        settings.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil)
        settings.random = NetRandom { .max }
        settings.listeners = listeners
        let client = HTTPClient(configuration: settings, transport: transport)
        return (EventSource(request, client: client, configuration: configuration), transport)
    }

    private static func events(_ text: String) -> StubResponse {
        StubResponse(headers: [.contentType: "text/event-stream"], body: .text(text))
    }

    private func lastIDs(_ transport: MockTransport) -> [String?] {
        transport.recordedRequests.map { $0.headers["Last-Event-ID"] }
    }

    @Test func itReconnectsWithTheLastIdAfterTheServersTime() async throws {
        let clock = TestClock()
        let (source, transport) = source(clock) { request, _ in
            switch request.head.headerFields["Last-Event-ID"] {
            case nil: Self.events("retry: 60000\nid: 1\ndata: a\n\ndata: b\n\n")
            case "1": Self.events("data: c\n\nid: 2\n\n")
            default: .status(.noContent)
            }
        }
        let reading = Task {
            var seen: [String] = []
            for try await event in source { seen.append("\(event.lastEventID) \(event.data)") }
            return seen
        }
        for _ in 0..<2 {
            try await clock.waitForSleepers(count: 1)
            #expect(source.readyState == .connecting)
            let now = clock.now
            await clock.advance(by: .milliseconds(59_999))
            #expect(clock.sleepers == 1)
            await clock.advance(to: now + .seconds(60))
        }
        // An ID applies across connections until another one arrives, even one without data.
        #expect(try await reading.value == ["1 a", "1 b", "1 c"])
        #expect(lastIDs(transport) == [nil, "1", "2"])
        let headers = try #require(transport.recordedRequests.first).headers
        #expect(headers[.accept] == "text/event-stream")
        #expect(headers[.cacheControl] == "no-store")
        #expect(source.readyState == .closed)
        #expect(source.lastEventID == "2")
        #expect(source.reconnectionTime == .seconds(60))
    }

    #if Server
    @Test func aSourceThatTheServerEndsIsCompleted() async throws {
        let log = EventLog()
        let count = Locked(0)
        let clock = TestClock()
        let (source, _) = source(clock, listeners: [log]) { _, _ in
            count.change { $0 += 1 }
            return count.value == 2 ? .status(.noContent) : Self.events("data: a\n\n")
        }
        try await clock.run { for try await _ in source {} }
        #expect(
            log.names.filter { $0 != "attemptEnded" && $0 != "responded" } == [
                "started", "completed", "started", "completed",
            ])
        #expect(log.all.last?.status == 204)
    }

    @Test func aSourceThatEndsByItsLastWordIsCompleted() async throws {
        struct Token: Decodable, Sendable { let text: String }
        let log = EventLog()
        let (source, _) = source(listeners: [log]) { _, _ in
            let chunks = ["data: {\"text\":\"a\"}\n\n", "data: [DONE]\n\n", "data: late\n\n"]
            return StubResponse(
                headers: [.contentType: "text/event-stream"], body: .chunks(chunks.map { StubChunk($0) }))
        }
        var tokens: [String] = []
        for try await token in source.events(decoding: Token.self, until: "[DONE]") { tokens.append(token.text) }
        #expect(tokens == ["a"])
        #expect(log.names.last == "completed")
        #expect(source.readyState == .closed)
    }

    @Test func aSourceThatIsLeftIsCancelled() async throws {
        let log = EventLog()
        let (source, _) = source(listeners: [log]) { _, _ in
            StubResponse(
                headers: [.contentType: "text/event-stream"],
                body: .chunks([StubChunk("data: a\n\n"), StubChunk("data: b\n\n")]))
        }
        for try await _ in source { break }
        source.close()
        #expect(log.names.last == "cancelled")
    }
    #endif

    @Test func failuresInARowWaitLongerAndAnEventStartsAnew() async throws {
        let clock = TestClock()
        let count = Locked(0)
        let (source, _) = source(clock, .init(lastEventID: "seed", reconnectionTime: .seconds(1))) { _, _ in
            count.change { $0 += 1 }
            if count.value == 4 { return Self.events("data: late\n\n") }
            if count.value == 6 { return .status(.noContent) }
            throw NetError(.connect, phase: .connecting, message: "refused")
        }
        let seen = try await clock.run {
            var seen: [String] = []
            for try await event in source { seen.append("\(event.lastEventID) \(event.data)") }
            return seen
        }
        #expect(seen == ["seed late"])
        // 1; 1 + 1; 1 + 2, then the stream, 1 after its end, 1 after another failure. The jitter is full and the number
        // the largest.
        #expect(clock.now > .seconds(7.99))
        #expect(clock.now <= .seconds(8))
    }

    @Test func anotherStatusEndsItForEver() async throws {
        let (source, transport) = source { _, _ in .status(.serviceUnavailable) }
        let error = await #expect(throws: NetError.self) { for try await _ in source {} }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.status == 503)
        #expect(transport.recordedRequests.count == 1)
        #expect(source.readyState == .closed)
    }

    @Test func aStatusThatMayPassWaitsForRetryAfter() async throws {
        let clock = TestClock()
        let count = Locked(0)
        let configuration = EventSource.Configuration(reconnect: ReconnectPolicy())
        let (source, _) = source(clock, configuration) { _, _ in
            count.change { $0 += 1 }
            return count.value == 1
                ? StubResponse(status: .tooManyRequests, headers: [.retryAfter: "120"]) : .status(.noContent)
        }
        let reading = Task { for try await _ in source {} }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(119))
        #expect(count.value == 1)
        await clock.advance(by: .seconds(1))
        try await reading.value
        #expect(count.value == 2)
    }

    @Test func anotherContentTypeEndsItForEver() async throws {
        let (source, _) = source { _, _ in .text("data: no\n\n") }
        let error = await #expect(throws: NetError.self) { for try await _ in source {} }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("text/plain") == true)
    }

    @Test func silenceIsTakenForADeadConnection() async throws {
        let clock = TestClock()
        let count = Locked(0)
        let configuration = EventSource.Configuration(reconnectionTime: .seconds(5), idleTimeout: .seconds(60))
        let (source, _) = source(clock, configuration) { _, _ in
            count.change { $0 += 1 }
            if count.value == 2 { return .status(.noContent) }
            let beats = (0..<3).map { _ in StubChunk(Bytes(": beat\n".utf8), after: .seconds(50)) }
            return StubResponse(
                headers: [.contentType: "text/event-stream"],
                body: .chunks(beats + [StubChunk(Bytes("data: never\n\n".utf8), after: .seconds(600))]))
        }
        try await clock.run { for try await _ in source { Issue.record("no event was sent") } }
        #expect(count.value == 2)
        #expect(clock.now == .seconds(3 * 50 + 60 + 5))
    }

    @Test func aPostIsSentOnceUnlessItMayBeRepeated() async throws {
        var request = Request<Void>("events", method: .post, body: .text("go"))
        let (once, transport) = source(request: request) { _, _ in Self.events("data: a\n\n") }
        var seen = 0
        for try await _ in once { seen += 1 }
        #expect(seen == 1)
        #expect(transport.recordedRequests.count == 1)
        request.options.idempotencyKey = "k"
        let clock = TestClock()
        let count = Locked(0)
        let (repeated, _) = source(clock, request: request) { _, _ in
            count.change { $0 += 1 }
            return count.value == 2 ? .status(.noContent) : Self.events("data: a\n\n")
        }
        try await clock.run { for try await _ in repeated {} }
        #expect(count.value == 2)
    }

    @Test func aSentinelEndsDecodedEvents() async throws {
        struct Token: Decodable, Sendable { let text: String }
        let (source, transport) = source { _, _ in
            Self.events("data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b\"}\n\ndata: [DONE]\n\ndata: {}\n\n")
        }
        var seen: [String] = []
        for try await token in source.events(decoding: Token.self, until: "[DONE]") { seen.append(token.text) }
        #expect(seen == ["a", "b"])
        #expect(source.readyState == .closed)
        #expect(transport.recordedRequests.count == 1)
        let bad = self.source { _, _ in Self.events("data: {\"text\":1}\n\n") }.0
        let error = await #expect(throws: NetError.self) {
            for try await _ in bad.events(decoding: Token.self, until: "[DONE]") {}
        }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("$.text") == true)
        #expect(bad.readyState == .closed)
    }

    @Test func anEventPastTheLimitEndsItForEver() async throws {
        var configuration = EventSource.Configuration()
        configuration.maximumEventBytes = 100
        let (source, _) = source(TestClock(), configuration) { _, _ in
            Self.events("data: " + String(repeating: "x", count: 200) + "\n\n")
        }
        let error = await #expect(throws: NetError.self) { for try await _ in source {} }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func closingEndsTheWaitAndTheIteration() async throws {
        let clock = TestClock()
        let (source, _) = source(clock) { _, _ in Self.events("data: a\n\n") }
        let states = source.readyStates
        let reading = Task {
            var seen = 0
            for try await _ in source { seen += 1 }
            return seen
        }
        try await clock.waitForSleepers(count: 1)
        source.close()
        #expect(try await reading.value == 1)
        var seen: [EventSource.ReadyState] = []
        for await state in states {
            seen.append(state)
            if state == .closed, seen.count > 1 { break }
        }
        #expect(seen == [.closed, .connecting, .open, .connecting, .closed])
    }

    @Test func contentTypeAndDecodingErrorsIncludeTheURL() async throws {
        let (page, _) = source { _, _ in .text("data: no\n\n") }
        let other = await #expect(throws: NetError.self) { for try await _ in page {} }
        #expect(other?.url == "https://a.test/events")
        #expect(other?.code == .decoding)
        let (events, _) = source { _, _ in Self.events("data: nonsense\n\n") }
        let error = await #expect(throws: NetError.self) { for try await _ in events.events(decoding: [Int].self) {} }
        #expect(error?.url == "https://a.test/events")
        #expect(error?.message.contains("can't be decoded as Array<Int>") == true)
        #expect(events.readyState == .closed)
    }

    @Test func aBodyThatCanBeReadOnceIsSentOnce() async throws {
        let chunks = AsyncStream<Bytes> { feed in
            feed.yield(Bytes("question".utf8))
            feed.finish()
        }
        var request = Request<Void>("events", method: .post, body: .stream(chunks))
        request.options.retry = .always
        let (source, transport) = source(request: request) { _, _ in Self.events("data: answer\n\n") }
        var seen: [String] = []
        for try await event in source { seen.append(event.data) }
        #expect(seen == ["answer"])
        #expect(transport.recordedRequests.map(\.body) == [Bytes("question".utf8)])
    }

    @Test func cancellingTheTaskEndsTheWait() async throws {
        let clock = TestClock()
        let (source, _) = source(clock) { _, _ in throw NetError(.dns, phase: .resolving, message: "no such host") }
        let reading = Task { for try await _ in source {} }
        try await clock.waitForSleepers(count: 1)
        reading.cancel()
        let error = await #expect(throws: NetError.self) { try await reading.value }
        #expect(error?.isCancellation == true)
        #expect(source.readyState == .closed)
        #expect(clock.sleepers == 0)
    }

    @Test func aSecondReaderIsRefusedAndALaterOneGoesOn() async throws {
        let clock = TestClock()
        let (source, transport) = source(clock) { request, _ in
            Self.events(
                request.head.headerFields["Last-Event-ID"] == nil ? "id: 1\ndata: a\n\n" : "data: b\n\n")
        }
        var first: EventSource.AsyncIterator? = source.makeAsyncIterator()
        #expect(try await first?.next()?.data == "a")
        var second = source.makeAsyncIterator()
        let error = await #expect(throws: NetError.self) { try await second.next() }
        #expect(error?.code == .unsupported)
        first = nil
        #expect(source.readyState == .closed)
        var third = source.makeAsyncIterator()
        #expect(try await third.next()?.data == "b")
        #expect(lastIDs(transport) == [nil, "1"])
    }
}
