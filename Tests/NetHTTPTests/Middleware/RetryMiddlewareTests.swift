#if Server
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite struct RetryMiddlewareTests {
    private let quick = RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))
    private let get = Request<String>("flaky", serializer: .string)

    private func flaky(_ failures: Int, _ failure: StubResponse = .status(.serviceUnavailable)) -> [Stub] {
        [Stub(nil, "/flaky", failure).times(failures), Stub(nil, "/flaky", .text("fine"))]
    }

    @Test(arguments: Wire.allCases) func twoFailuresThenSuccess(wire: Wire) async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client {
            $0.middleware = [quick]
            $0.listeners = [log]
        }
        try await Fixture.run(flaky(2), over: wire, with: setup) { fixture in
            let response = try await fixture.client.response(get)
            #expect(response.value == "fine")
            #expect(fixture.server.requests.count == 3)
            // A short body is read to its end, so one connection serves all attempts.
            #expect(fixture.server.statistics.connections == 1)
            #expect(
                log.names == [
                    "started", "attemptEnded", "retrying", "attemptEnded", "retrying", "attemptEnded", "completed",
                ])
        }
    }

    @Test func theLastAnswerIsTheCalls() async throws {
        try await Fixture.run(flaky(9), with: .client { $0.middleware = [quick] }) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.status == 503)
            #expect(fixture.server.requests.count == 3)
        }
    }

    @Test func aPostIsNotRepeatedUnlessItSaysSo() async throws {
        try await Fixture.run(flaky(1), with: .client { $0.middleware = [quick] }) { fixture in
            var post = get
            post.method = .post
            post.body = .text("order")
            let error = try await failure { try await fixture.client.send(post) }
            #expect(error.status == 503)
            #expect(fixture.server.requests.count == 1)
        }
        try await Fixture.run(flaky(1), with: .client { $0.middleware = [quick] }) { fixture in
            var post = get
            post.method = .post
            post.body = .text("order")
            post.options.idempotencyKey = "k-1"
            let text = try await fixture.client.send(post)
            #expect(text == "fine")
            let seen = fixture.server.requests
            #expect(seen.map(\.body) == [Bytes("order".utf8), Bytes("order".utf8)])
            #expect(seen.allSatisfy { $0.fields[.init("Idempotency-Key")!] == "k-1" })
        }
    }

    @Test func aStreamWithAnotherAttemptIsMadeAnew() async throws {
        try await Fixture.run(flaky(1), with: .client { $0.middleware = [quick] }) { fixture in
            let chunks = AsyncStream<Bytes> { continuation in
                continuation.yield(Bytes("once".utf8))
                continuation.finish()
            }
            var put = get
            put.method = .put
            put.options.retry = .always
            put.body = .stream(chunks)
            let error = try await failure { try await fixture.client.send(put) }
            #expect(error.status == 503)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aLostConnectionIsRepeated() async throws {
        try await Fixture.run(flaky(1, .dropped()), with: .client { $0.middleware = [quick] }) { fixture in
            let text = try await fixture.client.send(get)
            #expect(text == "fine")
        }
        let cut = StubResponse.text("a long enough answer").dropping(.afterBodyBytes(5))
        try await Fixture.run(flaky(1, cut), with: .client { $0.middleware = [quick] }) { fixture in
            let text = try await fixture.client.send(get)
            #expect(text == "fine")
        }
    }

    @Test func aStreamIsRepeatedUntilItsHeadIsHandedOut() async throws {
        try await Fixture.run(flaky(1), with: .client { $0.middleware = [quick] }) { fixture in
            let response = try await fixture.client.stream(get)
            #expect(try await response.body.collect(upTo: 100) == Bytes("fine".utf8))
        }
        let cut = StubResponse.text("a long enough answer").dropping(.afterBodyBytes(5))
        try await Fixture.run(flaky(1, cut), with: .client { $0.middleware = [quick] }) { fixture in
            let response = try await fixture.client.stream(get)
            let error = await #expect(throws: NetError.self) { try await response.body.collect(upTo: 100) }
            #expect(error?.code == .connectionLost)
            #expect(fixture.server.requests.count == 1)
        }
    }
}

@Suite struct RetryInVirtualTimeTests {
    private let get = Request<String>("flaky", serializer: .string)

    private func client(_ clock: TestClock, _ stubs: [Stub], _ log: EventLog = EventLog()) -> HTTPClient {
        HTTPClient(
            configuration: .init(
                baseURL: "http://mock.test", timeouts: .total(.seconds(100)),
                middleware: [RetryMiddleware(RetryPolicy(backoff: .constant(.seconds(30))))], listeners: [log],
                clock: clock.netClock, random: SeededRandom(seed: 1).netRandom),
            transport: MockTransport(stubs))
    }

    private let busy = StubResponse.status(.serviceUnavailable)

    @Test func halfAMinutePassesInNoTime() async throws {
        let clock = TestClock()
        let client = client(clock, [Stub(.get, "/flaky", busy).times(2), Stub(.get, "/flaky", .text("fine"))])
        let task = Task { try await client.send(get) }
        for _ in 0..<2 {
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(30))
        }
        #expect(try await task.value == "fine")
        #expect(clock.now == .seconds(60))
    }

    @Test func retryAfterIsWaitedFor() async throws {
        let clock = TestClock()
        let asked = busy.field(.retryAfter, "45")
        let client = client(clock, [Stub(.get, "/flaky", asked).times(1), Stub(.get, "/flaky", .text("fine"))])
        let task = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(44))
        #expect(clock.sleepers == 1)
        await clock.advance(by: .seconds(1))
        #expect(try await task.value == "fine")
    }

    @Test func noAttemptBeginsPastTheDeadline() async throws {
        let clock = TestClock()
        let log = EventLog()
        let client = client(clock, [Stub(.get, "/flaky", busy.field(.retryAfter, "60"))], log)
        let task = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(60))
        let error = try await failure {
            try await task.value
        }
        #expect(error.status == 503)
        #expect(error.attempt == 2 || error.attempt == 1)
        #expect(log.names.filter { $0 == "retrying" }.count == 1)
    }

    @Test func cancellingDuringThePauseEndsTheCall() async throws {
        let clock = TestClock()
        let client = client(clock, [Stub(.get, "/flaky", busy)])
        let task = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        let error = await #expect(throws: APIError<Never>.self) { try await task.value }
        #expect(error?.netError?.isCancellation == true)
        #expect(client.unfinishedCalls == 0)
    }
}
#endif
