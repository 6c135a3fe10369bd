#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct RetryMiddlewareTests {
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
            // A short body is read to its end, so all attempts use one connection.
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
            #expect(seen.allSatisfy { $0.headers["Idempotency-Key"] == "k-1" })
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

@Suite(.timeLimit(.minutes(2))) struct RetryInVirtualTimeTests {
    private let get = Request<String>("flaky", serializer: .string)

    private let log = EventLog()

    /// A client without its own timeouts: the only sleeper on the clock is the pause between two attempts.
    private func client(
        _ clock: TestClock, _ stubs: [Stub], total: Duration? = nil,
        _ retry: RetryMiddleware = RetryMiddleware(RetryPolicy(backoff: .constant(.seconds(30))))
    ) -> HTTPClient {
        HTTPClient(baseURL: "http://mock.test", transport: MockTransport(stubs)) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil, total: total)
            $0.middleware = [retry]
            $0.listeners = [log]
            $0.clock = clock.netClock
            $0.random = SeededRandom(seed: 1).netRandom
        }
    }

    /// Waits until the call pauses before attempt `attempt`.
    private func waitForPause(before attempt: Int, _ clock: TestClock, sleepers: Int = 1) async throws {
        while log.names.filter({ $0 == "retrying" }).count < attempt - 1, !Task.isCancelled { await Task.yield() }
        try await clock.waitForSleepers(count: sleepers)
    }

    private let busy = StubResponse.status(.serviceUnavailable)

    @Test func halfAMinutePassesInNoTime() async throws {
        let clock = TestClock()
        let client = client(clock, [Stub(.get, "/flaky", busy).times(2), Stub(.get, "/flaky", .text("fine"))])
        let task = Task { try await client.send(get) }
        for attempt in 2...3 {
            try await waitForPause(before: attempt, clock)
            await clock.advance(by: .seconds(30))
        }
        #expect(try await task.value == "fine")
        #expect(clock.now == .seconds(60))
    }

    @Test func retryAfterIsWaitedFor() async throws {
        let clock = TestClock()
        let asked = busy.header(.retryAfter, "45")
        let client = client(clock, [Stub(.get, "/flaky", asked).times(1), Stub(.get, "/flaky", .text("fine"))])
        let task = Task { try await client.send(get) }
        try await waitForPause(before: 2, clock)
        await clock.advance(by: .seconds(44))
        #expect(clock.sleepers == 1)
        await clock.advance(by: .seconds(1))
        #expect(try await task.value == "fine")
    }

    @Test func noAttemptBeginsPastTheDeadline() async throws {
        let clock = TestClock()
        let client = client(clock, [Stub(.get, "/flaky", busy.header(.retryAfter, "60"))], total: .seconds(100))
        let task = Task { try await client.send(get) }
        // The other sleeper is the total timeout.
        try await waitForPause(before: 2, clock, sleepers: 2)
        await clock.advance(by: .seconds(60))
        let error = try await failure {
            try await task.value
        }
        #expect(error.status == 503)
        #expect(error.attempt == 2)
        #expect(log.names.filter { $0 == "retrying" }.count == 1)
    }

    @Test func anErrorSaysThatTheDeadlineForbidsAnotherAttempt() async throws {
        let clock = TestClock()
        let asked = busy.header(.retryAfter, "45")
        let client = client(clock, [Stub(.get, "/flaky", asked)], total: .seconds(20))
        let error = try await failure { try await client.send(get) }
        #expect(error.status == 503)
        #expect(error.attempt == 1)
        #expect(error.message.contains("another attempt would have come after 45.000 s"), "\(error)")
        #expect(error.message.contains("the total timeout of 20.000 s leaves 20.000 s"), "\(error)")
        let streamed = try await failure { try await client.stream(get) }
        #expect(streamed.message.contains("another attempt would have come after 45.000 s"), "\(streamed)")
        do {
            try await client.send(get.rejected(as: String.self))
            Issue.record("the server answered 503")
        } catch {
            #expect("\(error)".contains("another attempt would have come after 45.000 s"), "\(error)")
        }
    }

    @Test func aLostConnectionSaysThatTheDeadlineForbidsAnotherAttempt() async throws {
        let clock = TestClock()
        let client = client(clock, [Stub(.get, "/flaky", .dropped())], total: .seconds(20))
        let error = try await failure { try await client.send(get) }
        #expect(error.code == .connectionLost)
        #expect(error.attempt == 1)
        #expect(error.phase != .queued)
        #expect(error.message.contains("another attempt would have come after 30.000 s"), "\(error)")
        #expect(error.url == "http://mock.test/flaky")
        #expect(error.elapsed != nil)
    }

    @Test func anErrorSaysWhichLimitOfTheRetriesForbidsAnotherAttempt() async throws {
        let clock = TestClock()
        let patient = client(clock, [Stub(.get, "/flaky", busy.header(.retryAfter, "600"))])
        let long = try await failure { try await patient.send(get) }
        #expect(
            long.message.contains("the server asks for a wait of 600.000 s"),
            "\(long)")
        #expect(
            long.message.contains("60.000 s"),
            "\(long)")
        let poor = client(
            clock, [Stub(.get, "/flaky", busy)],
            RetryMiddleware(budget: RetryBudget(ratio: 0, reserve: 0)))
        let broke = try await failure { try await poor.send(get) }
        #expect(broke.message.contains("the retry budget is used up"), "\(broke)")
    }

    /// The error doesn't mention a further attempt if there would have been none: for the last attempt, for a request
    /// that must not be repeated, for a success.
    @Test func anErrorSaysNothingOfAttemptsThatWouldNotHaveCome() async throws {
        let clock = TestClock()
        let client = client(clock, [Stub(nil, "/flaky", busy)], total: .seconds(20))
        var post = get
        post.method = .post
        let error = try await failure { try await client.send(post) }
        #expect(error.status == 503, "\(error)")
        #expect(!error.message.contains("attempt "), "\(error)")
        let once = self.client(
            clock, [Stub(nil, "/flaky", busy)], total: .seconds(20),
            RetryMiddleware(RetryPolicy(maximumAttempts: 1)))
        let last = try await failure { try await once.send(get) }
        #expect(!last.message.contains("attempt "), "\(last)")
        let raw = try await client.raw(get)
        #expect(raw.head.status == .serviceUnavailable)
    }

    private var pauses: [Duration] {
        log.all.compactMap { event in
            if case .retrying(_, let pause, _) = event.kind { pause } else { nil }
        }
    }

    /// Jittered delays of half a minute, until the budget is used up long before the deadline.
    @Test func aLongBackOffWithJitterDeadlineAndBudgetTakesNoRealTime() async throws {
        let clock = TestClock()
        let policy = RetryPolicy(
            maximumAttempts: 9, backoff: Backoff(base: .seconds(30), factor: 1, cap: .seconds(30), jitter: .full))
        let retry = RetryMiddleware(policy, budget: RetryBudget(ratio: 0, reserve: 3))
        let client = client(clock, [Stub(.get, "/flaky", busy)], total: .seconds(200), retry)
        let begin = ContinuousClock.now
        let task = Task { try await client.send(get) }
        for attempt in 2...4 {
            try await waitForPause(before: attempt, clock, sleepers: 2)
            await clock.advance(by: pauses.last ?? .zero)
        }
        let error = try await failure { try await task.value }
        print("three pauses, \(clock.now) together, took \(ContinuousClock.now - begin)")
        #expect(error.status == 503)
        #expect(error.attempt == 4)
        #expect(Set(pauses).count == 3)
        #expect(pauses.allSatisfy { $0 > .zero && $0 <= .seconds(30) })
        #expect(clock.now == pauses.reduce(.zero, +))
    }

    @Test func cancellingDuringThePauseEndsTheCall() async throws {
        let clock = TestClock()
        let client = client(clock, [Stub(.get, "/flaky", busy)])
        let task = Task { try await client.send(get) }
        try await waitForPause(before: 2, clock)
        task.cancel()
        let error = await #expect(throws: APIError<Never>.self) { try await task.value }
        #expect(error?.netError?.isCancellation == true)
        #expect(client.unfinishedCalls == 0)
    }
}
#endif
