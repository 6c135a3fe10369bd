import Foundation
import NetClient
import NetCore
import NetTesting
import TestSupport
import Testing

@Suite struct SetCookieTests {
    @Test(
        "Name and value are what stands on both sides of the first equals sign",
        arguments: [
            ("a=b", "a", "b"), ("a=b=c", "a", "b=c"), ("  a \t=  b\t ", "a", "b"), ("a=", "a", ""), ("=b", "", "b"),
            ("b", "", "b"), ("a=\"b c\"", "a", "\"b c\""), ("a=b;", "a", "b"), ("a=b;;;", "a", "b"),
            ("a=b; a=c", "a", "b"), ("a b=c d", "a b", "c d"), ("a,b=c,d", "a,b", "c,d"), ("ä=ö", "ä", "ö"),
            ("a=b\tc", "a", "b\tc"), ("é=e\u{301}", "é", "e\u{301}"), ("a=;b", "a", ""),
        ])
    func pairs(text: String, name: String, value: String) throws {
        let cookie = try #require(SetCookie(text))
        #expect(cookie.name.utf8.elementsEqual(name.utf8))
        #expect(cookie.value.utf8.elementsEqual(value.utf8))
    }

    @Test(
        "Invalid `Set-Cookie` values give no cookie",
        arguments: [
            "", "=", " ", ";", "; Path=/", " = ; Secure", "a=b\0", "a=\u{1}b", "a\u{7f}=b", "a=b; Path=/\u{1f}",
            "a=b\r\nX: y", "=a=b", "=vd=; Max-Age=60; Path=/", " =\t= ", "==", "=\"=\"",
        ])
    func nothing(text: String) {
        #expect(SetCookie(text) == nil)
    }

    @Test func bytesThatAreNoUTF8AreNoCookie() {
        #expect(SetCookie(bytes: Array("a=".utf8) + [0xe4]) == nil)
        #expect(SetCookie(bytes: Array("a=b; x=".utf8) + [0xe4])?.value == "b")
    }

    @Test func nameAndValueHave4096BytesAtMost() {
        let value = String(repeating: "x", count: 4093)
        #expect(SetCookie("abc=" + value) != nil)
        #expect(SetCookie("abcd=" + value) == nil)
        #expect(SetCookie("=" + value + "xxxx") == nil)
        #expect(SetCookie("abc=" + value + "; Path=/" + String(repeating: "y", count: 900)) != nil)
    }

    @Test func attributesOfMoreThan1024BytesArePassedOver() {
        let long = "/" + String(repeating: "p", count: 1023)
        #expect(SetCookie("a=b; Path=\(long)")?.path == long)
        #expect(SetCookie("a=b; Path=/x; Path=\(long)y")?.path == "/x")
        #expect(SetCookie("a=b; Domain=\(String(repeating: "d", count: 1025))")?.domain == nil)
    }

    @Test func attributesAreReadWhateverTheirCaseAndPlace() throws {
        let cookie = try #require(
            SetCookie(
                "a=b ;SECURE; httponly ;  pAtH = /x ; DOMAIN=.Example.COM;max-AGE=60;samesite=LAX; what=ever;else"))
        #expect(cookie.isSecure)
        #expect(cookie.isHTTPOnly)
        #expect(cookie.path == "/x")
        #expect(cookie.domain == "example.com")
        #expect(cookie.maxAge == 60)
        #expect(cookie.sameSite == .lax)
        #expect(SetCookie("a=b; secure=false; httponly=0").map { $0.isSecure && $0.isHTTPOnly } == true)
        #expect(SetCookie("a=b; securely; path").map { $0.isSecure } == false)
    }

    @Test(
        "Of several attributes of one name the last counts, if it can be read",
        arguments: [
            ("Max-Age=1; Max-Age=2", 2), ("Max-Age=1; Max-Age=x", 1), ("Max-Age=", nil), ("Max-Age=+1", nil),
            ("Max-Age=1.5", nil), ("Max-Age=1 2", nil), ("Max-Age=-1", -1), ("Max-Age=-x", nil), ("Max-Age=-", nil),
            ("Max-Age=5; Max-Age=-", 5), ("Max-Age=--1", nil), ("Max-Age=1-", nil), ("Max-Age=-0", -1),
            ("Max-Age=0", 0),
            ("Max-Age=99999999999999999999999", .max), ("Max-Age=\"1\"", nil), ("Max-Age", nil),
        ] as [(String, Int64?)])
    func lifetimes(attributes: String, expected: Int64?) {
        #expect(SetCookie("a=b; \(attributes)")?.maxAge == expected)
    }

    @Test func aPathThatIsNoneMeansTheDefault() {
        #expect(SetCookie("a=b")?.path == nil)
        for text in ["Path", "Path=", "Path=x", "Path=x/y", "Path=/x; Path=y", "Path=\"/x\""] {
            #expect(SetCookie("a=b; \(text)")?.path == "", "\(text)")
        }
    }

    @Test func sameSiteIsOneOfThreeWords() {
        #expect(SetCookie("a=b; SameSite=Strict")?.sameSite == .strict)
        #expect(SetCookie("a=b; SameSite=None")?.sameSite == Cookie.SameSite.none)
        #expect(SetCookie("a=b; SameSite=Lax; SameSite=else").map { $0.sameSite == nil } == true)
    }

    @Test func anExpiryThatIsNoDateIsPassedOver() {
        #expect(SetCookie("a=b; Expires=Sun, 06 Nov 1994 08:49:37 GMT")?.expires?.timeIntervalSince1970 == 784_111_777)
        #expect(SetCookie("a=b; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Expires=soon")?.expires != nil)
        #expect(SetCookie("a=b; Expires=0").map { $0.expires == nil } == true)
    }

    @Test func noTextBreaksTheReader() {
        let random = SeededRandom(seed: 3)
        let words = [
            "=", ";", " ", "a", "Path", "Domain", "Max-Age", "Expires", "/", ".", "-1", "99", "Jan", "Secure", "é",
            "\u{301}", "\t", "\"", "__Host-", "0:0:0", "SameSite", "None",
        ]
        for _ in 0..<5000 {
            let text = (0..<Int(random.next() % 20)).map { _ in words[Int(random.next() % UInt64(words.count))] }
                .joined()
            guard let cookie = SetCookie(text) else { continue }
            #expect(!(cookie.name.isEmpty && cookie.value.isEmpty))
            #expect(!cookie.name.utf8.contains(UInt8(ascii: "=")))
            #expect(!cookie.value.utf8.contains(UInt8(ascii: ";")))
        }
        for text in Samples.hostile { _ = SetCookie(text) }
    }
}
