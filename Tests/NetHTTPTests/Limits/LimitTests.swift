#if Server
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Synchronization
import Testing

/// A client in virtual time, without time-outs of its own: who sleeps on the clock waits for a limit.
private func virtual(
    _ clock: TestClock, _ transport: MockTransport, total: Duration? = nil, _ middleware: any Middleware...
) -> HTTPClient {
    HTTPClient(
        configuration: .init(
            baseURL: "http://mock.test", timeouts: Timeouts(firstByte: nil, stall: nil, total: total),
            middleware: middleware, clock: clock.netClock, random: SeededRandom(seed: 1).netRandom),
        transport: transport)
}

@Suite(.timeLimit(.minutes(2))) struct RateLimitMiddlewareTests {
    private let get = Request<String>("x", serializer: .string)

    @Test func requestsBeginAtTheRate() async throws {
        let clock = TestClock()
        let times = Locked<[Duration]>([])
        let transport = MockTransport { _, _ in
            times.change { $0.append(clock.now) }
            return .text("ok")
        }
        let client = virtual(clock, transport, RateLimitMiddleware(rate: 2, burst: 1))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<5 { group.addTask { try await client.send(get) } }
            try await clock.waitForSleepers(count: 4)
            for _ in 0..<4 {
                let before = times.value.count
                await clock.advance(by: .milliseconds(500))
                while times.value.count == before { await Task.yield() }
            }
            for try await text in group { #expect(text == "ok") }
        }
        #expect(times.value == [0, 500, 1000, 1500, 2000].map { .milliseconds($0) })
    }

    @Test func eachOriginHasItsOwn() async throws {
        let clock = TestClock()
        let client = virtual(clock, MockTransport { _, _ in .text("ok") }, RateLimitMiddleware(rate: 0.001))
        for host in 0..<1200 {
            var request = get
            request.options.absoluteURL = "http://h\(host).test/"
            _ = try await client.send(request)
        }
        #expect(clock.sleepers == 0)
    }

    @Test func aWaitThatIsTooLongIsRefusedAtOnce() async throws {
        let clock = TestClock()
        let limit = RateLimitMiddleware(rate: 0.1, maximumWait: .seconds(5))
        let client = virtual(clock, MockTransport { _, _ in .text("ok") }, limit)
        _ = try await client.send(get)
        for _ in 0..<2 {
            let error = try await failure { try await client.send(get) }
            #expect(error.code == .limited)
            #expect(error.description.contains("10.000 s"))
        }
        let hurried = virtual(
            clock, MockTransport { _, _ in .text("ok") }, total: .seconds(1), RateLimitMiddleware(rate: 0.1))
        _ = try await hurried.send(get)
        let error = try await failure { try await hurried.send(get) }
        #expect(error.code == .limited)
    }

    @Test func whoIsCancelledGivesItsTurnBack() async throws {
        let clock = TestClock()
        let client = virtual(clock, MockTransport { _, _ in .text("ok") }, RateLimitMiddleware(rate: 0.1))
        _ = try await client.send(get)
        let waiting = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        waiting.cancel()
        let error = try await failure { try await waiting.value }
        #expect(error.code == .cancelled)
        let next = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(10))
        #expect(try await next.value == "ok")
    }

    @Test func aServersRetryAfterHoldsForAll() async throws {
        let clock = TestClock()
        let stubs = [
            Stub(nil, "/x", .status(.tooManyRequests).field(.retryAfter, "20")).times(1), Stub(nil, "/x", .text("ok")),
        ]
        let client = virtual(clock, MockTransport(stubs), RateLimitMiddleware(rate: 1000, burst: 1000))
        let error = try await failure { try await client.send(get) }
        #expect(error.status == 429)
        let next = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(19))
        #expect(clock.sleepers == 1)
        await clock.advance(by: .seconds(1))
        #expect(try await next.value == "ok")
    }
}

@Suite(.timeLimit(.minutes(2))) struct AnnouncedRateLimitTests {
    @Test func aQuotaThatIsUsedUpHoldsForAll() async throws {
        let clock = TestClock()
        let name = try #require(HTTPField.Name("RateLimit"))
        let policy = try #require(HTTPField.Name("RateLimit-Policy"))
        let spent = StubResponse.text("ok").field(name, #""default";r=0;t=20"#).field(policy, #""default";q=10;w=60"#)
        let stubs = [Stub(nil, "/x", spent).times(1), Stub(nil, "/x", .text("more"))]
        let client = virtual(clock, MockTransport(stubs), RateLimitMiddleware(rate: 1000, burst: 1000))
        let get = Request<String>("x", serializer: .string)
        let first = try await client.send(get)
        #expect(first == "ok")
        let next = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(19))
        #expect(clock.sleepers == 1)
        await clock.advance(by: .seconds(1))
        let second = try await next.value
        #expect(second == "more")
    }
}

@Suite(.timeLimit(.minutes(2))) struct ConcurrencyLimitMiddlewareTests {
    private let slow = Request<String>("slow", serializer: .string)

    @Test(arguments: Wire.allCases) func noMoreThanTheLimitAreOnTheirWay(wire: Wire) async throws {
        let counts = Mutex((now: 0, most: 0))
        let stub = Stub(nil, "/slow") { _ in
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            // Long enough for others to come meanwhile.
            for _ in 0..<50 { await Task.yield() }
            counts.withLock { $0.now -= 1 }
            return .text("ok")
        }
        let limit = ConcurrencyLimitMiddleware(limit: 3)
        try await Fixture.run([stub], over: wire, with: .client { $0.middleware = [limit] }) { fixture in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<60 { group.addTask { try await fixture.client.send(slow) } }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(counts.withLock { $0.most } <= 3)
            #expect(fixture.server.requests.count == 60)
        }
    }

    /// Answers each request when the test says so, and tells their order.
    private struct Held {
        let gate = AsyncStream<Void>.makeStream()
        let order = Locked<[String]>([])

        var transport: MockTransport {
            MockTransport { request, _ in
                order.change { $0.append(request.head.path ?? "") }
                for await _ in gate.stream { break }
                return .text("ok")
            }
        }
    }

    @Test func prioritiesGoFirstAndEqualsInTheirOrder() async throws {
        let held = Held()
        let client = virtual(TestClock(), held.transport, ConcurrencyLimitMiddleware(limit: 1))
        var tasks: [Task<String, any Error>] = []
        let wishes: [(String, RequestPriority)] = [
            ("first", .low), ("a", .normal), ("b", .low), ("c", .high), ("d", .normal), ("e", .high),
        ]
        for (count, (name, priority)) in wishes.enumerated() {
            var request = Request<String>("\(name)", serializer: .string)
            request.options.priority = priority
            tasks.append(Task { [request] in try await client.send(request) })
            while client.unfinishedCalls <= count || held.order.value.isEmpty { await Task.yield() }
            // The call has begun; it stands in line a moment later.
            for _ in 0..<200 { await Task.yield() }
        }
        for _ in wishes { held.gate.continuation.yield() }
        for task in tasks { _ = try await task.value }
        #expect(held.order.value == ["/first", "/c", "/e", "/a", "/d", "/b"])
    }

    @Test func whoIsCancelledLeavesTheLineAndALongLineIsRefused() async throws {
        let held = Held()
        let limit = ConcurrencyLimitMiddleware(limit: 1, maximumWaiting: 1)
        let client = virtual(TestClock(), held.transport, limit)
        let first = Task { try await client.send(slow) }
        while held.order.value.isEmpty { await Task.yield() }
        let second = Task { try await client.send(slow) }
        while client.unfinishedCalls < 2 { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        let error = try await failure { try await client.send(slow) }
        #expect(error.code == .limited)
        second.cancel()
        let cancelled = try await failure { try await second.value }
        #expect(cancelled.code == .cancelled)
        let third = Task { try await client.send(slow) }
        for _ in 0..<2 { held.gate.continuation.yield() }
        #expect(try await first.value == "ok")
        #expect(try await third.value == "ok")
    }

    @Test func aClientThatEndsItsCallsEndsThoseInLine() async throws {
        let held = Held()
        let client = virtual(TestClock(), held.transport, ConcurrencyLimitMiddleware(limit: 1))
        let tasks = (0..<5).map { _ in Task { try await client.send(slow) } }
        while client.unfinishedCalls < 5 { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        client.cancelAll()
        for task in tasks {
            let error = try await failure { try await task.value }
            #expect(error.code == .cancelled)
        }
        #expect(held.order.value.count == 1)
    }

    @Test func aStreamKeepsItsPlaceToTheEndOfItsBody() async throws {
        let limit = ConcurrencyLimitMiddleware(limit: 1)
        let stubs = [Stub(.get, "/slow", .text("ok"))]
        try await Fixture.run(stubs, with: .client { $0.middleware = [limit] }) { fixture in
            let streamed = try await fixture.client.stream(slow)
            let second = Task { try await fixture.client.send(slow) }
            while fixture.client.unfinishedCalls < 2 { await Task.yield() }
            for _ in 0..<200 { await Task.yield() }
            #expect(fixture.server.requests.count == 1)
            _ = try await streamed.body.collect(upTo: 100)
            #expect(try await second.value == "ok")
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct CircuitBreakerMiddlewareTests {
    private let get = Request<String>("x", serializer: .string)

    @Test func aServerThatFailsIsLeftAloneAndTriedAgain() async throws {
        let clock = TestClock()
        let isWell = Locked(false)
        let transport = MockTransport { _, _ in isWell.value ? .text("ok") : .status(.internalServerError) }
        let breaker = CircuitBreakerMiddleware(.init(minimumCalls: 3, openTime: .seconds(10)))
        let client = virtual(clock, transport, breaker)
        for _ in 0..<3 { _ = try await failure { try await client.send(get) } }
        let refused = try await failure { try await client.send(get) }
        #expect(refused.code == .limited)
        #expect(refused.description.contains("10.000 s"))
        #expect(transport.recordedRequests.count == 3)
        isWell.change { $0 = true }
        await clock.advance(by: .seconds(10))
        let text1 = try await client.send(get)
        #expect(text1 == "ok")
        let text2 = try await client.send(get)
        #expect(text2 == "ok")
    }

    @Test func connectionsThatCannotBeMadeCountAndOtherOriginsDoNot() async throws {
        let port = try ClosedPort()
        let breaker = CircuitBreakerMiddleware(.init(minimumCalls: 2))
        try await Fixture.run([Stub(nil, "/x", .text("ok"))], with: .client { $0.middleware = [breaker] }) { fixture in
            var away = get
            away.options.absoluteURL = "http://127.0.0.1:\(port.port)/"
            var codes: [NetError.Code] = []
            for _ in 0..<3 { codes.append(try await failure { try await fixture.client.send(away) }.code) }
            #expect(codes == [.connect, .connect, .limited])
            _ = try await fixture.client.send(get)
        }
    }

    @Test func aBodyThatBreaksCounts() async throws {
        let cut = StubResponse.text("a long enough answer").dropping(.afterBodyBytes(5))
        let breaker = CircuitBreakerMiddleware(.init(minimumCalls: 2))
        try await Fixture.run([Stub(.get, "/x", cut)], with: .client { $0.middleware = [breaker] }) { fixture in
            var codes: [NetError.Code] = []
            for _ in 0..<3 { codes.append(try await failure { try await fixture.client.send(get) }.code) }
            #expect(codes == [.connectionLost, .connectionLost, .limited])
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct HedgingMiddlewareTests {
    private let get = Request<String>("x", serializer: .string)

    @Test func theSecondAnswersWhereTheFirstIsLate() async throws {
        let stubs = [
            Stub(.get, "/x", .text("late").delayed(by: .seconds(60))).times(1), Stub(.get, "/x", .text("quick")),
        ]
        let hedging = HedgingMiddleware(after: .milliseconds(20))
        try await Fixture.run(stubs, with: .client { $0.middleware = [hedging] }) { fixture in
            let text3 = try await fixture.client.send(get)
            #expect(text3 == "quick")
            try await fixture.server.wait { requests, _ in requests.contains { $0.outcome == .clientWentAway } }
            #expect(fixture.transport.statistics.liveTransfers == 0)
        }
    }

    @Test func aQuickAnswerIsSentOnce() async throws {
        let hedging = HedgingMiddleware(after: .seconds(60))
        try await Fixture.run([Stub(nil, "/x", .text("ok"))], with: .client { $0.middleware = [hedging] }) { fixture in
            _ = try await fixture.client.send(get)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aFailureIsTheCallsWhereNothingElseIsWaitedFor() async throws {
        let hedging = HedgingMiddleware(after: .seconds(60))
        try await Fixture.run([Stub(.get, "/x", .dropped())], with: .client { $0.middleware = [hedging] }) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.code == .connectionLost)
        }
    }

    @Test func aPostAndAnEmptyBudgetSendOnce() async throws {
        let clock = TestClock()
        let gate = AsyncStream<Void>.makeStream()
        let transport = MockTransport { _, _ in
            for await _ in gate.stream { break }
            return .text("ok")
        }
        let budget = RetryBudget(ratio: 0, reserve: 0)
        let client = virtual(clock, transport, HedgingMiddleware(after: .seconds(1), budget: budget))
        let call = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(1))
        while clock.sleepers > 0 { await Task.yield() }
        gate.continuation.yield()
        #expect(try await call.value == "ok")
        #expect(transport.recordedRequests.count == 1)
    }

    @Test func aCancelledCallCancelsBoth() async throws {
        let stubs = [Stub(.get, "/x", .text("late").delayed(by: .seconds(60)))]
        let hedging = HedgingMiddleware(after: .milliseconds(5))
        try await Fixture.run(stubs, with: .client { $0.middleware = [hedging] }) { fixture in
            let task = Task { try await fixture.client.send(get) }
            try await fixture.server.wait { requests, _ in requests.count == 2 }
            task.cancel()
            let error = try await failure { try await task.value }
            #expect(error.code == .cancelled)
            #expect(fixture.transport.statistics.liveTransfers == 0)
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct AdaptiveTimeoutMiddlewareTests {
    @Test func aServerThatIsQuickIsNotWaitedForLong() async throws {
        let limits = Locked<[Duration?]>([])
        let clock = TestClock()
        let transport = MockTransport { _, context in
            limits.change { $0.append(context.timeouts.firstByte) }
            await clock.advance(by: .milliseconds(100))
            return .text("ok")
        }
        let client = virtual(clock, transport, AdaptiveTimeoutMiddleware(range: .milliseconds(1) ... .seconds(30)))
        for _ in 0..<2 { _ = try await client.send(Request<String>("x", serializer: .string)) }
        #expect(limits.value.first == .some(nil))
        let second = try #require(limits.value.last ?? nil)
        #expect(
            abs(second.components.seconds * 1000 + second.components.attoseconds / 1_000_000_000_000_000 - 900) <= 1)
    }

    @Test func aRealServerThatFallsSilentIsGivenUp() async throws {
        let stubs = [Stub(.get, "/x", .text("ok")).times(5), Stub(.get, "/x", .text("late").delayed(by: .seconds(60)))]
        let adaptive = AdaptiveTimeoutMiddleware(range: .milliseconds(50) ... .milliseconds(500))
        try await Fixture.run(stubs, with: .client { $0.middleware = [adaptive] }) { fixture in
            let get = Request<String>("x", serializer: .string)
            for _ in 0..<5 { _ = try await fixture.client.send(get) }
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.code == .timeout)
            #expect(error.phase == .waiting)
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct RepetitionTests {
    private let fast = RetryPolicy(backoff: .constant(.milliseconds(1)))

    @Test func aKeyMakesAPostRepeatableAndIsTheSameForAllAttempts() async throws {
        let stubs = [Stub(.post, "/x", .status(.serviceUnavailable)).times(1), Stub(.post, "/x", .text("ok"))]
        let setup = Fixture.Setup.client { $0.middleware = [IdempotencyKeyMiddleware(), RetryMiddleware(fast)] }
        try await Fixture.run(stubs, with: setup) { fixture in
            let post = Request<String>("x", method: .post, body: .text("order"), serializer: .string)
            let text4 = try await fixture.client.send(post)
            #expect(text4 == "ok")
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            let keys = fixture.server.requests.map { $0.fields[name] }
            #expect(keys.count == 2)
            #expect(keys[0] == keys[1] && keys[0]?.isEmpty == false)
            _ = try? await fixture.client.send(Request<String>("x", serializer: .string))
            #expect(fixture.server.requests.last?.fields[name] == nil)
        }
    }

    @Test func aBudgetThatIsSpentEndsTheRepetitions() async throws {
        let budget = RetryBudget(ratio: 0.5, reserve: 3)
        let setup = Fixture.Setup.client { $0.middleware = [RetryMiddleware(fast, budget: budget)] }
        try await Fixture.run([Stub(.get, "/x", .status(.serviceUnavailable))], with: setup) { fixture in
            for _ in 0..<6 { _ = try? await fixture.client.send(Request<String>("x", serializer: .string)) }
            // Six calls, three repetitions in reserve, and one for each two calls.
            #expect(fixture.server.requests.count == 12)
            #expect(budget.available == 0)
        }
    }
}
#endif
