#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Computed settings of middleware and stores don't trap, and no call waits forever.
@Suite(.timeLimit(.minutes(2))) struct OddSettingsTests {
    private static let numbers = [Double.nan, .infinity, -.infinity, -1, 0, 1e300]
    private static let durations: [Duration] = [.seconds(1e20), .seconds(Int64.max), .seconds(-1), .zero]
    private let get = Request<String>("x", serializer: .string)

    private func send(_ count: Int, through middleware: any Middleware...) async throws -> [String] {
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport { _, _ in .text("ok") }) {
            $0.middleware = middleware
        }
        var texts: [String] = []
        for _ in 0..<count { texts.append(try await client.send(get)) }
        return texts
    }

    @Test(arguments: numbers) func anyFactorLeavesATimeout(factor: Double) async throws {
        #expect(try await send(3, through: AdaptiveTimeoutMiddleware(factor: factor)) == ["ok", "ok", "ok"])
        let wide = AdaptiveTimeoutMiddleware(factor: factor, range: .seconds(1) ... .seconds(1e20))
        #expect(try await send(3, through: wide) == ["ok", "ok", "ok"])
    }

    @Test(arguments: numbers) func anyRateLetsTheFirstGo(rate: Double) async throws {
        for burst in [Int.min, 0, Int.max] {
            #expect(try await send(1, through: RateLimitMiddleware(rate: rate, burst: burst)) == ["ok"])
        }
    }

    @Test(arguments: durations) func anyLongestWaitIsOne(wait: Duration) async throws {
        #expect(try await send(2, through: RateLimitMiddleware(rate: 1e9, maximumWait: wait)).count == 2)
        let error = try await failure {
            try await send(2, through: RateLimitMiddleware(rate: .nan, maximumWait: min(wait, .seconds(1))))
        }
        #expect(error.code == .limited)
        let breaker = CircuitBreakerMiddleware(
            .init(window: .max, minimumCalls: .min, failureRatio: .nan, openTime: wait), failureStatuses: [200])
        #expect(try await send(3, through: breaker).count == 3)
        let open = CircuitBreakerMiddleware(
            .init(window: 1, minimumCalls: 1, failureRatio: 0, openTime: max(wait, .seconds(1))),
            failureStatuses: [200])
        #expect(try await failure { try await send(2, through: open) }.code == .limited)
        #expect(try await send(2, through: HedgingMiddleware(after: wait)).count == 2)
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport { _, _ in .text("ok") }) {
            $0.timeouts = Timeouts(total: wait)
        }
        if wait > .zero { #expect(try await client.send(get) == "ok") }
        await client.shutdown(grace: wait)
    }

    @Test(arguments: [Int.min, -1, 0, 1, Int.max]) func anyNumberOfPlacesLetsOneGo(limit: Int) async throws {
        #expect(try await send(2, through: ConcurrencyLimitMiddleware(limit: limit, maximumWaiting: limit)).count == 2)
        #expect(try await send(2, through: RetryMiddleware(RetryPolicy(maximumAttempts: limit))).count == 2)
        #expect(try await send(2, through: CoalescingMiddleware(maximumBodyBytes: limit)).count == 2)
        var get = get
        get.options.maximumResponseBytes = limit
        get.method = .post
        get.body = .text("text")
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport { _, _ in .text("") }) {
            $0.middleware = [CompressionMiddleware(minimumBytes: limit, level: limit)]
        }
        #expect(try await client.send(get).isEmpty)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max]) func aStoreTakesAnyLimit(limit: Int64) async throws {
        try await TemporaryFolder.with { folder in
            let stores: [any HTTPCacheStore] = [
                MemoryCacheStore(maximumBytes: limit), MemoryCacheStore(maximumEntryBytes: limit),
                DiskCacheStore(folder: folder.path("a"), maximumBytes: limit),
                DiskCacheStore(folder: folder.path("b"), maximumEntryBytes: limit),
            ]
            for store in stores {
                let calls = Locked(0)
                let transport = MockTransport { _, _ in
                    calls.change { $0 += 1 }
                    var response = StubResponse.text("ok")
                    response.headers[.cacheControl] = "max-age=60"
                    return response
                }
                let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
                    $0.middleware = [CacheMiddleware(store)]
                }
                for _ in 0..<3 { try await client.send(get) }
                // A store without a limit stores the response, the others don't.
                #expect(limit == .max ? calls.value < 3 : calls.value == 3)
                let bodies = CacheMiddleware.Configuration(maximumBodyBytes: limit)
                let texts = try await send(3, through: CacheMiddleware(store, configuration: bodies))
                #expect(texts.count == 3)
            }
        }
    }

    @Test(arguments: [Int.min, -1, 0, Int.max]) func pagesAreCountedFromAnyNumber(first: Int) async throws {
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport { _, _ in .text("ok") })
        var count = 0
        for try await page in client.pages(get, by: .number(in: "page", first: first) { _ in false }, limit: 3) {
            #expect(page.value == "ok")
            count += 1
            if count == 3 { break }
        }
        #expect(count == (first == .max ? 1 : 3))
    }
}
#endif
