#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

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
            while times.value.isEmpty, !Task.isCancelled { await Task.yield() }
            for _ in 0..<4 {
                let before = times.value.count
                await clock.advance(by: .milliseconds(500))
                while times.value.count == before, !Task.isCancelled { await Task.yield() }
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
            try await client.send(request)
        }
        #expect(clock.sleepers == 0)
    }

    @Test func aWaitThatIsTooLongIsRefusedAtOnce() async throws {
        let clock = TestClock()
        let limit = RateLimitMiddleware(rate: 0.1, maximumWait: .seconds(5))
        let client = virtual(clock, MockTransport { _, _ in .text("ok") }, limit)
        try await client.send(get)
        for _ in 0..<2 {
            let error = try await failure { try await client.send(get) }
            #expect(error.code == .limited)
            #expect(error.description.contains("10.000 s"))
        }
        let hurried = virtual(
            clock, MockTransport { _, _ in .text("ok") }, total: .seconds(1), RateLimitMiddleware(rate: 0.1))
        try await hurried.send(get)
        let error = try await failure { try await hurried.send(get) }
        #expect(error.code == .limited)
    }

    @Test func turnsAreReturnedOnCancellation() async throws {
        let clock = TestClock()
        let client = virtual(clock, MockTransport { _, _ in .text("ok") }, RateLimitMiddleware(rate: 0.1))
        try await client.send(get)
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
            Stub(nil, "/x", .status(.tooManyRequests).header(.retryAfter, "20")).times(1), Stub(nil, "/x", .text("ok")),
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

    /// Three calls wait when the response to the first one requests a delay of ten seconds.
    private func beginnings(_ limit: RateLimitMiddleware) async throws -> (times: [Double], refused: Int) {
        let clock = TestClock()
        let times = Locked<[Double]>([])
        let gate = AsyncStream<Void>.makeStream()
        let transport = MockTransport { _, _ in
            times.change { $0.append(clock.now / .seconds(1)) }
            guard times.value.count == 1 else { return .text("ok") }
            for await _ in gate.stream { break }
            return StubResponse(status: .tooManyRequests, headers: [.retryAfter: "10"])
        }
        let client = virtual(clock, transport, limit)
        let first = Task { try? await client.send(get) }
        while times.value.isEmpty, !Task.isCancelled { await Task.yield() }
        let refused = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    do {
                        try await client.send(get)
                    } catch {
                        refused.change { $0 += 1 }
                    }
                }
            }
            try await clock.waitForSleepers(count: 3)
            gate.continuation.yield()
            _ = await first.value
            for _ in 0..<30 {
                await clock.advance(by: .milliseconds(500))
                // The other calls wait again, for a time computed from the clock, which must not advance before.
                while clock.sleepers < 4 - times.value.count - refused.value, !Task.isCancelled { await Task.yield() }
            }
            try await group.waitForAll()
        }
        return (times.value, refused.value)
    }

    @Test func waitingCallsContinueAtTheRateAfterRetryAfter() async throws {
        let (times, refused) = try await beginnings(RateLimitMiddleware(rate: 2))
        #expect(times == [0, 10, 10.5, 11])
        #expect(refused == 0)
    }

    @Test func nobodyWaitsLongerThanTheMaximumWhateverTheServerAsks() async throws {
        let (times, refused) = try await beginnings(RateLimitMiddleware(rate: 2, maximumWait: .seconds(5)))
        #expect(times == [0])
        #expect(refused == 3)
    }
}

@Suite(.timeLimit(.minutes(2))) struct AnnouncedRateLimitTests {
    @Test func aQuotaThatIsUsedUpHoldsForAll() async throws {
        let clock = TestClock()
        let name = HTTPField.Name("RateLimit")
        let policy = HTTPField.Name("RateLimit-Policy")
        let spent = StubResponse.text("ok").header(name, #""default";r=0;t=20"#).header(policy, #""default";q=10;w=60"#)
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
#endif
