import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// The decision for a request, given the stored responses (RFC 9111 section 4).
@Suite struct CacheDecisionTests {
    private typealias Made = CacheMade

    @Test(
        arguments: [
            (.get, .none, .default, "", "serve 1 fresh"), (.head, .none, .default, "", "serve 1 fresh"),
            (.post, .none, .default, "", "bypass method"), (.options, .none, .default, "", "bypass method"),
            (.get, .bytes(Bytes([1])), .default, "", "bypass requestBody"),
            (.get, .bytes(Bytes()), .default, "", "serve 1 fresh"),
            (.get, .none, .noStore, "", "bypass policy"), (.get, .none, .default, "no-store", "bypass requestNoStore"),
            (.get, .none, .reload, "", "forward policy"),
            (.get, .none, .default, "only-if-cached", "serve 1 fresh"),
            (.post, .none, .onlyIfCached, "", "unavailable method"),
            (.get, .none, .offline, "no-store", "unavailable requestNoStore"),
            (.get, .none, .reload, "only-if-cached", "unavailable policy"),
        ] as [(HTTPRequest.Method, RequestBody.Content, CachePolicy, String, String)])
    func theRequestDecidesFirst(
        method: HTTPRequest.Method, body: RequestBody.Content, policy: CachePolicy, control: String, words: String
    ) {
        let headers: HTTPFields = control.isEmpty ? [:] : [.cacheControl: control]
        let request = Made.request(headers, method: method, policy: policy, body: body)
        #expect(Made.decide(request, [Made.entry()]) == words)
    }

    @Test func aMethodThatOnlyReadsIsServed() {
        var request = Made.request(method: .post, body: .bytes(Bytes([1])))
        request.onlyReads = true
        #expect(request.isForRepresentation)
        #expect(Made.decide(request, [Made.entry()]) == "serve 1 fresh")
        #expect(Made.decide(request, []) == "forward notStored")
        // The request has no validators of its own.
        let stale = Made.entry([.cacheControl: "max-age=60", .eTag: "\"a\""])
        #expect(Made.decide(request, [stale], after: 60) == "forward stale")
    }

    @Test(
        arguments: [
            (0, "", "", "serve 1 fresh"), (59, "", "", "serve 1 fresh"), (60, "", "", "validate stale"),
            (0, "", "max-age=0", "validate requestMaxAge"), (30, "", "max-age=30", "serve 1 fresh"),
            (31, "", "max-age=30", "validate requestMaxAge"), (0, "", "no-cache", "validate requestNoCache"),
            (30, "", "min-fresh=30", "serve 1 fresh"), (31, "", "min-fresh=30", "validate requestMinFresh"),
            (0, "no-cache", "", "validate noCache"), (70, "", "max-stale=10", "serve 1 maxStale"),
            (71, "", "max-stale=10", "validate stale"), (9999, "", "max-stale", "serve 1 maxStale"),
            (70, "must-revalidate", "max-stale", "validate mustRevalidate"),
            (70, "proxy-revalidate", "max-stale", "serve 1 maxStale"),
            (70, "s-maxage=60", "max-stale", "serve 1 maxStale"),
            (70, "stale-while-revalidate=10", "", "serve 1 staleWhileRevalidate and refresh"),
            (71, "stale-while-revalidate=10", "", "validate stale"),
            (70, "stale-while-revalidate=10, must-revalidate", "", "validate mustRevalidate"),
            (70, "stale-if-error=10", "", "validate stale or stale"), (71, "stale-if-error=10", "", "validate stale"),
            (70, "", "stale-if-error=10", "validate stale or stale"), (71, "", "stale-if-error=10", "validate stale"),
            (70, "stale-if-error=10, no-cache", "", "validate noCache"),
            (70, "stale-if-error=10, must-revalidate", "", "validate mustRevalidate"),
        ] as [(Double, String, String, String)])
    func storedResponsesObeyTheCacheControlOfBothSides(after: Double, server: String, client: String, words: String) {
        let control = "max-age=60" + (server.isEmpty ? "" : ", " + server)
        let request = Made.request(client.isEmpty ? [:] : [.cacheControl: client])
        let entry = Made.entry([.cacheControl: control, .eTag: "\"a\""])
        #expect(Made.decide(request, [entry], after: after) == words)
    }

    @Test(
        arguments: [
            (.cacheElseLoad, 0, "serve 1 fresh"), (.cacheElseLoad, 99, "serve 1 policy"),
            (.offline, 99, "serve 1 policy"),
            (.onlyIfCached, 0, "serve 1 fresh"), (.onlyIfCached, 60, "unavailable stale"),
            (.revalidate, 0, "validate policy"),
            (.staleWhileRevalidate(), 99, "serve 1 staleWhileRevalidate and refresh"),
            (.staleWhileRevalidate(upTo: .seconds(10)), 70, "serve 1 staleWhileRevalidate and refresh"),
            (.staleWhileRevalidate(upTo: .seconds(10)), 70.5, "validate stale"),
            (.staleIfError(), 9999, "validate stale or stale"),
            (.staleIfError(upTo: .seconds(10)), 70, "validate stale or stale"),
            (.staleIfError(upTo: .seconds(10)), 70.5, "validate stale"),
        ] as [(CachePolicy, Double, String)])
    func thePolicyOfTheRequestCounts(policy: CachePolicy, after: Double, words: String) {
        let entry = Made.entry([.cacheControl: "max-age=60", .eTag: "\"a\""])
        #expect(Made.decide(Made.request(policy: policy), [entry], after: after) == words)
    }

    @Test func freshImmutableResponsesAreServedWithoutValidation() {
        func words(_ headers: HTTPFields, after: Double = 0, _ client: HTTPFields = [:]) -> String {
            Made.decide(Made.request(client, policy: .revalidate), [Made.entry(headers)], after: after)
        }
        #expect(words([.cacheControl: "max-age=60, immutable"]) == "serve 1 immutable")
        #expect(words([.cacheControl: "max-age=60, immutable", .eTag: "\"a\""], after: 60) == "validate policy")
        #expect(words([.cacheControl: "max-age=60, immutable"], [.cacheControl: "max-age=0"]) == "forward policy")
        #expect(words([.cacheControl: "max-age=60, immutable, no-cache"]) == "forward policy")
        // Only the server's explicit lifetime counts.
        let modified = HTTPDate.string(from: Made.start.addingTimeInterval(-86_400))
        #expect(words([.cacheControl: "immutable", .lastModified: modified]) == "validate policy")
    }

    @Test func onlyWhatWasSelectedByTheRequestIsServed() {
        let accept = VarySelection.Field(name: "accept", value: "a/b")
        let entry = Made.entry(vary: [accept])
        #expect(Made.decide(Made.request([.accept: "a/b"]), [entry]) == "serve 1 fresh")
        #expect(Made.decide(Made.request([.accept: "c/d"]), [entry]) == "forward variantMismatch")
        #expect(Made.decide(Made.request(), []) == "forward notStored")
        let decoded = Made.entry(coding: .decoded)
        #expect(Made.decide(Made.request(), [decoded]) == "serve 1 fresh")
        #expect(Made.decide(Made.request { $0.options.decodesContent = false }, [decoded]) == "forward variantMismatch")
        let coded = Made.entry(coding: .coded)
        #expect(Made.decide(Made.request(), [coded]) == "forward variantMismatch")
        #expect(Made.decide(Made.request { $0.options.decodesContent = false }, [coded]) == "serve 1 fresh")
    }

    @Test func aSharedCacheServesUsersOnlyWhatIsForAll() {
        let shared = CacheDecision.Rules(isShared: true)
        let user = Made.request { $0.options.identity = .named("ann") }
        for (control, isServed) in [
            ("max-age=60", false), ("max-age=60, public", true), ("s-maxage=60", true),
            ("max-age=60, must-revalidate", true),
        ] {
            let entry = Made.entry([.cacheControl: control])
            let words = Made.decide(user, [entry], rules: shared)
            #expect(words == (isServed ? "serve 1 fresh" : "forward variantMismatch"), "\(control)")
            #expect(Made.decide(user, [entry]).hasPrefix(control.hasPrefix("s") ? "forward" : "serve"))
            #expect(Made.decide(Made.request(), [entry], rules: shared) == "serve 1 fresh")
        }
        // The permission to serve stale responses depends on the kind of cache.
        for control in ["max-age=60, proxy-revalidate", "s-maxage=60"] {
            let entry = Made.entry([.cacheControl: control, .eTag: "\"a\""])
            #expect(Made.decide(Made.request(), [entry], after: 61, rules: shared) == "validate mustRevalidate")
        }
    }

    @Test func ofSeveralTheNewestIsServed() {
        func dated(_ id: UInt64, _ seconds: Double) -> CacheEntry {
            let date = HTTPDate.string(from: Made.start.addingTimeInterval(seconds))
            return Made.entry([.cacheControl: "max-age=60", .date: date], id: id)
        }
        #expect(Made.decide(Made.request(), [dated(1, -5), dated(2, -3), dated(3, -4)]) == "serve 2 fresh")
        #expect(Made.decide(Made.request(), [dated(1, -3), dated(2, -3)]) == "serve 1 fresh", "the first of equals")
        // Without a date, the time of arrival counts.
        #expect(Made.decide(Made.request(), [dated(1, -5), Made.entry(id: 2, after: -4)]) == "serve 2 fresh")
    }

    private func part(
        _ range: Range<Int64>?, of total: Int64?, _ requested: String, id: UInt64 = 1, length: Int64? = nil,
        _ headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]
    ) -> CacheEntry {
        Made.entry(
            headers, status: .partialContent, id: id, length: length ?? Int64(range?.count ?? 10),
            part: .init(range: range.map { ContentRange(bytes: $0, total: total) }, requested: requested))
    }

    @Test(arguments: [
        ("bytes=2-5", "serve 1 fresh 2..<6"), ("bytes=5-", "serve 1 fresh 5..<10"),
        ("bytes=-3", "serve 1 fresh 7..<10"),
        ("bytes=9-99", "serve 1 fresh 9..<10"), ("bytes=10-", "forward range"), ("bytes=0-1,3-4", "forward range"),
        ("lines=1-2", "forward range"),
    ])
    func aRangeIsCutOutOfTheWhole(range: String, words: String) {
        #expect(Made.decide(Made.request([.range: range]), [Made.entry()]) == words)
        #expect(Made.decide(Made.request([.range: range], method: .head), [Made.entry()]) == "serve 1 fresh")
    }

    @Test func aRangeIsOneOfTheBytesThatWereSent() {
        let request = Made.request([.range: "bytes=2-5"])
        #expect(Made.decide(request, [Made.entry(coding: .decoded)]) == "forward range")
        #expect(Made.decide(request, [Made.entry(status: .notFound)]) == "serve 1 fresh", "an error has no ranges")
        for (condition, words) in [
            ("\"a\"", "serve 1 fresh 2..<6"), ("\"b\"", "forward range"), ("W/\"a\"", "forward range"),
            ("date", "forward range"),
        ] {
            let entry = Made.entry([.cacheControl: "max-age=60", .eTag: "\"a\""])
            let request = Made.request([.range: "bytes=2-5", .ifRange: condition])
            #expect(Made.decide(request, [entry]) == words, "\(condition)")
        }
        let modified = Made.entry([.cacheControl: "max-age=60", .lastModified: "then"])
        #expect(
            Made.decide(Made.request([.range: "bytes=2-5", .ifRange: "then"]), [modified]) == "serve 1 fresh 2..<6")
    }

    @Test(arguments: [
        ("bytes=4-7", "serve 1 fresh"), ("bytes=4-6", "serve 1 fresh 0..<3"), ("bytes=5-7", "serve 1 fresh 1..<4"),
        ("bytes=3-7", "forward range"), ("bytes=4-8", "forward range"), ("bytes=-3", "forward range"),
    ])
    func aRangeIsCutOutOfAPart(range: String, words: String) {
        let entry = part(4..<8, of: 10, "bytes=4-7")
        #expect(Made.decide(Made.request([.range: range]), [entry]) == words)
        #expect(
            Made.decide(Made.request([.range: range]), [part(4..<8, of: nil, "bytes=4-7")])
                == (range == "bytes=4-7" ? words : "forward range"))
    }

    @Test func theWholeIsBetterThanAPart() {
        let request = Made.request([.range: "bytes=4-7"])
        let newer = part(4..<8, of: 10, "bytes=4-7", id: 2)
        #expect(Made.decide(request, [newer, Made.entry(id: 3, after: -9)]) == "serve 3 fresh 4..<8")
        #expect(Made.decide(request, [Made.entry(id: 3, after: -9), newer]) == "serve 3 fresh 4..<8")
    }

    @Test func aPartFromTheBeginningIsCompleted() {
        let start = part(0..<4, of: 10, "bytes=0-3")
        #expect(Made.decide(Made.request(), [start]) == "complete 1")
        #expect(Made.decide(Made.request(policy: .onlyIfCached), [start]) == "unavailable range")
        let others = [
            part(1..<4, of: 10, "bytes=1-3"), part(0..<10, of: 10, "bytes=0-"), part(0..<4, of: nil, "bytes=0-3"),
            part(nil, of: nil, "bytes=0-3"), part(0..<4, of: 10, "bytes=0-3", length: 3),
            part(0..<4, of: 10, "bytes=0-3", [.cacheControl: "max-age=60", .eTag: "W/\"a\""]),
            part(0..<4, of: 10, "bytes=0-3", [.cacheControl: "max-age=60"]),
        ]
        for (index, other) in others.enumerated() {
            #expect(Made.decide(Made.request(), [other]) == "forward range", "\(index)")
        }
        var outdated = start
        outdated.isOutdated = true
        #expect(Made.decide(Made.request(), [outdated]) == "forward range")
        for request in [
            Made.request(method: .head), Made.request(policy: .revalidate), Made.request([.cacheControl: "no-cache"]),
            Made.request([.ifNoneMatch: "\"a\""]), Made.request([.range: "bytes=2-6"]),
        ] {
            #expect(Made.decide(request, [start]) == "forward range")
        }
    }

    @Test(
        arguments: [
            ([.ifNoneMatch: "\"a\""], "not modified"), ([.ifNoneMatch: "W/\"a\""], "not modified"),
            ([.ifNoneMatch: "*"], "not modified"),
            ([.ifNoneMatch: "\"b\", \"a\""], "not modified"), ([.ifNoneMatch: "\"b\""], "serve 1 fresh"),
            ([.ifModifiedSince: "Fri, 15 Jan 2027 08:00:00 GMT"], "not modified"),
            ([.ifModifiedSince: "Fri, 15 Jan 2027 07:59:59 GMT"], "serve 1 fresh"),
            ([.ifModifiedSince: "soon"], "serve 1 fresh"),
            ([.ifMatch: "\"a\""], "forward conditional"), ([.ifUnmodifiedSince: "soon"], "forward conditional"),
        ] as [(HTTPFields, String)])
    func theCallersConditionIsAnsweredFromWhatIsStored(headers: HTTPFields, words: String) {
        let entry = Made.entry([
            .cacheControl: "max-age=60", .eTag: "\"a\"", .lastModified: "Fri, 15 Jan 2027 08:00:00 GMT",
        ])
        #expect(Made.decide(Made.request(headers), [entry]) == words)
    }

    @Test func aConditionIsSentAsItIsAndAnsweredOnlyForSuccess() {
        let entry = Made.entry([
            .cacheControl: "max-age=60, stale-if-error=99, stale-while-revalidate=99", .eTag: "\"a\"",
        ])
        let conditional = Made.request([.ifNoneMatch: "\"b\""])
        #expect(Made.decide(conditional, [entry], after: 60) == "forward stale")
        let ranged = Made.request([.ifRange: "\"a\""])
        #expect(Made.decide(ranged, [entry], after: 200) == "forward stale")
        let error = Made.entry([.cacheControl: "max-age=60", .eTag: "\"a\""], status: .notFound)
        #expect(Made.decide(Made.request([.ifNoneMatch: "\"a\""]), [error]) == "serve 1 fresh")
        let untagged = Made.entry()
        #expect(Made.decide(Made.request([.ifNoneMatch: "\"a\""]), [untagged]) == "serve 1 fresh")
        let since = Made.request([.ifModifiedSince: "Fri, 15 Jan 2027 08:00:00 GMT"])
        #expect(Made.decide(since, [untagged]) == "not modified", "the date of the response stands in")
        #expect(Made.decide(since, [Made.entry(after: 1)], after: 1) == "serve 1 fresh")
    }

    @Test func outdatedEntriesAreNotServed() {
        var entry = Made.entry([.cacheControl: "max-age=60, stale-if-error=99", .eTag: "\"a\""])
        entry.isOutdated = true
        #expect(Made.decide(Made.request(), [entry]) == "validate outdated")
        var bare = Made.entry([.cacheControl: "max-age=60, stale-if-error=99"])
        #expect(Made.decide(Made.request(), [bare], after: 61) == "forward stale or stale")
        bare.isOutdated = true
        #expect(Made.decide(Made.request(), [bare]) == "forward outdated")
    }

    @Test func validatorsGoOutAsTheyCame() {
        var headers: HTTPFields = [.accept: "a/b"]
        Made.entry([.eTag: "W/\"a\"", .lastModified: "then"]).validators(in: &headers)
        #expect(headers[.ifNoneMatch] == "W/\"a\"")
        #expect(headers[.ifModifiedSince] == "then")
        #expect(headers.count == 3)
        var none: HTTPFields = [:]
        Made.entry([:]).validators(in: &none)
        #expect(none.isEmpty)
    }
}
