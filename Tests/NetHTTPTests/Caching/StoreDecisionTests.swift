import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// The storing of a response (RFC 9111 section 3).
@Suite struct StoreDecisionTests {
    private typealias Made = CacheMade

    private func decide(
        _ request: CacheRequest = CacheMade.request(), status: Int = 200,
        _ headers: HTTPFields = [.cacheControl: "max-age=60"],
        _ change: (inout StoreDecision.Circumstances) -> Void = { _ in }
    ) -> StoreDecision {
        var circumstances = StoreDecision.Circumstances(
            id: .init(rawValue: 7), key: Made.key(), arrival: Arrival(date: Made.start, reading: nil, delay: .zero))
        change(&circumstances)
        let head = ResponseHead(status: HTTPResponse.Status(code: status), headers: headers)
        return StoreDecision.decide(request, head: head, circumstances)
    }

    private func words(_ decision: StoreDecision) -> String {
        switch decision {
        case .store: "store"
        case .skip(let reason, let replaces): "\(reason)" + (replaces ? " replaces" : "")
        }
    }

    @Test(arguments: [
        (200, "max-age=60", "store"), (200, "no-store", "noStore replaces"), (200, "", "noFreshness replaces"),
        (200, "private", "noFreshness replaces"), (200, "no-cache", "noFreshness replaces"),
        (299, "max-age=60", "store"),
        (201, "", "statusNotCacheable replaces"), (201, "public", "noFreshness replaces"),
        (201, "private", "noFreshness replaces"),
        (304, "max-age=60", "statusNotCacheable"), (199, "max-age=60", "statusNotCacheable replaces"),
        (399, "no-store", "noStore replaces"), (400, "no-store", "noStore"), (404, "no-store", "noStore replaces"),
        (410, "no-store", "noStore replaces"), (405, "no-store", "noStore"), (500, "no-store", "noStore"),
        (500, "max-age=60", "store"), (500, "", "statusNotCacheable"), (404, "", "noFreshness replaces"),
        (299, "max-age=60, must-understand", "notUnderstood replaces"), (200, "max-age=60, must-understand", "store"),
        (200, "max-age=60, must-understand, no-store", "store"), (499, "max-age=60, must-understand", "notUnderstood"),
    ])
    func theStatusAndTheServersWordsDecide(status: Int, control: String, expected: String) {
        #expect(words(decide(status: status, control.isEmpty ? [:] : [.cacheControl: control])) == expected)
    }

    @Test func aValidatorOrALifetimeMakesItWorthwhile() {
        #expect(words(decide(Made.request(), [.eTag: "\"a\""])) == "store")
        #expect(words(decide(Made.request(), [.lastModified: "then"])) == "store")
        #expect(words(decide(Made.request(), [.expires: "0"])) == "store")
        #expect(words(decide(Made.request(), [:]) { $0.rules.defaultLifetime = 1 }) == "store")
        #expect(words(decide(Made.request(), [.cacheControl: "s-maxage=60"])) == "noFreshness replaces")
        #expect(words(decide(Made.request(), [.cacheControl: "s-maxage=60"]) { $0.rules.isShared = true }) == "store")
    }

    @Test func eachStatusOfTheStandardIsUnderstood() {
        let known: Set<Int> = [
            200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414,
            415, 416, 417, 421, 422, 426, 451, 500, 501, 502, 503, 504, 505,
        ]
        for status in 200...599 where status != 304 && status != 206 {
            let result = words(decide(status: status, [.cacheControl: "max-age=60, must-understand"]))
            #expect(result.hasPrefix("notUnderstood") != known.contains(status), "\(status)")
        }
    }

    @Test func theRequestDecidesToo() {
        #expect(words(decide(Made.request([.cacheControl: "no-store"]))) == "requestNoStore replaces")
        #expect(words(decide { $0.difference = .url }) == "otherIdentity replaces")
        #expect(words(decide(Made.request(method: .put))) == "method")
        var reading = Made.request(method: .post)
        #expect(words(decide(reading)) == "method")
        #expect(words(decide(reading) { $0.isOfTarget = true }) == "store", "the response is the resource itself")
        #expect(words(decide(reading, status: 201) { $0.isOfTarget = true }) == "method")
        #expect(words(decide(reading, [.eTag: "\"a\""]) { $0.isOfTarget = true }) == "method")
        #expect(words(decide(Made.request(method: .put)) { $0.isOfTarget = true }) == "method")
        reading.onlyReads = true
        #expect(words(decide(reading)) == "store")
        #expect(words(decide(reading, [.cacheControl: "no-store"])) == "noStore replaces")
    }

    @Test(arguments: [
        ("max-age=60", false, false, "store"), ("max-age=60, private", false, false, "privateInShared replaces"),
        ("max-age=60", true, false, "authorization replaces"), ("max-age=60, public", true, false, "store"),
        ("s-maxage=60", true, false, "store"), ("max-age=60, must-revalidate", true, false, "store"),
        ("max-age=60", false, true, "cookieInShared replaces"), ("max-age=60, public", false, true, "store"),
        ("s-maxage=60", false, true, "store"), ("max-age=60, must-revalidate", true, true, "cookieInShared replaces"),
    ])
    func aSharedCacheStoresWhatIsForAll(control: String, hasUser: Bool, setsCookies: Bool, expected: String) {
        let request = Made.request { if hasUser { $0.options.identity = .named("ann") } }
        let shared = decide(request, [.cacheControl: control]) {
            $0.rules.isShared = true
            $0.setsCookies = setsCookies
        }
        #expect(words(shared) == expected)
        let own = decide(request, [.cacheControl: control]) { $0.setsCookies = setsCookies }
        #expect(words(own) == (control == "s-maxage=60" ? "noFreshness replaces" : "store"))
    }

    @Test func partsAreStoredWithTheirPlace() throws {
        let headers: HTTPFields = [.cacheControl: "max-age=60", .contentRange: "bytes 2-5/10"]
        let request = Made.request([.range: "bytes=2-5"])
        guard case .store(let entry) = decide(request, status: 206, headers) else {
            Issue.record("it isn't stored")
            return
        }
        #expect(entry.part == .init(range: ContentRange(bytes: 2..<6, total: 10), requested: "bytes=2-5"))
        #expect(words(decide(Made.request(), status: 206, headers)) == "range")
        #expect(words(decide(Made.request([.range: "bytes=1-2,4-5"]), status: 206, headers)) == "range")
        #expect(words(decide(Made.request([.range: "bytes=2-5"], method: .head), status: 206, headers)) == "method")
        #expect(words(decide(request, status: 206)) == "range")
        var coded = headers
        coded[.contentEncoding] = "gzip"
        #expect(words(decide(request, status: 206, coded)) == "codedRange")
        #expect(words(decide(request, [.vary: "*", .cacheControl: "max-age=60"])) == "varyAny")
    }

    @Test func anEntryHasWhatIsNeededToServeIt() throws {
        func entry(_ headers: HTTPFields, decodes: Bool = true, isShared: Bool = false) throws -> CacheEntry {
            let request = Made.request([.accept: "a/b"]) {
                $0.options.decodesContent = decodes
                $0.options.metadata.tags = ["t"]
            }
            let decision = decide(request, headers) { $0.rules.isShared = isShared }
            guard case .store(let entry) = decision else { throw CancellationError() }
            return entry
        }
        let plain = try entry([.cacheControl: "max-age=60", .vary: "Accept"])
        #expect(plain.coding == .none)
        #expect(plain.id.rawValue == 7)
        #expect(plain.tags == ["t"])
        #expect(plain.part == nil)
        #expect(plain.selection.headers == [.init(name: "accept", value: "a/b")])
        #expect("\(plain)" == "200 https://h.test/x")
        let coded: HTTPFields = [.cacheControl: "max-age=60", .contentEncoding: "gzip"]
        #expect(try entry(coded).coding == .decoded)
        #expect(try entry(coded, decodes: false).coding == .coded)
        #expect(try entry([.cacheControl: "max-age=60", .contentEncoding: "identity"]).coding == .none)
        #expect(try entry([.cacheControl: "max-age=60", .contentEncoding: "unknown"]).coding == .none)
        let named: HTTPFields = [.cacheControl: "max-age=60, private=\"accept-ranges\"", .acceptRanges: "bytes"]
        #expect(try entry(named).headers[.acceptRanges] != nil)
        #expect(try entry(named, isShared: true).headers[.acceptRanges] == nil)
    }
}
