#if Server
@testable import NetHTTP
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Methods other than GET that the cache may treat as read-only, and keys that omit parts of a URL.
@Suite(.timeLimit(.minutes(2))) struct CacheReadingMethodsTests {
    /// A GraphQL server: each response contains a number and the request's query.
    private static func graphQL(_ headers: HTTPFields = [.cacheControl: "max-age=10", .eTag: "\"a\""]) -> [Stub] {
        let count = Locked(0)
        return [
            Stub(nil, "/graphql") { request in
                count.change { $0 += 1 }
                let text = "\(count.value) \(String(decoding: request.body, as: UTF8.self))"
                return StubResponse(status: .ok, headers: headers, body: .bytes(text.utf8))
            }
        ]
    }

    private static let queries = CacheMiddleware.Configuration(onlyReads: { request in
        guard case .bytes(let body) = request.body else { return true }
        return !String(decoding: body, as: UTF8.self).contains("mutation")
    })

    private func post(
        _ fixture: Fixture, _ text: String, type: String = "application/graphql", _ policy: CachePolicy = .default
    ) async throws -> String {
        var request = Request<Bytes>(
            "/graphql", method: .post, body: .bytes(Bytes(text.utf8), contentType: type), serializer: .bytes)
        request.options.cachePolicy = policy
        return String(decoding: try await fixture.client.raw(request).value, as: UTF8.self)
    }

    @Test func aQueryByPostIsServedAgainForTheSameBodyOnly() async throws {
        try await Fixture.cached(Self.graphQL(), configuration: Self.queries) { (fixture, clock) async throws in
            #expect(try await post(fixture, "{a}") == "1 {a}")
            #expect(try await post(fixture, "{a}") == "1 {a}")
            #expect(try await post(fixture, "{b}") == "2 {b}")
            #expect(try await post(fixture, "{a}", type: "text/plain") == "3 {a}")
            #expect(try await fixture.text("/graphql") == "4 ")
            #expect(try await post(fixture, "{a}") == "1 {a}")
            #expect(try await post(fixture, "{c}", .onlyIfCached) == "")
            // Stale ones are requested again without conditions: servers evaluate them only for GET and HEAD.
            await clock.advance(by: .seconds(11))
            #expect(try await post(fixture, "{a}") == "5 {a}")
            #expect(fixture.server.requests.last?.headers[.ifNoneMatch] == nil)
            #expect(try await post(fixture, "{a}") == "5 {a}")
        }
    }

    @Test func withoutBeingToldPostIsNotServed() async throws {
        try await Fixture.cached(Self.graphQL()) { (fixture, _) async throws in
            #expect(try await post(fixture, "{a}") == "1 {a}")
            #expect(try await post(fixture, "{a}") == "2 {a}")
        }
    }

    @Test(arguments: StoreKind.allCases) func aChangeTakesTheQueriesOfItsURLAway(kind: StoreKind) async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = kind.make(folder)
            try await Fixture.cached(Self.graphQL(), store, configuration: Self.queries) { (fixture, _) async throws in
                #expect(try await post(fixture, "{a}") == "1 {a}")
                #expect(try await post(fixture, "mutation {}") == "2 mutation {}")
                #expect(try await post(fixture, "{a}") == "3 {a}")
                #expect(try await post(fixture, "{a}") == "3 {a}")
            }
        }
    }

    @Test func aQueryThatWasAskedBeforeAChangeIsNotStored() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let isAsked = AsyncStream<Void>.makeStream()
        let count = Locked(0)
        let stub = Stub(.post, "/graphql") { request in
            count.change { $0 += 1 }
            if count.value == 1 {
                isAsked.continuation.yield()
                for await _ in gate.stream { break }
            }
            return StubResponse.text("\(count.value)").header(.cacheControl, "max-age=60")
        }
        try await Fixture.cached([stub], configuration: Self.queries) { (fixture, _) async throws in
            async let old = post(fixture, "{a}")
            for await _ in isAsked.stream { break }
            _ = try await post(fixture, "mutation {}")
            gate.continuation.yield()
            _ = try await old
            #expect(try await post(fixture, "{a}") == "3")
        }
    }

    @Test func aStaleQueryIsRenewedInTheBackground() async throws {
        let stubs = Self.graphQL([.cacheControl: "max-age=10, stale-while-revalidate=60", .eTag: "\"a\""])
        try await Fixture.cached(stubs, configuration: Self.queries) { (fixture, clock) async throws in
            #expect(try await post(fixture, "{a}") == "1 {a}")
            await clock.advance(by: .seconds(20))
            #expect(try await post(fixture, "{a}") == "1 {a}")
            while fixture.client.unfinishedCalls > 0, !Task.isCancelled { await Task.yield() }
            #expect(try await post(fixture, "{a}") == "2 {a}")
            #expect(fixture.server.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
        }
    }

    @Test func streamedRequestBodiesBypassTheCache() async throws {
        try await Fixture.cached(Self.graphQL(), configuration: Self.queries) { (fixture, _) async throws in
            for number in 1...2 {
                let pieces = AsyncStream<Bytes> { stream in
                    stream.yield(Bytes("{a}".utf8))
                    stream.finish()
                }
                let request = Request<Bytes>(
                    "/graphql", method: .post, body: .stream(pieces, contentType: "text/plain"), serializer: .bytes)
                let value = try await fixture.client.raw(request).value
                #expect(String(decoding: value, as: UTF8.self) == "\(number) {a}")
            }
        }
    }

    private func text(
        _ fixture: Fixture, _ query: QueryItems, method: HTTPRequest.Method = .get
    ) async throws -> String {
        let request = Request<Bytes>("/x", method: method, query: query, serializer: .bytes)
        return String(decoding: try await fixture.client.raw(request).value, as: UTF8.self)
    }

    @Test func urlsDifferingInIgnoredQueryItemsShareAResponse() async throws {
        let stub = CountedServer.stub { _, _ in [.cacheControl: "max-age=60"] }
        let configuration = CacheMiddleware.Configuration(keyURL: CacheKey.withoutQuery { $0.hasPrefix("utm_") })
        try await Fixture.cached([stub], configuration: configuration) { (fixture, _) async throws in
            #expect(try await text(fixture, ["a": "1", "utm_source": "mail"]) == "1")
            #expect(try await text(fixture, ["utm_medium": "x", "a": "1"]) == "1")
            #expect(try await text(fixture, ["a": "1"]) == "1")
            #expect(try await text(fixture, ["a": "2"]) == "2")
            #expect(fixture.server.requests.first?.target == "/x?a=1&utm_source=mail")
            // A change with any of them invalidates the single response.
            _ = try await text(fixture, ["a": "1", "utm_id": "3"], method: .put)
            #expect(try await text(fixture, ["a": "1"]) == "4")
        }
    }

    @Test func aKeyThatIsNoURLChangesNothing() async throws {
        let stub = CountedServer.stub { _, _ in [.cacheControl: "max-age=60"] }
        let configuration = CacheMiddleware.Configuration(keyURL: { _ in "nothing" })
        try await Fixture.cached([stub], configuration: configuration) { (fixture, _) async throws in
            #expect(try await text(fixture, ["q": "1"]) == "1")
            #expect(try await text(fixture, ["q": "2"]) == "2")
            #expect(try await text(fixture, ["q": "1"]) == "1")
        }
    }

    @Test(arguments: [
        ("http://h/p?utm_a=1", "http://h/p"), ("http://h/p?utm%5Fa=1&b", "http://h/p?b"),
        ("http://h/p?a=1&&utm_a", "http://h/p?a=1&"), ("http://h/p?", "http://h/p?"),
        ("http://h/p", "http://h/p"), ("http://h/p?utm=1", "http://h/p?utm=1"),
    ])
    func itemsAreLeftOutByName(url: String, key: String) {
        #expect(CacheKey.withoutQuery { $0.hasPrefix("utm_") }(url) == key)
    }
}
#endif
