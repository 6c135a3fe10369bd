import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

/// The package's own middleware inside a cache doesn't keep responses out of it.
@Suite(.timeLimit(.minutes(1))) struct IdentityHitTests {
    private static let middleware: [(String, any Middleware)] = {
        let key = SignatureKey(sharedSecret: Bytes("a long and unpredictable secret".utf8), id: "app")
        let aws = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret")
        return [
            ("request ID", HeaderMiddleware.requestID("X-Call")),
            ("user agent", HeaderMiddleware.userAgent(app: "Shop", version: "2.1")),
            ("accept", HeaderMiddleware.accept("text/plain")), ("traces", TracePropagationMiddleware()),
            ("digests of bodies", ContentDigestMiddleware()), ("compression", CompressionMiddleware()),
            ("retries", RetryMiddleware()), ("idempotency keys", IdempotencyKeyMiddleware()),
            ("coalescing", CoalescingMiddleware()), ("concurrency limit", ConcurrencyLimitMiddleware(limit: 2)),
            ("rate limit", RateLimitMiddleware(rate: 1)), ("circuit breaker", CircuitBreakerMiddleware()),
            ("hedging", HedgingMiddleware(after: .seconds(1))), ("adaptive timeouts", AdaptiveTimeoutMiddleware()),
            ("alternative services", AltSvcMiddleware()), ("logging", LoggingMiddleware()),
            ("Digest", DigestMiddleware(user: "ann", password: "geheim")),
            ("message signature", MessageSignatureMiddleware(MessageSignature(key: key))),
            ("AWS signature", AWSSignatureMiddleware(AWSSignature(service: "s3", region: "eu-central-1"), with: aws)),
        ]
    }()

    @Test(arguments: middleware.map(\.0)) func aStoredResponseIsFound(name: String) async throws {
        let inside = try #require(Self.middleware.first { $0.0 == name }?.1)
        let site = IdentitySite()
        let client = HTTPClient(baseURL: "https://site.test", transport: site) {
            $0.middleware = [CacheMiddleware(), inside]
        }
        for _ in 0..<2 { _ = try await client.send(Request<String>("me", serializer: .string)) }
        #expect(site.reads.value == 1)
    }

    @Test func aStoredResponseOfAnUpgradedHostIsFound() async throws {
        let (site, hosts) = (IdentitySite(), HSTSStore())
        let client = HTTPClient(baseURL: "https://site.test", transport: site) {
            $0.middleware = [CacheMiddleware(), HSTSMiddleware(hosts)]
        }
        site.headers.change {
            $0 = [{ _ in HTTPField(name: .strictTransportSecurity, value: "max-age=1000") }]
        }
        _ = try await client.send(Request<String>("first", serializer: .string))
        for _ in 0..<2 { _ = try await client.send(Request<String>(url: "http://site.test/me", serializer: .string)) }
        #expect(site.reads.value == 2)
    }

    @Test func aDigestUserWhoChangesEndsTheCall() async throws {
        let (user, clock, busy) = (Locked("ann"), TestClock(), Locked(false))
        let site = MockTransport { request, _ in
            guard request.head.headerFields[.authorization] != nil else {
                return .status(.unauthorized).header(.wwwAuthenticate, #"Digest realm="r", nonce="n", qop="auth""#)
            }
            let isBusy = busy.change { busy in
                defer { busy = false }
                return busy
            }
            return isBusy ? .status(.serviceUnavailable).header(.retryAfter, "10") : .text("hello")
        }
        let client = HTTPClient(baseURL: "https://site.test", transport: site) {
            $0.middleware = [
                RetryMiddleware(), DigestMiddleware { _ in .init(user: user.value, password: "geheim") },
            ]
            $0.timeouts = Timeouts(firstByte: nil, stall: nil, total: nil)
            $0.clock = clock.netClock
        }
        _ = try await client.send(Request<String>("first", serializer: .string))
        for name in ["ann", "bob"] {
            busy.change { $0 = true }
            let call = Task { try await client.send(IdentityWorld.pay) }
            try await clock.waitForSleepers(count: 1)
            user.change { $0 = name }
            await clock.advance(by: .seconds(30))
            let result = await call.result
            if name == "ann" {
                let text = try result.get()
                #expect(text == "hello")
            } else {
                let error = #expect(throws: APIError<Never>.self) { try result.get() }
                #expect(error?.netError?.code == .authentication)
            }
        }
    }
}
