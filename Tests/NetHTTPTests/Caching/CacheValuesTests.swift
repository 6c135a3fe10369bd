import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// Headers, keys and texts of a cache.
@Suite struct CacheValuesTests {
    private typealias Made = CacheMade

    @Test func hopByHopAndRestrictedHeadersAreLeftOut() {
        var headers: HTTPFields = [.connection: "X-Hop, close", .accept: "a", .proxyAuthenticate: "b", .eTag: "c"]
        headers["X-Hop"] = "1"
        #expect(StoredFields.kept(headers, CacheControl(), isShared: false).map(\.name) == [.accept, .eTag])
        let control = CacheControl("private=\"etag\"")
        #expect(StoredFields.kept([.eTag: "c"], control, isShared: false).count == 1)
        #expect(StoredFields.kept([.eTag: "c"], control, isShared: true).isEmpty)
        let entry = Made.entry([.cacheControl: "no-cache=\"accept\"", .accept: "a", .eTag: "c"])
        #expect(StoredFields.served(entry).map(\.name) == [.cacheControl, .eTag])
        #expect(StoredFields.served(Made.entry([.eTag: "c"])).count == 1)
    }

    @Test func aLaterResponseReplacesFieldsButNotThoseOfTheBody() {
        let stored: HTTPFields = [.eTag: "a", .contentLength: "5", .age: "9", .accept: "x"]
        let later: HTTPFields = [
            .eTag: "b", .contentLength: "0", .contentEncoding: "gzip", .contentRange: "y", .connection: "z",
        ]
        let updated = StoredFields.updated(stored, by: later, isShared: false)
        #expect(updated[.eTag] == "b")
        #expect(updated[.contentLength] == "5")
        #expect(updated[.accept] == "x")
        #expect(updated[.age] == nil)
        #expect(updated.count == 3)
        #expect(StoredFields.updated(stored, by: [.age: "1"], isShared: false)[.age] == "1")
        var entry = Made.entry(stored)
        entry.isOutdated = true
        let arrival = Arrival(date: Made.start.addingTimeInterval(5), reading: nil, delay: .zero)
        let fresh = entry.freshened(
            by: ResponseHead(status: .notModified, headers: later), arrival: arrival, isShared: false)
        #expect(!fresh.isOutdated)
        #expect(fresh.facts.eTag == "b")
        #expect(fresh.responseDate == arrival.date)
    }

    @Test func aHeadAgreesIfNothingItSaysDiffers() {
        let entry = Made.entry([.eTag: "a", .lastModified: "then", .contentLength: "5"])
        #expect(entry.agrees(with: [:]))
        #expect(entry.agrees(with: [.eTag: "a", .contentLength: "5", .accept: "x"]))
        for headers: HTTPFields in [[.eTag: "b"], [.lastModified: "now"], [.contentLength: "6"]] {
            #expect(!entry.agrees(with: headers))
            #expect(!Made.entry([:]).agrees(with: headers))
        }
    }

    @Test func onlyAStrongTagIsOne() {
        for (tag, strong) in [("\"a\"", "\"a\""), ("W/\"a\"", nil), ("a", nil), ("\"a", nil), ("a\"", nil)] {
            #expect(Made.entry([.eTag: tag]).strongTag == strong)
            #expect(Made.entry([.eTag: tag]).hasValidator)
        }
        #expect(!Made.entry([:]).hasValidator)
        #expect(Made.entry([.lastModified: "x"]).hasValidator)
    }

    @Test func aHeadIsCountedWithItsFields() {
        let bare = Made.entry([:]).headLength
        #expect(bare == Int64(Made.url.utf8.count + 256))
        #expect(Made.entry([.eTag: "abc"]).headLength == bare + 4 + 3 + 16)
        #expect(Made.entry([:], vary: [.init(name: "ab", value: "c")]).headLength == bare + 2 + 1 + 16)
        #expect(Made.entry([:], vary: [.init(name: "ab", value: nil)]).headLength == bare + 2 + 16)
        let key = CacheKey(stored: "u", partition: "pp", identity: .everyone)
        #expect(Made.entry([:], key: key).headLength == 259)
    }

    @Test func blanksBesideACommaMeanNothing() {
        for (text, expected) in [
            ("a", "a"), (" a ", "a"), ("a , b", "a,b"), ("a\t,\tb", "a,b"), ("a b", "a b"), ("a  b", "a  b"),
            (", a", ",a"),
            ("\"a , b\" , c", "\"a , b\",c"), ("\"a\\\" , b\", c", "\"a\\\" , b\",c"), ("\" a\"", "\" a\""),
            ("\"a\\\\\" , b", "\"a\\\\\",b"), ("a,", "a,"), ("a, ,b", "a,,b"), ("\",\" x", "\",\" x"), ("", ""),
            ("\\\" , \"", "\\\" , \""),
        ] {
            #expect(VarySelection.withoutBlanks(text) == expected, "\(text)")
        }
        #expect(VarySelection.names([.vary: "A, b\tC,,d/e"]) == ["a", "b", "c"])
        #expect(VarySelection.names([:]) == [])
        let selection = VarySelection(vary: ["b", "a", "b"], request: ["A": "1"])
        #expect(selection?.headers == [.init(name: "a", value: "1"), .init(name: "b", value: nil)])
    }

    @Test func aKeyIsOfItsURLAndItsBody() throws {
        #expect(CacheKey(url: "HTTP://H.test:80")?.url == "http://h.test/")
        #expect(CacheKey(url: "/x") == nil)
        #expect(CacheKey(url: "http:x") == nil)
        #expect(Made.key("https://h.test:8/x/y?z").origin == "https://h.test:8")
        #expect(CacheKey(stored: "no url", partition: "", identity: .everyone).origin == "no url")
        let key = Made.key()
        let sealed = key.with("seal")
        #expect(sealed.isForBody(under: key))
        #expect(!key.isForBody(under: key))
        #expect(!sealed.isForBody(under: Made.key("https://h.test/y")))
        #expect(key.forEveryone == key)
        #expect(key.sealed(.named("a")).forEveryone == key)
        func seal(_ method: HTTPRequest.Method, _ body: RequestBody.Content, _ type: String? = nil) -> String? {
            var head = HTTPRequest(method: method, scheme: "https", authority: "h.test", path: "/x")
            head.headerFields[.contentType] = type
            return CacheKey.seal(of: PreparedRequest(head: head, body: body))
        }
        let seals = [
            seal(.post, .none), seal(.post, .bytes(Bytes([1]))), seal(.put, .bytes(Bytes([1]))),
            seal(.post, .bytes(Bytes([1])), "a/b"), seal(.post, .bytes(Bytes([2])), "a/b"),
        ]
        #expect(Set(seals).count == 5)
        #expect(!seals.contains(nil))
        #expect(seal(.post, .bytes(Bytes())) == seals[0])
        let without = CacheKey.withoutQuery { $0.hasPrefix("utm_") || $0 == "a b" }
        for (url, expected) in [
            ("http://h/?utm_a=1&b=2", "http://h/?b=2"), ("http://h/?utm_a", "http://h/"), ("http://h/x", "http://h/x"),
            ("http://h/?a%20b=1&c&", "http://h/?c&"),
        ] {
            #expect(without(url) == expected)
        }
    }

    @Test func theStatusSaysWhatTheCacheDid() {
        func fresh(_ age: Double, _ lifetime: String = "max-age=60") -> Freshness {
            Freshness(of: Made.entry([.cacheControl: lifetime]), now: Made.moment(after: age), isShared: false)
        }
        #expect(CacheStatus.hit(fresh(5.5), .fresh) == "swift-net; hit; ttl=54; detail=fresh")
        #expect(CacheStatus.hit(fresh(65), .maxStale) == "swift-net; hit; ttl=-5; detail=maxStale")
        #expect(CacheStatus.hit(fresh(1e13), .policy) == "swift-net; hit; ttl=-1000000000000; detail=policy")
        #expect(CacheStatus.unavailable(.stale) == "swift-net; detail=stale")
        typealias Reason = ActivityEvent.CacheDecision.Reason
        func text(_ reason: Reason, _ outcome: CacheStatus.Outcome = .kept, status: Int? = nil) -> String {
            String(CacheStatus.forwarded(reason, Made.request(), selected: nil, status: status, outcome).dropFirst(11))
        }
        #expect(text(.notStored, .stored, status: 200) == "fwd=uri-miss; fwd-status=200; stored")
        #expect(text(.notStored, .skipped(.noStore, cause: nil)) == "fwd=uri-miss; detail=noStore")
        #expect(text(.notStored, .skipped(.notStored, cause: nil)) == "fwd=uri-miss")
        #expect(text(.notStored) == "fwd=uri-miss")
        let other = text(.notStored, .skipped(.otherIdentity, cause: "X-User"), status: 200)
        #expect(other == "fwd=uri-miss; fwd-status=200; detail=\"otherIdentity: X-User\"")
        #expect(text(.otherIdentity, .stored, status: 200) == "fwd=miss; fwd-status=200; stored; detail=otherIdentity")
        #expect(text(.noCache, .skipped(.noStore, cause: nil)) == "fwd=stale; detail=noCache")
    }

    @Test(
        arguments: [
            (.method, "method"), (.unsafeMethod, "method"), (.notStored, "uri-miss"), (.variantMismatch, "vary-miss"),
            (.policy, "request"), (.requestNoStore, "bypass"), (.requestBody, "bypass"), (.range, "partial"),
            (.stale, "stale"),
            (.staleIfError, "stale"), (.noCache, "stale"), (.mustRevalidate, "stale"), (.outdated, "stale"),
            (.refreshInBackground, "stale"), (.requestNoCache, "request"), (.requestMaxAge, "request"),
            (.requestMinFresh, "request"), (.conditional, "request"), (.incomplete, "miss"),
        ] as [(ActivityEvent.CacheDecision.Reason, String)])
    func eachReasonToForwardHasItsWord(reason: ActivityEvent.CacheDecision.Reason, word: String) {
        func text(_ request: CacheRequest, _ age: Double?) -> String {
            let entry = Made.entry()
            let selected = age.map { Freshness(of: entry, now: Made.moment(after: $0), isShared: false) }
            return CacheStatus.forwarded(reason, request, selected: selected, status: nil, .kept)
        }
        let silent = ["method", "uri-miss", "vary-miss", "partial"].contains(word) || reason == .stale
        let detail = silent ? "" : "; detail=\(reason)"
        #expect(text(Made.request(), nil) == "swift-net; fwd=\(word)\(detail)")
        #expect(text(Made.request(), 5) == "swift-net; fwd=\(word)\(detail)")
        #expect(text(Made.request(), 61) == "swift-net; fwd=\(word == "request" ? "stale" : word)\(detail)")
        #expect(text(Made.request([.range: "bytes=1-2"]), nil) == "swift-net; fwd=\(word)\(detail)")
        let several = text(Made.request([.range: "bytes=1-2,4-5"]), nil)
        #expect(several == "swift-net; fwd=\(reason == .range ? "bypass" : word)\(detail)")
        let never = text(Made.request(policy: .noStore), nil)
        #expect(never == "swift-net; fwd=\(reason == .policy ? "bypass" : word)\(detail)")
    }

    @Test func aRequestIsConditionalByAnyOfFourFields() {
        for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince] {
            let request = Made.request([name: "x"])
            #expect(request.isConditional)
            #expect(request.hasPrecondition == [.ifMatch, .ifUnmodifiedSince].contains(name))
        }
        #expect(!Made.request().isConditional)
        #expect(!Made.request().hasBody)
        #expect(Made.request(body: .bytes(Bytes([1]))).hasBody)
        #expect(!Made.request(body: .bytes(Bytes())).hasBody)
        #expect(Made.request(method: .head).isForRepresentation == false)
        #expect(Made.request().isForRepresentation)
    }

    @Test func ticketsFromBeforeAnInvalidationMayNotStore() {
        let state = CacheState()
        let (key, other) = (Made.key(), Made.key("https://h.test/y"))
        let before = state.ticket()
        state.invalidate(key)
        let after = state.ticket()
        #expect(!state.mayStore(key, ticket: before))
        #expect(state.mayStore(key, ticket: after))
        #expect(state.mayStore(other, ticket: before))
        // Beyond a limit, only the fact that there were invalidations is kept.
        for number in 2...1000 { state.invalidate(Made.key("https://h.test/\(number)")) }
        #expect(state.mayStore(other, ticket: before))
        state.invalidate(Made.key("https://h.test/more"))
        #expect(!state.mayStore(other, ticket: before))
        #expect(state.mayStore(other, ticket: state.ticket()))
        #expect(!state.mayStore(key, ticket: after))
    }

    @Test func oneRefreshRunsAtATime() {
        let (state, entry) = (CacheState(), Made.entry())
        let begun = [
            state.beginRefreshing(entry), state.beginRefreshing(entry), state.beginRefreshing(Made.entry(id: 2)),
        ]
        #expect(begun == [true, false, true])
        state.endRefreshing(entry)
        #expect(state.beginRefreshing(entry))
    }
}
