#if Server
@testable import NetHTTP
@testable import ClientTestSupport
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import Testing

/// The header `Cache-Status` (RFC 9211).
@Suite(.timeLimit(.minutes(2))) struct CacheStatusTests {
    private func status(
        _ fixture: Fixture, _ policy: CachePolicy = .default, _ headers: HTTPFields = [:]
    ) async throws -> String? {
        try await fixture.get("/x", policy, headers).head[.cacheStatus]
    }

    @Test func aMissThatIsStoredSaysNoMore() async throws {
        let stub = CountedServer.stub { _, _ in [.cacheControl: "max-age=10", .vary: "Accept"] }
        try await Fixture.cached([stub]) { (fixture, _) async throws in
            #expect(
                try await status(fixture, .default, [.accept: "a/b"])
                    == "swift-net; fwd=uri-miss; fwd-status=200; stored")
            #expect(
                try await status(fixture, .default, [.accept: "c/d"])
                    == "swift-net; fwd=vary-miss; fwd-status=200; stored")
        }
    }

    @Test func aResponseThatIsNotStoredSaysWhy() async throws {
        let cases: [(HTTPFields, String)] = [
            ([.cacheControl: "no-store"], "noStore"), ([.cacheControl: "max-age=1", .vary: "*"], "varyAny"),
            ([:], "noFreshness"),
        ]
        for (headers, detail) in cases {
            try await Fixture.cached([CountedServer.stub { _, _ in headers }]) { (fixture, _) async throws in
                #expect(
                    try await status(fixture) == "swift-net; fwd=uri-miss; fwd-status=200; detail=\(detail)")
            }
        }
    }

    @Test func aResponseWithoutABodySaysThatItWasForwardedToo() async throws {
        let stub = Stub(.head, "/x", StubResponse(headers: [.cacheControl: "max-age=10"]))
        try await Fixture.cached([stub]) { (fixture, _) async throws in
            let response = try await fixture.client.raw(Request<Bytes>("/x", method: .head, serializer: .bytes))
            #expect(response.head[.cacheStatus] == "swift-net; fwd=uri-miss; fwd-status=200")
        }
    }

    @Test func aBodyThatTheStoreRefusesIsNotStored() async throws {
        let stub = CountedServer.stub { _, _ in [.cacheControl: "max-age=10"] }
        let configuration = CacheMiddleware.Configuration(maximumBodyBytes: 0)
        try await Fixture.cached([stub], configuration: configuration) { (fixture, _) async throws in
            #expect(try await status(fixture) == "swift-net; fwd=uri-miss; fwd-status=200; detail=tooLarge")
        }
        try await Fixture.cached([stub], RefusingStore()) { (fixture, _) async throws in
            #expect(try await status(fixture) == "swift-net; fwd=uri-miss; fwd-status=200; detail=tooLarge")
        }
    }

    @Test func theReasonToForwardIsThatOfTheStandard() async throws {
        let stub = CountedServer.stub { _, _ in [.cacheControl: "max-age=10", .eTag: "\"a\""] }
        try await Fixture.cached([stub]) { (fixture, clock) async throws in
            #expect(try await status(fixture) == "swift-net; fwd=uri-miss; fwd-status=200; stored")
            #expect(try await status(fixture) == "swift-net; hit; ttl=10; detail=fresh")
            let noCache: HTTPFields = [.cacheControl: "no-cache"]
            #expect(
                try await status(fixture, .default, noCache)
                    == "swift-net; fwd=request; fwd-status=304; detail=requestNoCache")
            #expect(try await status(fixture, .revalidate) == "swift-net; fwd=request; fwd-status=304; detail=policy")
            #expect(try await status(fixture, .noStore) == "swift-net; fwd=bypass; fwd-status=200; detail=policy")
            await clock.advance(by: .seconds(20))
            #expect(try await status(fixture) == "swift-net; fwd=stale; fwd-status=304")
            await clock.advance(by: .seconds(20))
            // A stale response isn't "a fresh response that the request did not allow".
            #expect(
                try await status(fixture, .default, noCache)
                    == "swift-net; fwd=stale; fwd-status=304; detail=requestNoCache")
        }
        let post = Stub(.post, "/x", .text("done"))
        try await Fixture.cached([post]) { (fixture, _) async throws in
            let response = try await fixture.client.raw(Request<Bytes>("x", method: .post, serializer: .bytes))
            #expect(response.head[.cacheStatus] == "swift-net; fwd=method; fwd-status=200")
        }
    }

    /// The request was forwarded, so this isn't a hit (RFC 9211 section 2.1).
    @Test func staleResponsesServedOnErrorAreReportedAsForwarded() async throws {
        let stubs = [
            Stub(.get, "/x", StubResponse.text("good").header(.cacheControl, "max-age=1, stale-if-error=60")).times(1),
            Stub(.get, "/x", .status(.serviceUnavailable)).times(1), Stub(.get, "/x", .dropped()),
        ]
        try await Fixture.cached(stubs) { (fixture, clock) async throws in
            _ = try await status(fixture)
            await clock.advance(by: .seconds(5))
            #expect(try await status(fixture) == "swift-net; fwd=stale; fwd-status=503; detail=staleIfError")
            #expect(try await status(fixture) == "swift-net; fwd=stale; detail=staleIfError")
        }
    }
}

/// Begins each entry, and rejects all of its bytes.
private struct RefusingStore: HTTPCacheStore {
    private final class Writer: HTTPCacheWriter {
        func write(_ bytes: Bytes) async -> Bool { false }
        func finish(replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async -> Bool { false }
        func cancel() {}
    }

    func entries(for key: CacheKey) async -> [CacheEntry] { [] }
    func body(of entry: CacheEntry, slice: Range<Int64>?) async -> ResponseBody? { nil }
    func begin(_ entry: CacheEntry, length: Int64?) async -> (any HTTPCacheWriter)? { Writer() }
    func update(_ entry: CacheEntry) async {}
    func remove(_ key: CacheKey, where isMeant: @Sendable (CacheEntry) -> Bool) async {}
    func removeAll(where isMeant: @Sendable (CacheEntry) -> Bool) async {}
}
#endif
