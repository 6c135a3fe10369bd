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

@Suite(.timeLimit(.minutes(2))) struct CacheMiddlewareTests {
    private func always(_ headers: HTTPFields) -> [Stub] { [CountedServer.stub { _, _ in headers }] }

    @Test func freshResponsesAreServedUntilTheirLifetimeEnds() async throws {
        try await Fixture.cached(always([.cacheControl: "max-age=10"])) { (fixture, clock) async throws in
            #expect(try await fixture.text() == "1")
            await clock.advance(by: .seconds(9))
            let second = try await fixture.get()
            #expect(second.value == Bytes("1".utf8))
            #expect(second.head[.age] == "9")
            // Nothing was sent; the version is that of the stored response.
            #expect(second.attempts == 0)
            #expect(second.head.version == "1.1")
            #expect(second.head[.cacheStatus] == "swift-net; hit; ttl=1; detail=fresh")
            await clock.advance(by: .seconds(1))
            #expect(try await fixture.text() == "2")
        }
    }

    @Test func anInvalidExpiresIsInThePast() async throws {
        for expires in ["0", "-1", "Thu, 18 Aug 2050 02:01:18 UTC"] {
            let configuration = CacheMiddleware.Configuration(defaultLifetime: .seconds(60))
            let stubs = always([.expires: expires])
            try await Fixture.cached(stubs, configuration: configuration) { (fixture, _) async throws in
                #expect(try await fixture.text() == "1")
                #expect(try await fixture.text() == "2")
            }
        }
    }

    @Test func staleResponsesAreValidatedWithUnchangedValidators() async throws {
        let headers: HTTPFields = [
            .cacheControl: "max-age=10", .eTag: "W/\"a\"", .lastModified: "thu, 01 jan 2026 00:00:00 gmt",
        ]
        let log = EventLog()
        try await Fixture.cached(always(headers), listeners: [log]) { (fixture, clock) async throws in
            _ = try await fixture.text()
            await clock.advance(by: .seconds(60))
            let response = try await fixture.get()
            #expect(response.status == .ok)
            #expect(response.value == Bytes("1".utf8))
            #expect(fixture.server.requests.last?.headers[.ifNoneMatch] == "W/\"a\"")
            #expect(fixture.server.requests.last?.headers[.ifModifiedSince] == "thu, 01 jan 2026 00:00:00 gmt")
            #expect(try await fixture.get().head[.age] == "0")
            #expect(fixture.server.requests.count == 2)
            #expect(
                log.decisions == [
                    "miss (notStored)", "store (cacheable)", "revalidate (stale)", "update (notModified)",
                    "hit (fresh)",
                ])
        }
    }

    @Test func aNotModifiedAnswerChangesFieldsButNotThoseOfTheBody() async throws {
        let stub = CountedServer.stub { number, _ in
            [
                .cacheControl: "max-age=\(number * 10)", .eTag: "\"a\"", .contentType: "text/x\(number)",
                .contentLanguage: number == 1 ? "en" : "de", .contentRange: "\(number)", .server: "\(number)",
            ]
        }
        try await Fixture.cached([stub]) { (fixture, clock) async throws in
            _ = try await fixture.get()
            await clock.advance(by: .seconds(11))
            let fresh = try await fixture.get()
            #expect(fresh.head[.contentLanguage] == "de")
            #expect(fresh.head[.server] == "2")
            #expect(fresh.head[.contentRange] == "1")
            #expect(fresh.head[.contentLength] == "1")
            await clock.advance(by: .seconds(11))
            #expect(try await fixture.get().head[.server] == "2")
        }
    }

    @Test func variantsAreKeptBesideOneAnother() async throws {
        let stub = CountedServer.stub { _, _ in [.cacheControl: "max-age=60", .vary: "Accept-Language"] }
        try await Fixture.cached([stub]) { (fixture, _) async throws in
            for _ in 1...3 {
                #expect(try await fixture.text("/x", .default, [.acceptLanguage: "en"]) == "1")
                #expect(try await fixture.text("/x", .default, [.acceptLanguage: "de"]) == "2")
            }
        }
    }

    @Test func answersToDifferentCredentialsAreKeptApart() async throws {
        try await Fixture.cached(always([.cacheControl: "max-age=60"])) { (fixture, _) async throws in
            #expect(try await fixture.text("/x", .default, [.authorization: "Bearer a"]) == "1")
            #expect(try await fixture.text("/x", .default, [.authorization: "Bearer b"]) == "2")
            #expect(try await fixture.text() == "3")
            #expect(try await fixture.text("/x", .default, [.authorization: "Bearer a"]) == "1")
        }
    }

    @Test(arguments: [
        ("max-age=60", nil as String?, false), ("max-age=60, public", nil, true), ("s-maxage=60", nil, true),
        ("private, max-age=60", nil, false), ("max-age=60, must-revalidate", nil, true),
        ("max-age=60, public", "a=b", true), ("max-age=60, must-revalidate", "a=b", false),
    ])
    func aSharedCacheKeepsAnswersToCredentialsWhereItMay(control: String, cookie: String?, isKept: Bool) async throws {
        var answer: HTTPFields = [.cacheControl: control]
        answer[.setCookie] = cookie
        try await Fixture.cached(always(answer), configuration: .init(isShared: true)) { (fixture, _) async throws in
            #expect(try await fixture.text("/x", .default, [.authorization: "Bearer a"]) == "1")
            #expect(try await fixture.text() == (isKept ? "1" : "2"))
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch])
    func methodsThatChangeSomethingInvalidate(method: HTTPRequest.Method) async throws {
        let stubs = [
            CountedServer.stub("/a") { _, _ in [.cacheControl: "max-age=60", .location: "/b"] },
            CountedServer.stub("/b") { _, _ in [.cacheControl: "max-age=60"] },
            CountedServer.stub("/c") { _, _ in [.cacheControl: "max-age=60"] },
        ]
        try await Fixture.cached(stubs) { (fixture, _) async throws in
            for path in ["/a", "/b", "/c"] { #expect(try await fixture.text(path) == "1") }
            _ = try await fixture.client.raw(Request<Bytes>("/a", method: method, serializer: .bytes))
            #expect(try await fixture.text("/a") == "3")
            #expect(try await fixture.text("/b") == "2")
            #expect(try await fixture.text("/c") == "1")
        }
    }

    @Test func responsesRequestedBeforeAnInvalidationAreNotStored() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let isAsked = AsyncStream<Void>.makeStream()
        let count = Locked(0)
        let stubs = [
            Stub(.get, "/x") { _ in
                count.change { $0 += 1 }
                if count.value == 1 {
                    isAsked.continuation.yield()
                    for await _ in gate.stream { break }
                }
                return StubResponse.text("\(count.value)").header(.cacheControl, "max-age=60")
            }, Stub(.put, "/x", .status(.noContent)),
        ]
        try await Fixture.cached(stubs) { (fixture, _) async throws in
            async let old = fixture.text()
            for await _ in isAsked.stream { break }
            _ = try await fixture.client.raw(Request<Bytes>("/x", method: .put, serializer: .bytes))
            gate.continuation.yield()
            #expect(try await old == "1")
            #expect(try await fixture.text() == "2")
            #expect(try await fixture.text() == "2")
        }
    }

    @Test func policiesDoWhatTheySay() async throws {
        let stub = CountedServer.stub { _, _ in [.cacheControl: "max-age=10"] }
        try await Fixture.cached([stub]) { (fixture, clock) async throws in
            #expect(try await fixture.get("/x", .onlyIfCached).head.status == .gatewayTimeout)
            #expect(try await fixture.get("/x", .default, [.cacheControl: "only-if-cached"]).status.code == 504)
            #expect(try await fixture.text("/x", .noStore) == "1")
            #expect(try await fixture.text() == "2")
            #expect(try await fixture.text("/x", .onlyIfCached) == "2")
            #expect(try await fixture.text("/x", .noStore) == "3")
            #expect(try await fixture.text() == "2")
            #expect(try await fixture.text("/x", .reload) == "4")
            #expect(fixture.server.requests.last?.headers[.cacheControl] == "no-cache")
            #expect(try await fixture.text() == "4")
            #expect(try await fixture.text("/x", .revalidate) == "5")
            await clock.advance(by: .seconds(3600))
            #expect(try await fixture.get("/x", .onlyIfCached).head.status == .gatewayTimeout)
            #expect(try await fixture.text("/x", .offline) == "5")
            #expect(try await fixture.text("/x", .cacheElseLoad) == "5")
            #expect(try await fixture.text() == "6")
        }
    }

    @Test func theWordsOfFetchAreKnown() {
        let words = ["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"]
        let policies: [CachePolicy] = [.default, .noStore, .reload, .revalidate, .cacheElseLoad, .offline]
        #expect(words.map { CachePolicy(fetchMode: $0) } == policies)
        #expect(CachePolicy(fetchMode: "x") == nil)
    }

    @Test func theNamesOfFoundationAreKnown() {
        let names = [
            "useProtocolCachePolicy", "reloadIgnoringLocalCacheData", "reloadIgnoringLocalAndRemoteCacheData",
            "reloadRevalidatingCacheData", "returnCacheDataElseLoad", "returnCacheDataDontLoad",
        ]
        let policies: [CachePolicy] = [.default, .reload, .reload, .revalidate, .cacheElseLoad, .offline]
        #expect(names.map { CachePolicy(urlRequestPolicy: $0) } == policies)
        #expect(CachePolicy(urlRequestPolicy: "default") == nil)
    }

    @Test(arguments: [500, 502, 503, 504])
    func anErrorIsAnsweredWithWhatIsStale(status: Int) async throws {
        let isBroken = Locked(false)
        let stub = Stub(.get, "/x") { _ in
            if isBroken.value { return .text("broken", status: .init(code: status)) }
            return StubResponse.text("good").header(.cacheControl, "max-age=1, stale-if-error=60")
        }
        try await Fixture.cached([stub]) { (fixture, clock) async throws in
            #expect(try await fixture.text() == "good")
            isBroken.change { $0 = true }
            await clock.advance(by: .seconds(30))
            #expect(try await fixture.text() == "good")
            await clock.advance(by: .seconds(32))
            #expect(try await fixture.text() == "broken")
            #expect(try await fixture.text("/x", .staleIfError()) == "good")
            #expect(try await fixture.text("/x", .staleIfError(upTo: .seconds(61))) == "good")
            #expect(try await fixture.text("/x", .staleIfError(upTo: .seconds(60))) == "broken")
        }
    }

    @Test func aServerThatIsGoneIsAnsweredForUnlessItForbidsThat() async throws {
        for (control, isServed) in [("max-age=1", true), ("max-age=1, must-revalidate", false)] {
            let stubs = [
                Stub(.get, "/x", .text("good").header(.cacheControl, control)).times(1), Stub(.get, "/x", .dropped()),
            ]
            try await Fixture.cached(stubs) { (fixture, clock) async throws in
                _ = try await fixture.text()
                await clock.advance(by: .seconds(5))
                let text = try? await fixture.text("/x", .staleIfError())
                #expect(text == (isServed ? "good" : nil))
            }
        }
    }

    @Test func aPartIsNeverServedAsTheWhole() async throws {
        let stub = Stub(.get, "/x") { request in
            if request.headers[.range] == "bytes=0-3" {
                return StubResponse(
                    status: .partialContent,
                    headers: [.cacheControl: "max-age=60", .contentRange: "bytes 0-3/10", .eTag: "\"a\""],
                    body: .bytes("0123".utf8))
            }
            if request.headers[.range] == "bytes=4-", request.headers[.ifRange] == "\"a\"" {
                return StubResponse(
                    status: .partialContent,
                    headers: [.cacheControl: "max-age=60", .contentRange: "bytes 4-9/10", .eTag: "\"a\""],
                    body: .bytes("456789".utf8))
            }
            return .text("unexpected")
        }
        try await Fixture.cached([stub]) { (fixture, _) async throws in
            #expect(try await fixture.text("/x", .default, [.range: "bytes=0-3"]) == "0123")
            let part = try await fixture.get("/x", .default, [.range: "bytes=1-2"])
            #expect(part.status == .partialContent)
            #expect(part.value == Bytes("12".utf8))
            #expect(part.head[.contentRange] == "bytes 1-2/10")
            #expect(part.head[.contentLength] == "2")
            #expect(fixture.server.requests.count == 1)
            let whole = try await fixture.get()
            #expect(whole.head.status == .ok)
            #expect(whole.value == Bytes("0123456789".utf8))
            #expect(whole.head[.contentRange] == nil)
            #expect(whole.head[.contentLength] == "10")
            #expect(fixture.server.requests.count == 2)
            #expect(try await fixture.text() == "0123456789")
            #expect(try await fixture.text("/x", .default, [.range: "bytes=-3"]) == "789")
            #expect(fixture.server.requests.count == 2)
        }
    }

    @Test func aPartOfAnotherRepresentationIsNotJoined() async throws {
        let stub = Stub(.get, "/x") { request in
            guard let range = request.headers[.range] else {
                return StubResponse.text("ABCDEFGHIJ").header(.eTag, "\"b\"").header(.cacheControl, "max-age=60")
            }
            let isFirst = range == "bytes=0-3"
            return StubResponse(
                status: .partialContent,
                headers: [
                    .cacheControl: "max-age=60", .contentRange: isFirst ? "bytes 0-3/10" : "bytes 4-9/10",
                    .eTag: isFirst ? "\"a\"" : "\"b\"",
                ], body: .bytes((isFirst ? "0123" : "EFGHIJ").utf8))
        }
        try await Fixture.cached([stub]) { (fixture, _) async throws in
            #expect(try await fixture.text("/x", .default, [.range: "bytes=0-3"]) == "0123")
            #expect(try await fixture.text() == "ABCDEFGHIJ")
            #expect(try await fixture.text("/x", .default, [.range: "bytes=0-3"]) == "ABCD")
        }
    }

    @Test func aHeadRequestBringsFieldsUpToDate() async throws {
        let stub = CountedServer.stub { number, request in
            let isHead = request.method == .head
            return [
                .cacheControl: isHead ? "max-age=100" : "max-age=1", .lastModified: "Thu, 01 Jan 2026 00:00:00 GMT",
                .server: "\(number)",
            ]
        }
        try await Fixture.cached([stub]) { (fixture, clock) async throws in
            _ = try await fixture.get()
            await clock.advance(by: .seconds(5))
            _ = try await fixture.client.raw(Request<Bytes>("/x", method: .head, serializer: .bytes))
            await clock.advance(by: .seconds(50))
            let response = try await fixture.get()
            #expect(response.value == Bytes("1".utf8))
            #expect(response.head[.server] == "2")
        }
    }

    @Test func conditionsOfTheCallerAreAnsweredByTheCache() async throws {
        try await Fixture.cached(always([.cacheControl: "max-age=60", .eTag: "W/\"a\""])) { (fixture, _) async throws in
            _ = try await fixture.get()
            let same = try await fixture.get("/x", .default, [.ifNoneMatch: "\"x\", \"a\""])
            #expect(same.head.status == .notModified)
            #expect(same.value.isEmpty)
            #expect(same.head[.eTag] == "W/\"a\"")
            #expect(try await fixture.get("/x", .default, [.ifNoneMatch: "\"b\""]).head.status == .ok)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func interimAnswersReachTheCaller() async throws {
        try await Fixture.cached(always([.cacheControl: "max-age=60"])) { (fixture, _) async throws in
            var request = Request<Bytes>("/x", serializer: .bytes)
            request.options.onInterimResponse = { _ in }
            _ = try await fixture.client.raw(request)
            #expect(try await fixture.text() == "1")
        }
    }

    @Test func cookiesAreNotSetAgainByWhatWasStored() async throws {
        let cookies = CookieStore()
        let stub = CountedServer.stub { number, _ in
            [.cacheControl: "max-age=10", .setCookie: "n=\(number)", .eTag: "\"a\""]
        }
        try await Fixture.cached([stub], outside: [CookieMiddleware(cookies)]) { (fixture, clock) async throws in
            _ = try await fixture.get()
            cookies.withJar { $0.removeAll() }
            let hit = try await fixture.get()
            #expect(hit.head[.setCookie] == "n=1")
            #expect(cookies.cookies.isEmpty)
            await clock.advance(by: .seconds(11))
            _ = try await fixture.get()
            #expect(cookies.cookies.map(\.value) == ["2"])
        }
    }

    @Test func hopByHopHeadersAreNotStored() async throws {
        let headers: HTTPFields = [
            .cacheControl: "max-age=60", .connection: "X-Hop, keep-alive", .te: "x", .server: "s",
        ]
        let hop = HTTPField.Name("X-Hop")
        let stub = CountedServer.stub { _, _ in
            var all = headers
            all[hop] = "1"
            return all
        }
        try await Fixture.cached([stub]) { (fixture, _) async throws in
            #expect(try await fixture.get().head[hop] == "1")
            let head = try await fixture.get().head
            #expect(head[hop] == nil)
            #expect(head[.connection] == nil)
            #expect(head[.te] == nil)
            #expect(head[.server] == "s")
        }
    }

    @Test func cacheDecisionsAppearInTheCallTrace() async throws {
        let traces = Locked<[CallTrace]>([])
        let listener = TraceListener { trace in traces.change { $0.append(trace) } }
        try await Fixture.cached(always([.cacheControl: "max-age=60"]), listeners: [listener]) {
            (fixture, _) async throws in
            _ = try await fixture.get()
            _ = try await fixture.get()
            let decisions = traces.value.map { $0.cacheDecisions.map(\.description) }
            #expect(decisions == [["miss (notStored)", "store (cacheable)"], ["hit (fresh)"]])
            #expect(traces.value.map(\.attempts.count) == [1, 0])
            #expect(traces.value.last.map { "\($0)".contains("cache: hit (fresh)") } == true)
        }
    }
}
#endif
