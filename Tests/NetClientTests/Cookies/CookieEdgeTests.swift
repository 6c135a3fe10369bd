import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetClient

/// Edge cases of single cookies and of the requests they apply to.
@Suite struct CookieEdgeTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func cookie(
        _ name: String = "a", _ value: String = "1", domain: String = "h.test", path: String = "/",
        _ change: (inout Cookie) -> Void = { _ in }
    ) -> Cookie {
        var cookie = Cookie(name: name, value: value, domain: domain, path: path)
        change(&cookie)
        return cookie
    }

    @Test func aCookieHasItsDefaults() {
        let cookie = cookie()
        #expect(cookie.isHostOnly)
        #expect(!cookie.isSecure)
        #expect(!cookie.isHTTPOnly)
        #expect(cookie.path == "/")
        #expect(cookie.created.timeIntervalSince1970 == 0)
        #expect(cookie.lastUsed == cookie.created)
        let jar = CookieJar()
        #expect(jar.maximumCookiesPerDomain == 180)
        #expect(jar.maximumCookies == 3000)
        #expect(CookieJar.maximumAge == 34_560_000)
        #expect(SetCookie.maximumPairBytes == 4096)
        #expect(SetCookie.maximumAttributeBytes == 1024)
    }

    @Test func eachPartOfACookieHasItsRules() {
        let long = { (count: Int) in String(repeating: "x", count: count) }
        let good = [
            cookie(), cookie("", "1"), cookie("a", ""), cookie("a", "b=c"), cookie("a", "\t"), cookie("a b", "c d"),
            cookie("aa", long(4094)), cookie(domain: "!~"), cookie(path: "/\t;"), cookie(domain: "[::1]"),
        ]
        for (index, cookie) in good.enumerated() { #expect(cookie.problem == nil, "\(index)") }
        let bad = [
            cookie("", ""), cookie("", "a=b"), cookie("a;", "1"), cookie("a=", "1"), cookie("a\n", "1"),
            cookie("a\u{1f}", "1"), cookie("a", "\u{1f}"), cookie("a", "\u{7f}"), cookie("a", ";"),
            cookie("aa", long(4095)), cookie(domain: ""), cookie(domain: "a b"), cookie(domain: "a\u{7f}"),
            cookie(domain: "a/b"), cookie(domain: "é"), cookie { $0.domain = ".h.test" },
            cookie { $0.domain = "H.test" },
            cookie(path: "x"), cookie(path: ""), cookie(path: "/\u{1f}"), cookie(path: "/\u{7f}"),
            cookie { $0.lastUsed = Date(timeIntervalSince1970: .infinity) },
            cookie { $0.created = Date(timeIntervalSince1970: .nan) },
            cookie { $0.expires = Date(timeIntervalSince1970: .infinity) },
        ]
        for (index, cookie) in bad.enumerated() { #expect(cookie.problem != nil, "\(index)") }
    }

    @Test func aCookieEndsAtItsTime() {
        let limited = cookie { [now] in $0.expires = now }
        #expect([-1, 0, 1].map { limited.isExpired(at: now.addingTimeInterval($0)) } == [false, true, true])
        #expect(!cookie().isExpired(at: .distantFuture))
    }

    @Test func aCookieIsShownWithoutItsValue() {
        #expect("\(cookie())" == "a=<redacted>; host h.test; Path=/")
        let all = cookie("", "SECRET") {
            ($0.isHostOnly, $0.isSecure, $0.isHTTPOnly, $0.sameSite) = (false, true, true, Cookie.SameSite.none)
        }
        #expect("\(all)" == "<redacted>; Domain=h.test; Path=/; Secure; HttpOnly; SameSite=none")
        #expect("\(cookie { $0.domain = "" })" == "a=<redacted>; Path=/")
        #expect(Mirror(reflecting: all).children.isEmpty)
        #expect(Mirror(reflecting: CookieJar()).children.isEmpty)
    }

    @Test(arguments: [
        ("/", "/"), ("", "/"), ("x/y", "/"), ("/x", "/"), ("/x/", "/x"), ("/x/y", "/x"), ("/x/y/z", "/x/y"),
        ("//", "/"),
    ])
    func theDefaultPathIsThatOfTheFolder(path: String, expected: String) {
        #expect(CookieTarget(host: "H.test", path: path, isSecure: false).defaultPath == expected)
    }

    @Test(arguments: [
        ("/x", "/x", true), ("/x", "/", true), ("/x/y", "/x", true), ("/x/y", "/x/", true), ("/xy", "/x", false),
        ("/x", "/x/", false), ("/", "/x", false), ("", "/", true), ("", "/x", false), ("/x", "/X", false),
    ])
    func aPathMatchesItselfAndWhatIsBelow(path: String, cookiePath: String, isMatch: Bool) {
        #expect(CookieTarget(host: "h", path: path, isSecure: false).matches(path: cookiePath) == isMatch)
    }

    @Test(arguments: [
        ("h.test", "h.test", true), ("a.h.test", "h.test", true), ("ah.test", "h.test", false), ("h.test", "", false),
        ("h.test", "a.h.test", false), (".h.test", "h.test", true), ("1.2.3.4", "3.4", false),
        ("1.2.3.4", "1.2.3.4", true),
        ("a.g.test", "h.test", false), ("", "", true),
    ])
    func aHostIsWithinItsDomainAndThoseAbove(host: String, domain: String, isWithin: Bool) {
        #expect(CookieTarget.isHost(host, within: domain) == isWithin)
    }

    @Test func aTargetIsThePartOfARequestThatCookiesAreFor() {
        func target(_ scheme: String?, _ authority: String?, _ path: String?) -> CookieTarget? {
            CookieTarget(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
        }
        #expect(target("HTTPS", "H.test:8", "/x?y#z") == CookieTarget(host: "h.test", path: "/x", isSecure: true))
        #expect(target("http", "h.test", "/x#y") == CookieTarget(host: "h.test", path: "/x", isSecure: false))
        #expect(target(nil, "h.test", nil) == CookieTarget(host: "h.test", path: "/", isSecure: false))
        #expect(target("https", nil, "/") == nil)
        #expect(target("https", "", "/") == nil)
        #expect(target("https", ":8", "/") == nil)
        #expect(CookieTarget(url: "HTTP://h.test/x?y") == CookieTarget(host: "h.test", path: "/x", isSecure: false))
        #expect(CookieTarget(url: "https://h.test") == CookieTarget(host: "h.test", path: "", isSecure: true))
        for url in ["ftp://h.test/", "//h.test/", "https:///x", "h.test"] { #expect(CookieTarget(url: url) == nil) }
    }

    @Test func aJarHoldsOneCookieAtLeast() {
        for (domain, all) in [(0, 9), (-1, 9), (9, 0), (9, -1), (1, 1)] {
            var jar = CookieJar()
            (jar.maximumCookiesPerDomain, jar.maximumCookies) = (domain, all)
            for index in 0..<3 { jar.store("c\(index)=1", from: "https://h.test/", now: now) }
            #expect(jar.cookies.map(\.name) == ["c2"], "\(domain) \(all)")
            #expect(jar.count == 1, "\(domain) \(all)")
        }
        var jar = CookieJar()
        (jar.maximumCookiesPerDomain, jar.maximumCookies) = (2, 3)
        for host in ["a.test", "a.test", "b.test"] { jar.store("c\(jar.count)=1", from: "https://\(host)/", now: now) }
        #expect(jar.count == 3)
        #expect(jar.cookies.map(\.name) == ["c0", "c1", "c2"])
    }

    @Test func endedCookiesOfOtherDomainsMakeRoomToo() {
        var jar = CookieJar()
        jar.maximumCookies = 2
        jar.store("old=1", from: "https://a.test/", now: now)
        jar.store("short=1; Max-Age=5", from: "https://b.test/", now: now.addingTimeInterval(1))
        jar.store("new=1", from: "https://c.test/", now: now.addingTimeInterval(10))
        #expect(jar.cookies.map(\.name) == ["old", "new"])
        #expect("\(jar)" == "2 cookies of 2 domains")
    }

    @Test func aSendingCountsAsUseAlsoOfWhatIsLeftOut() {
        var jar = CookieJar()
        for name in ["a", "b"] { jar.store("\(name)=1", from: "https://h.test/x/", now: now) }
        let later = now.addingTimeInterval(9)
        #expect(
            jar.field(for: CookieTarget(host: "h.test", path: "/x/", isSecure: true), now: later, except: ["a"])
                == "b=1")
        #expect(jar.cookies.map(\.lastUsed) == [later, later])
        #expect(jar.field(for: "https://h.test/y", now: later) == nil)
        #expect(jar.field(for: "none", now: later) == nil)
    }

    @Test func textFilesHoldWhatCanBeWritten() throws {
        var jar = CookieJar()
        let times = [1e300, 4e9, 0.5]
        for (index, time) in times.enumerated() {
            let end = Date(timeIntervalSince1970: time)
            try jar.insert(cookie("c\(index)") { $0.expires = end }, now: Date(timeIntervalSince1970: 0))
        }
        let start = Date(timeIntervalSince1970: 0)
        for odd in [cookie("", "x"), cookie("t\t"), cookie("v", "\t"), cookie("p", path: "/\t")] {
            try jar.insert(odd, now: start)
        }
        let lines = jar.netscapeText.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(lines.dropFirst().map { $0[4] } == ["9000000000000000000", "4000000000", "0"])
        var read = CookieJar()
        let fields = ["h.test", "FALSE", "/", "FALSE", "4000000000", "a", "1", "more"]
        for count in 5...8 {
            let skipped = try? read.insert(netscapeText: fields.prefix(count).joined(separator: "\t"), now: now)
            #expect((skipped == []) == (count == 6 || count == 7), "\(count)")
        }
        #expect(read.cookies.map(\.value) == ["1"])
        #expect(read.cookies.first?.expires?.timeIntervalSince1970 == 4e9)
    }

    @Test func aLoginLastsUntilTheJarIsEmpty() throws {
        let store = CookieStore(CookieJar())
        #expect(store.login == nil)
        try store.withJar { try $0.insert(cookie(), now: now) }
        let first = store.login
        store.withJar { $0.removeAll { $0.name == "b" } }
        #expect(store.login == first)
        #expect("\(store)" == "1 cookies of 1 domains")
        store.withJar { $0.endSession() }
        try store.withJar { try $0.insert(cookie(), now: now) }
        let second = store.login
        #expect(second != nil)
        #expect(second != first)
        // Emptied and filled again in one step.
        try store.withJar { jar in
            jar.removeAll()
            try jar.insert(cookie(), now: now)
        }
        #expect(store.login != second)
        store.removeAll()
        #expect(store.login == nil)
    }

    @Test func aServerThatReplacesItsOnlyCookieKeepsTheLogin() throws {
        let store = CookieStore(CookieJar())
        let target = try #require(CookieTarget(url: "https://shop.example/"))
        func receive(_ lines: String...) {
            store.store(lines.map { HTTPField(name: .setCookie, value: $0) }, from: target, now: now)
        }
        receive("sid=1")
        let login = store.login
        receive("sid=; Max-Age=0", "sid=2")
        #expect(store.login == login)
        receive("sid=; Max-Age=0")
        #expect(store.login == nil)
        receive("sid=3")
        #expect(store.login != login)
    }

    @Test func aRegistrableDomainNeedsASuffixBelowIt() {
        #expect(PublicSuffixes.singleLabels.contains("com.."))
        #expect(!PublicSuffixes.singleLabels.contains("a.com"))
        #expect(PublicSuffixes.singleLabels.registrableDomain(of: "b.a.com..") == "a.com")
        #expect(PublicSuffixes.singleLabels.registrableDomain(of: "...") == nil)
    }
}
