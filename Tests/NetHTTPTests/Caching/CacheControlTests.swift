import Foundation
import HTTPTypes
import Testing

@testable import NetHTTP

/// RFC 9111 section 5.2.
@Suite struct CacheControlTests {
    @Test(arguments: [
        ("max-age=60", 60 as Int64?), ("MaX-AgE=60", 60), ("max-age=\"60\"", 60), ("max-age=0060", 60),
        (" , ,max-age=60,", 60), ("max-age=60, max-age=1", 60), ("max-age=1, ext=\"max-age=60\"", 1),
        ("ext=\"max-age=60, x\", max-age=1", 1), ("max-age=99999999999999999999999", 1 << 31),
        ("max-age=2147483648", 1 << 31),
        ("max-age=-1", 0), ("max-age=60.0", 0), ("max-age=a60", 0), ("max-age=60a", 0), ("max-age='60'", 0),
        ("max-age=", 0), ("max-age", 0), ("max-age =60", 0), ("max-age= 60", 0), ("=", nil), ("=60", nil), ("\"", nil),
        ("", nil), (",", nil), ("max-age=60 no-store", 0), ("x=max-age", nil),
    ])
    func numbersAreReadOrCountAsZero(text: String, seconds: Int64?) {
        #expect(CacheControl(text).maxAge == seconds)
    }

    @Test func everyDirectiveIsFound() {
        let text = """
            NO-STORE, no-cache, no-transform, only-if-cached, must-revalidate, proxy-revalidate, must-understand, private,\
            public,immutable,s-maxage=1,max-stale=2,min-fresh=3,stale-while-revalidate=4,stale-if-error=5,community="U, C"
            """
        let control = CacheControl(text)
        #expect(control.noStore)
        #expect(control.noCache)
        #expect(control.noTransform)
        #expect(control.onlyIfCached)
        #expect(control.mustRevalidate)
        #expect(control.proxyRevalidate)
        #expect(control.mustUnderstand)
        #expect(control.isPrivate)
        #expect(control.isPublic)
        #expect(control.immutable)
        #expect(control.sharedMaxAge == 1)
        #expect(control.maxStale == 2)
        #expect(control.minFresh == 3)
        #expect(control.staleWhileRevalidate == 4)
        #expect(control.staleIfError == 5)
        #expect(control.extensions.map(\.name) == ["community"])
        #expect(control.extensions.first?.argument == "U, C")
        #expect(CacheControl("max-stale").maxStale == CacheControl.maximumSeconds)
        #expect(CacheControl("min-fresh=x").minFresh == CacheControl.maximumSeconds)
    }

    @Test func namedFieldsRestrictTheDirectiveToThem() {
        let control = CacheControl("no-cache=\"Set-Cookie, A\", private=b")
        #expect(!control.noCache)
        #expect(control.noCacheFields == ["set-cookie", "a"])
        #expect(!control.isPrivate)
        #expect(control.privateFields == ["b"])
        for odd in ["no-cache=\"\"", "no-cache=", "no-cache=\"a b(\"", "no-cache =1", "no-cache=\"a"] {
            #expect(CacheControl(odd).noCache, "\(odd)")
        }
    }

    @Test func aQuoteWithoutAnEndHidesNothing() {
        #expect(CacheControl("ext=\"a, no-store").noStore)
        #expect(CacheControl("ext=\"a\\, private, no-cache").noCache)
    }

    @Test func linesAreOneList() {
        var headers: HTTPFields = [:]
        headers.append(HTTPField(name: .cacheControl, value: "max-age=1"))
        headers.append(HTTPField(name: .cacheControl, value: "no-store"))
        #expect(CacheControl(headers).noStore)
        #expect(CacheControl(headers).maxAge == 1)
        #expect(CacheControl([.pragma: "x, No-Cache"], isRequest: true).noCache)
        #expect(!CacheControl([.pragma: "no-cache"]).noCache)
        #expect(!CacheControl([.pragma: "no-cache", .cacheControl: "max-age=1"], isRequest: true).noCache)
    }

    /// Cut and joined anywhere, it is parsed to its end.
    @Test func everyPieceOfATextIsRead() {
        let text =
            "max-age=1, ext=\"a\\\"b, c\" ;x, no-cache=\"d, e\",=,s-maxage=\"2\\\\\",private= \u{e9}\u{0}, no-store"
        let scalars = Array(text.unicodeScalars)
        for start in scalars.indices {
            for end in start...scalars.count {
                var piece = String.UnicodeScalarView()
                piece.append(contentsOf: scalars[start..<end])
                let control = CacheControl(String(piece))
                #expect(control.maxAge.map { (0...CacheControl.maximumSeconds).contains($0) } ?? true)
            }
        }
    }
}

/// RFC 9111 section 4.2: dates with letters in any case, but no other deviations.
@Suite struct CacheDateTests {
    @Test(arguments: [
        "Thu, 18 Aug 2050 02:01:18 GMT", "Thu, 18 AUG 2050 02:01:18 gMT", "tHU, 18 aug 2050 02:01:18 gmt",
        "Thursday, 18-Aug-50 02:01:18 GMT", "Thu Aug 18 02:01:18 2050",
    ])
    func allFormsAreRead(text: String) {
        #expect(CacheDate.date(from: text)?.timeIntervalSince1970 == 2_544_400_878)
    }

    @Test(arguments: [
        "0", "", " ", "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 2050 02:01:18 AEST", "Thu, 18 Aug 50 02:01:18 GMT",
        "Thu 18 Aug 2050 02:01:18 GMT", "Thu, 18  Aug 2050 02:01:18 GMT", "Thu, 18 Aug  2050 02:01:18 GMT",
        "Thu, 18-Aug-2050 02:01:18 GMT", "Thu, 18 Aug 2050 02.01.18 GMT", "Thu, 18 Aug 2050 2:01:18 GMT",
        "Thu, 18 Aug 2050 02:01:18 GMT, Thu, 18 Aug 2050 02:01:18 GMT", "Thu, 18 Aug 2050 02:01:18 GMT ",
    ])
    func malformedDatesAreRejected(text: String) {
        #expect(CacheDate.date(from: text) == nil)
    }

    @Test func aDayOfOneDigitHasTwoBlanks() {
        #expect(CacheDate.date(from: "Mon Aug  8 02:01:18 2050") != nil)
    }
}
