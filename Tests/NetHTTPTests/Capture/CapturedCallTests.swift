#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Captures contain the requests as they were sent, after all changes by a client's chain, separately for each attempt.
@Suite(.timeLimit(.minutes(1)))
struct CapturedCallTests {
    private func client(
        _ log: CaptureLog, _ transport: MockTransport, redaction: RedactionPolicy = .safeDefault,
        clock: TestClock = TestClock(), _ middleware: any Middleware...
    ) -> HTTPClient {
        HTTPClient(baseURL: "https://mock.test", transport: transport) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.listeners = [log]
            $0.redaction = redaction
            $0.middleware = middleware
            $0.clock = clock.netClock
        }
    }

    private func text(_ client: HTTPClient, _ policy: CachePolicy = .default) async throws -> String {
        var request = Request<String>("/a")
        request.options.cachePolicy = policy
        return try await client.send(request)
    }

    @Test func cookiesCredentialsAndRedirectsAreThereAsTheyWereSent() async throws {
        let site = MockTransport([
            Stub(.get, "/a", StubResponse.status(.found).header(.location, "/b").header(.setCookie, "id=secret")),
            Stub(.get, "/b", .text("b")),
        ])
        for policy in [RedactionPolicy.safeDefault, .disabled] {
            let log = CaptureLog()
            let auth = AuthMiddleware(try .bearer("secret"))
            let client = client(log, site, redaction: policy, CookieMiddleware(), auth)
            #expect(try await text(client) == "b")
            let exchanges = log.exchanges
            #expect(log.attempts.map(\.attempt) == [1, 2])
            #expect(Set(log.attempts.map(\.call)).count == 1)
            #expect(exchanges.map(\.request.url) == ["https://mock.test/a", "https://mock.test/b"])
            let isShown = policy == .disabled
            #expect(exchanges.map { $0.request.headers[.cookie] } == [nil, isShown ? "id=secret" : "<redacted>"])
            let authorization = exchanges.last?.request.headers[.authorization]
            #expect(authorization == (isShown ? "Bearer secret" : "<redacted>"))
            let setCookie = exchanges.first?.response?.headers[.setCookie]
            #expect(setCookie == (isShown ? "id=secret" : "<redacted>"))
            #expect(log.names == ["started", "captured", "attemptEnded", "captured", "attemptEnded", "completed"])
        }
    }

    @Test func retriesAreCapturedOneByOne() async throws {
        let site = MockTransport { _, context in
            context.attempt < 3 ? StubResponse.text("busy", status: .serviceUnavailable) : .text("done")
        }
        let (log, clock) = (CaptureLog(), TestClock())
        let client = client(log, site, clock: clock, RetryMiddleware())
        #expect(try await clock.run { try await text(client) } == "done")
        #expect(log.exchanges.map { $0.response?.status.code } == [503, 503, 200])
        #expect(log.exchanges.map { $0.response?.body.text } == ["busy", "busy", "done"])
    }

    @Test func aResponseOfTheCacheIsCapturedWithItsDecision() async throws {
        let site = MockTransport([
            Stub(.get, "/a") { request in
                request.headers[.ifNoneMatch] == "\"1\""
                    ? StubResponse.status(.notModified).header(.eTag, "\"1\"")
                    : StubResponse.text("stored").header(.eTag, "\"1\"").header(.cacheControl, "max-age=100")
            }
        ])
        let log = CaptureLog()
        let client = client(log, site, CacheMiddleware(MemoryCacheStore()))
        for policy in [CachePolicy.default, .default, .revalidate] {
            #expect(try await text(client, policy) == "stored")
        }
        #expect(log.attempts.map(\.attempt) == [1, nil, 1, nil])
        #expect(
            log.attempts.map { $0.cacheDecision?.description } == [nil, "hit (fresh)", nil, "update (notModified)"])
        #expect(log.exchanges.map { $0.response?.status.code } == [200, 200, 304, 200])
        #expect(log.exchanges.map { $0.response?.body.text } == ["stored", "stored", "", "stored"])
        let calls = log.attempts.map(\.call)
        #expect(calls.count == 4)
        #expect(Set(calls).count == 3)
        #expect(Set(calls.suffix(2)).count == 1)
    }

    @Test func aResponseThatTheCacheMakesItselfIsCaptured() async throws {
        let log = CaptureLog()
        let client = client(log, MockTransport(), CacheMiddleware(MemoryCacheStore()))
        await #expect(throws: (any Error).self) { try await text(client, .onlyIfCached) }
        #expect(log.attempts.map { $0.cacheDecision?.description } == ["miss (onlyIfCached)"])
        #expect(log.exchanges.map { $0.response?.status.code } == [504])
    }

    @Test func aSharedResponseIsCapturedForEachCall() async throws {
        let (gate, log) = (AsyncStream<Void>.makeStream(), CaptureLog())
        let site = MockTransport { _, _ in
            for await _ in gate.stream { break }
            return .text("shared")
        }
        let client = client(log, site, CoalescingMiddleware())
        async let first = text(client)
        async let second = text(client)
        while !log.names.contains("cache"), !Task.isCancelled { await Task.yield() }
        gate.continuation.yield()
        #expect(try await [first, second] == ["shared", "shared"])
        #expect(log.attempts.map(\.attempt).contains(1))
        #expect(log.attempts.count == 2)
        #expect(log.attempts.compactMap { $0.cacheDecision?.description } == ["shared (sameRequest)"])
        #expect(log.exchanges.allSatisfy { $0.response?.body.text == "shared" })
    }

    @Test func aDiscardedBodyIsCountedAsItCame() async throws {
        let log = CaptureLog()
        let site = MockTransport([Stub(.get, "/a", .text(String(repeating: "x", count: 200_000)))])
        try await client(log, site).send(Request<Void>("/a"))
        let body = try #require(log.exchanges.first?.response?.body)
        #expect(body.count == 200_000)
        #expect(body.keptCount == 65_536)
        #expect(body.isCut)
        #expect(body.failure == nil)
    }
}
#endif
