import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetClient

/// The cookies that a server may set, and those that are sent with a request.
@Suite struct CookieJarTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let suffixes = PublicSuffixes { ["com", "uk", "co.uk", "test"].contains($0) }

    private func jar(_ set: (field: String, url: String)...) -> CookieJar {
        var jar = CookieJar(publicSuffixes: suffixes)
        for (field, url) in set { jar.store(field, from: url, now: now) }
        return jar
    }

    /// Returns the cookies that are sent to the URL.
    private func sent(_ jar: CookieJar, to url: String, after seconds: Double = 0) -> String? {
        var jar = jar
        return jar.field(for: url, now: now.addingTimeInterval(seconds))
    }

    @Test func cookiesOfOneMomentKeepTheirOrderWhateverTheirDomain() throws {
        let url = "https://shop.example.com/"
        let headers = [
            "p=1; Domain=example.com", "h=2", "q=3; Domain=example.com", "i=4", "r=5; Domain=shop.example.com",
            "deep=6; Path=/x", "j=7",
        ]
        var jar = jar()
        for field in headers { jar.store(field, from: url, now: now) }
        #expect(sent(jar, to: url) == "p=1; h=2; q=3; i=4; r=5; j=7")
        #expect(sent(jar, to: url + "x") == "deep=6; p=1; h=2; q=3; i=4; r=5; j=7")
        // A cookie that is set again keeps its place, unless it was removed in between.
        jar.store("q=8; Domain=example.com", from: url, now: now)
        jar.store("h=; Max-Age=0", from: url, now: now)
        jar.store("h=9", from: url, now: now)
        #expect(sent(jar, to: url) == "p=1; q=8; i=4; r=5; j=7; h=9")
        // The clock takes precedence over the order of insertion.
        jar.store("early=10", from: url, now: now.addingTimeInterval(-60))
        #expect(sent(jar, to: url) == "early=10; p=1; q=8; i=4; r=5; j=7; h=9")
    }

    @Test func theOrderOfOneMomentOutlivesAFile() throws {
        let url = "https://shop.example.com/"
        var jar = jar()
        for field in ["z=1; Domain=example.com", "b=2", "y=3; Domain=example.com", "a=4"] {
            jar.store(field, from: url, now: now)
        }
        var restored = self.jar()
        let cookies = try CookieFile.decode(CookieFile(jar, includingSession: true).encoded()).usable
        restored.insert(kept: cookies, now: now)
        #expect(sent(restored, to: url) == "z=1; b=2; y=3; a=4")
        #expect(restored.cookies == jar.cookies)
    }

    @Test(
        "A cookie without a domain goes to its host alone, one with a domain to all below",
        arguments: [
            ("a=1", "http://shop.example.com/", "http://shop.example.com/x", true),
            ("a=1", "http://shop.example.com/", "http://SHOP.example.COM:8080/", true),
            ("a=1", "http://shop.example.com/", "http://www.shop.example.com/", false),
            ("a=1", "http://shop.example.com/", "http://example.com/", false),
            ("a=1; Domain=example.com", "http://shop.example.com/", "http://example.com/", true),
            ("a=1; Domain=.example.com", "http://shop.example.com/", "http://a.b.example.com/", true),
            ("a=1; Domain=EXAMPLE.com", "http://shop.example.com/", "http://notexample.com/", false),
            ("a=1; Domain=", "http://shop.example.com/", "http://shop.example.com/", true),
            ("a=1; Domain=", "http://shop.example.com/", "http://a.shop.example.com/", false),
            ("a=1; Domain=example.com; Domain=", "http://shop.example.com/", "http://example.com/", false),
            ("a=1; Domain=shop.example.com", "http://example.com/", "http://shop.example.com/", false),
            ("a=1; Domain=other.com", "http://example.com/", "http://other.com/", false),
            ("a=1; Domain=ample.com", "http://example.com/", "http://example.com/", false),
            ("a=1; Domain=com", "http://example.com/", "http://example.com/", false),
            ("a=1; Domain=co.uk", "http://shop.co.uk/", "http://shop.co.uk/", false),
            ("a=1; Domain=co.uk", "http://co.uk/", "http://co.uk/", true),
            ("a=1; Domain=co.uk", "http://co.uk/", "http://shop.co.uk/", false),
            ("a=1; Domain=example.com.", "http://example.com/", "http://example.com/", false),
            ("a=1; Domain=exämple.com", "http://exämple.com/", "http://exämple.com/", false),
            ("a=1; Domain=..example.com", "http://shop.example.com/", "http://shop.example.com/", false),
            ("a=1; Domain=127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", true),
            ("a=1; Domain=0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", false),
            ("a=1; Domain=1", "http://127.1/", "http://127.1/", false),
            ("a=1", "http://[::1]:80/", "http://[::1]:81/", true),
            ("a=1; Domain=[::1]", "http://[::1]/", "http://[::1]/", true),
            ("a=1; Domain=uk", "http://uk/", "http://x.uk/", false),
        ])
    func domains(field: String, from: String, to: String, isSent: Bool) {
        #expect((sent(jar((field, from)), to: to) != nil) == isSent)
    }

    @Test func aNameOfOnePartIsPublicWithoutAList() {
        var jar = CookieJar()
        let isOwn = jar.store("a=1; Domain=localhost", from: "http://localhost/", now: now)
        #expect(isOwn)
        #expect(jar.cookies.map(\.isHostOnly) == [true])
        let isForAll = jar.store("a=1; Domain=com", from: "http://example.com/", now: now)
        #expect(!isForAll)
    }

    @Test(
        "A cookie goes to its path and below",
        arguments: [
            ("a=1; Path=/x", "/", "/x", true), ("a=1; Path=/x", "/", "/x/y", true), ("a=1; Path=/x", "/", "/xy", false),
            ("a=1; Path=/x", "/", "/", false), ("a=1; Path=/x/", "/", "/x/y", true),
            ("a=1; Path=/x/", "/", "/x", false),
            ("a=1; Path=/x", "/", "/x?q=/", true), ("a=1; Path=/", "/x/y", "/z", true),
            ("a=1", "/x/y", "/x/z", true), ("a=1", "/x/y", "/x", true), ("a=1", "/x/y", "/z", false),
            ("a=1", "/x/y/", "/x/y/z", true), ("a=1", "/x/y/", "/x/z", false), ("a=1", "/x", "/", true),
            ("a=1", "", "/z", true), ("a=1; Path=z", "/x/y", "/x", true), ("a=1; Path=", "/x/y", "/z", false),
            ("a=1", "/x/y?q=/a/b", "/x", true), ("a=1; Path=/X", "/", "/x", false),
            ("a=1; Path=/%78", "/", "/x", false),
        ])
    func paths(field: String, from: String, to: String, isSent: Bool) {
        #expect((sent(jar((field, "http://h.test" + from)), to: "http://h.test" + to) != nil) == isSent)
    }

    @Test(
        "A cookie lives as long as it was told, 400 days at most",
        arguments: [
            ("a=1", 1_000_000_000_000, true), ("a=1; Max-Age=60", 59, true), ("a=1; Max-Age=60", 60, false),
            ("a=1; Max-Age=0", 0, false), ("a=1; Max-Age=-1", 0, false),
            ("a=1; Expires=Fri, 15 Jan 2027 08:01:00 GMT", 59, true),
            ("a=1; Expires=Fri, 15 Jan 2027 08:01:00 GMT", 60, false),
            ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0, false),
            ("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 59, true),
            ("a=1; Expires=Fri, 15 Jan 2027 08:01:00 GMT; Max-Age=600", 599, true),
            ("a=1; Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0, false),
            ("a=1; Max-Age=99999999999999999999", 34_559_999, true),
            ("a=1; Max-Age=99999999999999999999", 34_560_000, false),
            ("a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT", 34_559_999, true),
            ("a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT", 34_560_000, false),
        ] as [(String, Double, Bool)])
    func lifetimes(field: String, seconds: Double, isSent: Bool) {
        #expect((sent(jar((field, "http://h.test/")), to: "http://h.test/", after: seconds) != nil) == isSent)
    }

    @Test func anEndedCookieTakesTheOldOneOut() {
        var jar = jar(("a=1", "http://h.test/"), ("b=2", "http://h.test/"))
        let isTaken = jar.store("a=; Max-Age=0", from: "http://h.test/", now: now)
        #expect(isTaken)
        #expect(sent(jar, to: "http://h.test/") == "b=2")
        #expect(jar.count == 1)
        // A cookie with another path is another cookie.
        jar.store("b=; Max-Age=0; Path=/x", from: "http://h.test/", now: now)
        #expect(jar.count == 1)
    }

    @Test func longerPathsGoFirstThenTheOlder() {
        var jar = CookieJar(publicSuffixes: suffixes)
        let headers = [("c=1", "/"), ("a=1", "/x/y"), ("b=1", "/x"), ("z=1", "/x"), ("d=1", "/x/y")]
        for (index, (field, path)) in headers.enumerated() {
            jar.store("\(field); Path=\(path)", from: "http://h.test/", now: now.addingTimeInterval(Double(index)))
        }
        // A cookie that is set again keeps its place.
        jar.store("b=2; Path=/x", from: "http://h.test/", now: now.addingTimeInterval(10))
        #expect(sent(jar, to: "http://h.test/x/y", after: 20) == "a=1; d=1; b=2; z=1; c=1")
    }

    @Test func hostAndDomainCookiesOfOneNameAreTwo() {
        let jar = jar(
            ("a=1", "http://s.h.test/"), ("a=2; Domain=s.h.test", "http://s.h.test/"),
            ("a=3; Domain=h.test", "http://s.h.test/"))
        #expect(sent(jar, to: "http://s.h.test/")?.split(separator: "; ").sorted() == ["a=1", "a=2", "a=3"])
        #expect(sent(jar, to: "http://x.s.h.test/")?.split(separator: "; ").sorted() == ["a=2", "a=3"])
    }

    @Test(
        "A promise in a name is kept, or the cookie is not",
        arguments: [
            ("__Secure-a=1; Secure", true), ("__Secure-a=1", false), ("__secure-a=1", false),
            ("__SECURE-a=1; Secure", true),
            ("__Host-a=1; Secure; Path=/", true), ("__Host-a=1; Secure", false), ("__Host-a=1; Path=/", false),
            ("__host-a=1; Secure; Path=/x", false), ("__Host-a=1; Secure; Path=/; Domain=h.test", false),
            ("__Host-a=1; Secure; Path=/; Domain=", true), ("=__Secure-a=1; Secure", false),
            ("=__host-a; Secure; Path=/", false), ("=a; Secure", true), ("x__Secure-a=1", true),
            ("a=1; SameSite=None", false), ("a=1; SameSite=None; Secure", true), ("a=1; SameSite=Strict", true),
        ])
    func prefixes(field: String, isKept: Bool) {
        #expect((jar((field, "https://h.test/")).count == 1) == isKept)
    }

    @Test func secureCookiesNeedHTTPSBothWays() {
        #expect(jar(("a=1; Secure", "http://h.test/")).count == 0)
        let jar = jar(("a=1; Secure", "https://h.test/"))
        #expect(sent(jar, to: "https://h.test/") == "a=1")
        #expect(sent(jar, to: "http://h.test/") == nil)
    }

    @Test(
        "A cookie from an insecure origin never replaces or shadows a `Secure` cookie",
        arguments: [
            ("a=2", "http://h.test/", false), ("a=2; Domain=h.test", "http://s.h.test/", false),
            ("a=2", "http://s.h.test/", false), ("a=2; Path=/login/x", "http://h.test/", false),
            ("a=2; Path=/other", "http://h.test/", true), ("b=2", "http://h.test/", true),
            ("a=2", "http://other.test/", true), ("a=2", "https://h.test/", true),
        ])
    func overlays(field: String, from: String, isTaken: Bool) {
        var jar = jar(("a=1; Secure; Path=/login; Domain=h.test", "https://h.test/"))
        let path = field.contains("Path") ? "" : "; Path=/login"
        let wasTaken = jar.store(field + path, from: from, now: now)
        #expect(wasTaken == isTaken)
    }

    @Test func cookiesOfOneMomentKeepTheirOrderWhenOneIsSetAgain() {
        var jar = jar(("a=1", "http://h.test/"), ("b=1", "http://h.test/"))
        jar.store("a=2", from: "http://h.test/", now: now.addingTimeInterval(10))
        #expect(sent(jar, to: "http://h.test/", after: 20) == "a=2; b=1")
    }

    @Test func anEndedCookieIsNotThereAnyMore() {
        var jar = jar(("a=1; Secure; Max-Age=60", "https://h.test/"), ("b=1", "https://h.test/"))
        let later = now.addingTimeInterval(60)
        // It doesn't shadow cookies set without https, and doesn't pass on its age.
        let isTaken = jar.store("a=2", from: "http://h.test/", now: later)
        #expect(isTaken)
        #expect(sent(jar, to: "http://h.test/", after: 60) == "b=1; a=2")
    }

    @Test func aDomainHoldsSoManyCookiesAndTheJarSoMany() {
        var jar = CookieJar(publicSuffixes: suffixes)
        jar.maximumCookiesPerDomain = 3
        jar.maximumCookies = 5
        jar.store("s=1; Secure", from: "https://a.test/", now: now)
        for index in 0..<4 {
            jar.store("c\(index)=1", from: "https://a.test/", now: now.addingTimeInterval(Double(index + 1)))
        }
        // The secure cookie stays although it is the oldest.
        #expect(jar.cookies.map(\.name) == ["c2", "c3", "s"])
        // Sending a cookie counts as use.
        _ = jar.field(for: "https://a.test/", now: now.addingTimeInterval(20))
        for index in 0..<3 {
            jar.store("d\(index)=1", from: "https://b.test/", now: now.addingTimeInterval(Double(index + 10)))
        }
        #expect(jar.cookies.map(\.name) == ["c2", "c3", "s", "d1", "d2"])
        #expect(jar.count == 5)
    }

    @Test(.timeLimit(.minutes(1))) func aFullJarTakesAFloodOfCookies() {
        var jar = CookieJar(publicSuffixes: suffixes)
        for index in 0..<jar.maximumCookies { jar.store("a=1", from: "https://h\(index).test/", now: now) }
        let later = now.addingTimeInterval(1)
        // This would take minutes if every insertion examined all cookies.
        for index in 0..<15_000 { jar.store("c\(index)=1", from: "https://flood.test/", now: later) }
        #expect(jar.count == jar.maximumCookies)
        #expect(jar.cookies.count { $0.domain == "flood.test" } == jar.maximumCookiesPerDomain)
    }

    @Test func endedCookiesGoBeforeOthers() {
        var jar = CookieJar(publicSuffixes: suffixes)
        jar.maximumCookiesPerDomain = 2
        jar.store("old=1", from: "https://a.test/", now: now)
        jar.store("short=1; Max-Age=5", from: "https://a.test/", now: now.addingTimeInterval(1))
        jar.store("new=1", from: "https://a.test/", now: now.addingTimeInterval(10))
        #expect(jar.cookies.map(\.name) == ["new", "old"])
    }

    @Test func theJarCanBeReadAndChanged() throws {
        var jar = CookieJar()
        try jar.insert(
            Cookie(name: "theme", value: "dark", domain: ".Shop.test", isHostOnly: false, created: now), now: now)
        try jar.insert(
            Cookie(name: "id", value: "7", domain: "shop.test", expires: now.addingTimeInterval(60)), now: now)
        #expect(sent(jar, to: "http://www.shop.test/") == "theme=dark")
        #expect(sent(jar, to: "http://shop.test/") == "id=7; theme=dark")
        jar.endSession()
        #expect(jar.cookies.map(\.name) == ["id"])
        jar.removeAll { $0.domain == "else.test" }
        #expect(jar.count == 1)
        jar.removeAll()
        #expect(jar.count == 0)
        #expect(jar.cookies.isEmpty)
    }

    @Test(
        "A cookie that could not be sent is not taken",
        arguments: [
            ("a\r\nX", "1", "h.test", "/"), ("a", "1;b=2", "h.test", "/"), ("a=", "1", "h.test", "/"),
            ("", "", "h.test", "/"),
            ("", "a=b", "h.test", "/"), ("a", String(repeating: "x", count: 4096), "h.test", "/"), ("a", "1", "", "/"),
            ("a", "1", "h test", "/"), ("a", "1", "h.test", "x"), ("a", "\u{7f}", "h.test", "/"),
        ])
    func badCookies(name: String, value: String, domain: String, path: String) {
        var jar = CookieJar()
        let cookie = Cookie(name: name, value: value, domain: domain, path: path)
        let error = #expect(throws: NetError.self) { try jar.insert(cookie, now: now) }
        #expect(error?.code == .invalidRequest)
        #expect(jar.count == 0)
    }

    @Test func nothingThatIsPrintedShowsAValue() throws {
        let jar = jar(
            ("id=SECRET; Path=/; Max-Age=60; HttpOnly; SameSite=Lax", "https://h.test/"),
            ("SECRET", "https://h.test/x/"))
        var text = "\(jar)\(String(reflecting: jar))\(jar.cookies)\(String(reflecting: jar.cookies))"
        dump(jar, to: &text)
        dump(jar.cookies, to: &text)
        #expect(!text.contains("SECRET"))
        #expect(
            text.contains(
                "id=<redacted>; host h.test; Path=/; Expires=Fri, 15 Jan 2027 08:01:00 GMT; HttpOnly; SameSite=lax"))
    }

    @Test func noFieldFromNoURLBreaksTheJar() {
        var jar = CookieJar()
        let random = SeededRandom(seed: 11)
        for _ in 0..<2000 {
            let url = "http\(random.next() % 2 == 0 ? "s" : "")://" + Samples.text(random, length: 12)
            jar.store(
                Samples.text(random, length: 30) + "; Domain=" + Samples.text(random, length: 5), from: url, now: now)
            if let field = jar.field(for: url, now: now) {
                #expect(!field.utf8.contains(10))
                #expect(!field.utf8.contains(0))
            }
        }
        #expect(jar.count == jar.cookies.count)
    }
}
