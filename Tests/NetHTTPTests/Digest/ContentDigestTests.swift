#if os(Linux) && Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Digests between the client and hashlib.
@Suite(.timeLimit(.minutes(1))) struct ContentDigestTests {
    private func withClient(
        _ middleware: [any Middleware] = [ContentDigestMiddleware()], _ body: (HTTPClient) async throws -> Void
    ) async throws {
        let peer = try StreamPeer()
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration)) {
            $0.middleware = middleware
        }
        try await body(client)
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }

    private func digest(_ mode: String, _ algorithm: String = "sha-256") -> Request<Bytes> {
        Request<Bytes>(
            "digest", query: [QueryItem("mode", mode), QueryItem("algorithm", algorithm)], serializer: .bytes)
    }

    /// Collected, then streamed: the number of bytes, or the error.
    private func both(_ client: HTTPClient, _ request: Request<Bytes>) async throws -> [Result<Int, NetError>] {
        var results: [Result<Int, NetError>] = []
        do {
            results.append(.success(try await client.send(request).count))
        } catch {
            results.append(.failure(try #require(error.netError)))
        }
        let body = try await client.stream(request).body
        var count = 0
        do throws(NetError) {
            for try await chunk in body { count += chunk.count }
            results.append(.success(count))
        } catch {
            // Every byte was returned before: the error replaces the end.
            #expect(count > 500_000)
            results.append(.failure(error))
        }
        return results
    }

    @Test(arguments: ["sha-256", "sha-512"], ["plain", "gzip", "trailer"])
    func aBodyThatIsWhatItsDigestSaysPasses(algorithm: String, mode: String) async throws {
        try await withClient { client in
            let counts = try await both(client, digest(mode, algorithm)).map { try $0.get() }
            #expect(counts[0] > 500_000)
            #expect(counts[0] == counts[1])
        }
    }

    /// A body of which only the beginning is kept can't be verified, which isn't a failure.
    @Test(arguments: ["plain", "gzip", "wrong"]) func discardedBodiesDoNotFailDigestVerification(mode: String)
        async throws
    {
        let log = EventLog()
        try await withClient { client in
            let watched = client.with { $0.listeners = [log] }
            try await watched.send(
                Request<Void>("digest", query: digest(mode).query, serializer: .discard))
            #expect(log.all.allSatisfy { $0.error == nil }, "\(log.names)")
            #expect(log.names.last == "completed", "\(log.names)")
        }
    }

    @Test(arguments: [false, true]) func aRedirectIsFollowedWhateverItsBodyIs(isStreamed: Bool) async throws {
        let moved = StubResponse.text("moved", status: .found).header(.location, "/there")
            .header(.contentDigest, "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:")
        let stubs = [Stub(.get, "/here", moved), Stub(.get, "/there", .text("there"))]
        try await Fixture.run(stubs, with: .client { $0.middleware = [ContentDigestMiddleware()] }) { fixture in
            var get = Request<Bytes>("here", serializer: .bytes)
            let bytes =
                isStreamed
                ? try await fixture.client.stream(get).body.collect(upTo: 10) : try await fixture.client.send(get)
            #expect(bytes == Bytes("there".utf8))
            // If the caller handles the redirect itself, its body is verified.
            get.options.redirects = .manual
            get.options.validation = .any
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.code == .digestMismatch)
        }
    }

    @Test(arguments: ["corrupt", "wrong", "badtrailer", "both", "repr"])
    func aBodyThatIsNotIsAnErrorAtItsEnd(mode: String) async throws {
        try await withClient { client in
            for result in try await both(client, digest(mode)) {
                let error = #expect(throws: NetError.self) { try result.get() }
                #expect(error?.code == .digestMismatch)
                #expect(error?.phase == .receiving)
                #expect(error?.message.contains(mode == "both" ? "sha-512" : "sha-256") == true)
                #expect(error?.url?.contains("/digest") == true)
            }
            #expect(client.unfinishedCalls == 0)
        }
    }

    @Test(arguments: ["unknown", "malformed"]) func bodiesWithUnknownOrMalformedDigestsAreAccepted(mode: String)
        async throws
    {
        try await withClient { client in
            for result in try await both(client, digest(mode)) { #expect(try result.get() > 500_000) }
        }
    }

    @Test func withoutTheMiddlewareNothingIsCompared() async throws {
        try await withClient([]) { client in
            for result in try await both(client, digest("corrupt")) { #expect(try result.get() > 500_000) }
        }
    }

    @Test func aBrokenBodyIsFetchedAgainWhereThePolicySaysSo() async throws {
        var policy = RetryPolicy(maximumAttempts: 2, backoff: .constant(.milliseconds(1)))
        policy.errors.insert(.digestMismatch)
        try await withClient([RetryMiddleware(policy), ContentDigestMiddleware()]) { client in
            let error = try await failure { try await client.send(digest("corrupt")) }
            #expect(error.code == .digestMismatch)
            #expect(error.attempt == 2)
        }
    }

    private func check(_ body: RequestBody) -> Request<String> {
        Request<String>("check", method: .post, body: body, serializer: .string)
    }

    @Test func requestBodiesHaveTheDigestThatHashlibComputes() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "net-digest-\(UUID().uuidString)")
        let data = Data(repeating: 7, count: 300_000)
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let chunks = AsyncStream<Bytes> { continuation in
            for _ in 0..<3 { continuation.yield(Bytes("once".utf8)) }
            continuation.finish()
        }
        try await withClient { client in
            let wish = "wants sha-256=10, sha-512=9"
            let answers = [
                try await client.send(check(.text("héllo"))), try await client.send(check(.file(file.path))),
                try await client.send(check(.stream(chunks))),
            ]
            #expect(
                answers == ["match sha-256 6 \(wish)", "match sha-256 300000 \(wish)", "none  12 \(wish)"])
        }
        let strong = ContentDigestMiddleware(algorithm: .sha512, wanted: [], refusesOneTimeBodies: true)
        try await withClient([CompressionMiddleware(minimumBytes: 0), strong]) { client in
            let answer = try await client.send(check(.text("hello")))
            #expect(answer.hasPrefix("match sha-512 "))
            #expect(answer.hasSuffix("wants nothing"))
            let error = try await failure { try await client.send(check(.stream(chunks))) }
            #expect(error.code == .encoding)
            #expect(error.message.contains("replayable"))
        }
    }

    @Test func aDigestOfTheRequestsOwnIsLeftAlone() async throws {
        try await withClient { client in
            var request = check(.text("hello"))
            request.headers[.contentDigest] = "sha-256=:AAAA:"
            let answer = try await client.send(request)
            #expect(answer.hasPrefix("mismatch sha-256 5"))
        }
    }
}
#endif
