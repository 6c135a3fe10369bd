import HTTPTypes
import Logging
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

@Suite(.timeLimit(.minutes(2))) struct LoggingMiddlewareTests {
    private let send: @Sendable (HTTPClient) async throws -> Void = {
        _ = try await $0.send(Request<String>("x", serializer: .string))
    }

    /// Returns the log of a call with a mock's response.
    private func log(
        _ stubs: StubResponse..., detail: LoggingMiddleware.Detail = .standard, level: Logger.Level = .trace,
        send call: (@Sendable (HTTPClient) async throws -> Void)? = nil
    ) async -> [LogLine] {
        let sink = LogSink()
        let logging = LoggingMiddleware(logger: sink.logger(level), level: .info, detail: detail)
        let retry = RetryPolicy(maximumAttempts: stubs.count, backoff: .constant(.milliseconds(1)))
        let answers = stubs.map { Stub(.get, "/x", $0).times(1) }
        let client = HTTPClient(baseURL: "http://mock.test?api_key=s3cret", transport: MockTransport(answers)) {
            $0.headers = [.authorization: "Bearer s3cret"]
            $0.middleware = [logging, RetryMiddleware(retry)]
        }
        try? await (call ?? send)(client)
        return sink.lines
    }

    private func lines(_ stub: StubResponse, detail: LoggingMiddleware.Detail = .standard) async -> [String] {
        await log(stub, detail: detail).map(\.text)
    }

    private func lines(
        _ stub: StubResponse, _ call: @escaping @Sendable (HTTPClient) async throws -> Void
    ) async -> [String] {
        await log(stub, send: call).map(\.text)
    }

    @Test func aRequestIsTwoLinesWithoutSecrets() async {
        let lines = await lines(.text("hello"))
        #expect(lines.count == 2)
        #expect(lines == ["info → request", "info ← completed"])
    }

    @Test func aGoodCallIsLoggedWhereLoggersHaveTheirDefaultLevel() async throws {
        let sink = LogSink()
        let client = HTTPClient(
            baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/x", .text("hello"))])
        ) {
            $0.middleware = [LoggingMiddleware()]
            $0.logger = sink.logger(Logger(label: "x").logLevel)
        }
        try await send(client)
        #expect(sink.lines.map(\.level) == [.info, .info])
        #expect(LoggingMiddleware().level == .info)
        let quiet = client.with { $0.middleware = [LoggingMiddleware(level: .debug)] }
        try await send(quiet)
        #expect(sink.lines.count == 2)
    }

    /// Middleware inside a cache sees the request only after a redirect that the cache responded with.
    @Test func theEndOfACallIsLoggedAfterACachedRedirect() async throws {
        let sink = LogSink()
        let moved = StubResponse.status(.movedPermanently).header(.location, "/y").header(.cacheControl, "max-age=60")
        let client = HTTPClient(
            baseURL: "http://mock.test",
            transport: MockTransport([
                Stub(.get, "/x", moved).times(1), Stub(.get, "/y", .text("hello")),
            ])
        ) {
            $0.middleware = [CacheMiddleware(), LoggingMiddleware(logger: sink.logger())]
        }
        try await send(client)
        try #require(sink.lines.map { $0.message.prefix(1) } == ["→", "→", "←"])
        try await send(client)
        #expect(sink.lines.map { $0.message.prefix(1) } == ["→", "→", "←", "→", "←"])
        #expect(sink.lines.last?.metadata["call"] == sink.lines[3].metadata["call"])
    }

    @Test func theEndOfACallIsLoggedWhoseFirstAttemptWasAnsweredOutside() async throws {
        struct Busy: Middleware {
            func intercept(
                _ request: PreparedRequest, context: CallContext, next: Next
            ) async throws -> StreamedResponse {
                if context.attempt == 1 { return StreamedResponse(head: ResponseHead(status: .serviceUnavailable)) }
                return try await next(request, context)
            }
        }
        let sink = LogSink()
        let retry = RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))
        let logging = LoggingMiddleware(logger: sink.logger())
        let client = HTTPClient(
            baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/x", .text("hello"))])
        ) {
            $0.middleware = [retry, Busy(), logging]
        }
        try await send(client)
        #expect(sink.lines.map { $0.message.prefix(1) } == ["→", "←"])
    }

    @Test func aCommandInTheLogHasALimit() async throws {
        let sink = LogSink()
        let logging = LoggingMiddleware(logger: sink.logger(), detail: .verbose)
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([Stub(.post, "/x", .text("ok"))]))
        {
            $0.middleware = [logging]
        }
        var request = Request<String>("x", method: .post, body: .text(String(repeating: "é'", count: 1 << 20)))
        request.headers["X-Long"] = String(repeating: "y", count: 100_000)
        try await client.send(request)
        let command = try #require(sink.lines.first { $0.message.hasPrefix("curl ") }).message
        #expect(command.utf8.count < 40_000)
        #expect(command.contains("of 3145728 bytes of the body"), "\(command.suffix(200))")
        for line in sink.lines { #expect(line.message.utf8.count < 40_000, "\(line.message.prefix(40))") }
    }

    @Test func nothingIsSaidTwice() async throws {
        let options = RequestOptions(metadata: RequestMetadata(operationID: "getX", tags: ["shop", "read"]))
        let stubs = [StubResponse.status(.serviceUnavailable), chunks.dropping(.afterBodyBytes(10))]
        for detail in [LoggingMiddleware.Detail.standard, .verbose] {
            let lines = await log(stubs[0], stubs[1], detail: detail) { client in
                try await client.send(Request<String>("x", options: options, serializer: .string))
            }
            for line in lines where !line.message.hasPrefix("curl ") {
                for part in ["method", "url", "status", "call", "duration", "error", "operation", "reason", "delay"] {
                    let said = line.metadata[part].map { line.message.contains($0) } ?? false
                    #expect(!said, "\(part) twice: \(line)")
                }
                #expect(
                    line.metadata["tags"] == "[\"shop\", \"read\"]" || line.metadata["tags"] == "[shop, read]",
                    "\(line)")
            }
            #expect(lines.last?.text.hasPrefix("error ✗ failed while receiving: ") == true, "\(lines)")
        }
    }

    @Test func anEntryIsOneLine() async throws {
        let sink = LogSink()
        let logging = LoggingMiddleware(logger: sink.logger(), detail: .verbose)
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([Stub(.post, "/x", .text("ok"))]))
        {
            $0.middleware = [logging]
        }
        try await client.send(Request<Void>("x", method: .post, body: .text("one\ntwo\u{2028}three")))
        #expect(sink.lines.count >= 4)
        for line in sink.lines { #expect(!line.message.contains { $0.isNewline }, "\(line.message)") }
        #expect(sink.lines.contains { $0.message.contains(#"one\ntwo\u{2028}three"#) })
    }

    @Test func fieldsAreLoggedRedacted() async {
        let text = await lines(.text("hello"), detail: .verbose).joined()
        #expect(text.contains("Authorization: <redacted>"))
        #expect(!text.contains("s3cret"))
    }

    private let chunks = StubResponse.chunks((0..<4).map { _ in StubChunk("12345") })
    private let streamed = Request<ResponseBody>("x")

    @Test func aStreamIsLoggedWhenItsBodyEnds() async {
        let lines = await lines(chunks) { client in
            for try await _ in try await client.send(streamed) {}
        }
        #expect(lines.count == 2)
        #expect(lines.last == "info ← completed")
    }

    @Test func aStreamThatIsLeftIsLoggedAsCancelled() async {
        let lines = await lines(chunks) { client in
            let body = try await client.send(streamed)
            var iterator = body.makeAsyncIterator()
            _ = try await iterator.next()
            body.cancel()
        }
        #expect(lines.count == 2)
        #expect(lines.last == "info ✗ cancelled")
    }

    @Test func aStreamThatBreaksOffIsOneErrorLine() async {
        let lines = await lines(chunks.dropping(.afterBodyBytes(10))) { client in
            for try await _ in try await client.send(streamed) {}
        }
        #expect(lines.count == 2)
        #expect(lines.filter { $0.hasPrefix("error") }.count == 1)
        #expect(lines.last?.hasPrefix("error ✗ failed while ") == true)
        #expect(!lines.joined().contains("s3cret"))
    }

    @Test func everyFailureIsOneLine() async {
        let failing = [
            StubResponse.dropped(), .text("hello").dropping(.afterBodyBytes(2)), .text("no", status: .badGateway),
        ]
        for stub in failing {
            let lines = await lines(stub)
            #expect(lines.count == 2, "\(lines)")
        }
    }

    @Test func aFailureIsAnError() async {
        let lines = await lines(.dropped())
        #expect(lines.last?.hasPrefix("error ✗ failed while ") == true)
        #expect(!lines.joined().contains("s3cret"))
    }

    @Test func eachDetailAddsToTheOneBefore() async {
        let levels = LoggingMiddleware.Detail.allCases
        var counts: [Int] = []
        for detail in levels { counts.append(await log(.text("hello"), detail: detail).count) }
        // The end; the request; cURL, head, body and attempt.
        #expect(counts == [0, 1, 2, 6])
        #expect(levels == levels.sorted())
    }

    @Test func verboseHasTheFieldsTheCommandAndTheAttempt() async throws {
        let lines = await log(.text("hello").header(.setCookie, "id=s3cret"), detail: .verbose)
        try #require(lines.count == 6, "\(lines)")
        #expect(lines[0].message.hasPrefix("→ request [Authorization: <redacted>; "))
        #expect(lines[1].message.hasPrefix("curl -H "))
        #expect(lines[1].metadata["url"] == nil)
        #expect(lines[2].message.hasPrefix("· attempt ended"))
        #expect(lines[3].message.hasPrefix("⇠ head ["))
        #expect(lines[3].message.contains("Set-Cookie: <redacted>"))
        #expect(lines[3].metadata["status"] == "200")
        #expect(lines[4].message == "⇠ body, 5 B: hello")
        #expect(lines[5].message == "← completed")
    }

    @Test func everyLineSaysWhichCallItIsOf() async throws {
        let lines = await log(.status(.serviceUnavailable), .text("hello")) { client in
            let options = RequestOptions(metadata: RequestMetadata(operationID: "getX"))
            try await client.send(Request<String>("x", options: options, serializer: .string))
        }
        try #require(lines.map(\.level) == [.info, .warning, .info])
        #expect(Set(lines.map { $0.metadata["call"] }).count == 1)
        #expect(lines[0].metadata["call"]?.count == 36)
        #expect(lines.map { $0.metadata["attempt"] } == ["1", "1", "2"])
        for line in lines {
            #expect(line.metadata["method"] == "GET")
            #expect(line.metadata["operation"] == "getX")
            #expect(line.metadata["url"] == "http://mock.test/x?api_key=<redacted>")
        }
        let end = try #require(lines.last?.metadata)
        #expect(end["status"] == "200")
        #expect(end["bytes"] == "5")
        #expect(Double(end["duration"] ?? "") != nil)
        #expect(lines[1].metadata["reason"] == "status 503")
        #expect(lines[1].metadata["delay"] == "0.001")
        #expect(lines[1].message == "↻ attempt 2 follows")
    }

    @Test func aPauseIsLoggedBeforeTheNextRequestGoesOut() async throws {
        let sink = LogSink()
        let clock = TestClock()
        let stubs = [Stub(.get, "/x", .status(.serviceUnavailable)).times(1), Stub(.get, "/x", .text("hello"))]
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport(stubs)) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.middleware = [RetryMiddleware(), LoggingMiddleware(logger: sink.logger())]
            $0.clock = clock.netClock
        }
        let text = Task { try await client.send(Request<String>("x", serializer: .string)) }
        // Without its own timeout, the call sleeps only for the pause.
        try await clock.waitForSleepers(count: 1)
        #expect(sink.lines.map(\.level) == [.info, .warning])
        #expect(try await clock.run { try await text.value } == "hello")
        // Inside the retries, each request has its line; a call has one end.
        #expect(sink.lines.map { $0.message.prefix(1) } == ["→", "↻", "→", "←"])
    }

    @Test func anAnswerThatIsNotAcceptedIsAWarning() async {
        let lines = await log(.text("no", status: .notFound))
        #expect(lines.last?.level == .warning)
        #expect(lines.last?.metadata["status"] == "404")
    }

    @Test func anAnswerThatCannotBeDecodedIsAnError() async {
        let lines = await log(.json(text: #"{"s3cret":"#)) { _ = try await $0.send(Request<[Int]>("x")) }
        #expect(lines.last?.level == .error)
        #expect(lines.last?.metadata["error"] == "decoding")
        #expect(lines.last?.metadata["status"] == "200")
        #expect(!lines.map(\.message).joined().contains("s3cret"))
    }

    @Test func disabledLogLevelsWriteNoLinesAndReadNoClock() async {
        let reads = Locked(0)
        let system = NetClock.system
        let clock = NetClock(
            now: {
                reads.change { $0 += 1 }
                return system.now()
            }, date: { system.date() },
            sleep: { try await system.sleep(for: $0) })
        func run(_ level: Logger.Level, _ detail: LoggingMiddleware.Detail) async throws -> (reads: Int, lines: Int) {
            let sink = LogSink()
            let client = HTTPClient(
                baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/x", .text("hello"))])
            ) {
                $0.middleware = [LoggingMiddleware(logger: sink.logger(level), detail: detail)]
                $0.clock = clock
            }
            reads.change { $0 = 0 }
            try await client.send(Request<String>("x", serializer: .string))
            return (reads.value, sink.lines.count)
        }
        do {
            let off = try await run(.critical, .verbose)
            let none = try await run(.trace, .none)
            let warnings = try await run(.warning, .verbose)
            let on = try await run(.debug, .verbose)
            // Without an interested listener, no clock is read.
            #expect(off.reads == none.reads)
            #expect(on.reads > off.reads)
            #expect([off.lines, none.lines, warnings.lines, on.lines] == [0, 0, 0, 6])
        } catch {
            Issue.record(error)
        }
    }
}
