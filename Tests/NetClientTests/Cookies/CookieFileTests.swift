import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetClient

/// The two file formats for cookies.
@Suite struct CookieFileTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func jar() throws -> CookieJar {
        var jar = CookieJar()
        jar.store("id=7; Max-Age=3600; Secure; HttpOnly; SameSite=Strict", from: "https://shop.test/x/y", now: now)
        jar.store("theme=\"dark, é\"; Domain=shop.test; Max-Age=60", from: "https://www.shop.test/", now: now)
        jar.store("session=1", from: "https://shop.test/", now: now)
        return jar
    }

    @Test func aFileBringsBackWhatWasKept() throws {
        let jar = try jar()
        let kept = jar.cookies.filter { $0.name != "session" }
        #expect(try CookieFile.decode(CookieFile(jar, includingSession: false).encoded()).usable == kept)
        #expect(try CookieFile.decode(CookieFile(jar, includingSession: true).encoded()).usable == jar.cookies)
    }

    @Test(
        "A file that is damaged is an error that shows nothing of it",
        arguments: [
            "", "{", "[]", "{}", #"{"format": "else", "version": 1, "cookies": []}"#,
            #"{"format": "swift-net cookies", "version": 2, "cookies": []}"#,
            #"{"format": "swift-net cookies", "version": 1, "cookies": "SECRET"}"#,
            #"{"format": "swift-net cookies", "version": 1, "SECRET": []}"#,
        ])
    func damage(text: String) {
        let error = #expect(throws: NetError.self) { try CookieFile.decode(Bytes(text.utf8)).usable }
        #expect(error?.code == .decoding)
        #expect(error.map { !"\($0)".contains("SECRET") } == true)
    }

    @Test func everyShorterFileIsDamaged() throws {
        let whole = Array(try CookieFile(jar(), includingSession: true).encoded())
        for end in 0..<whole.count {
            #expect(throws: NetError.self) { try CookieFile.decode(Bytes(whole[..<end])).usable }
        }
    }

    @Test(
        "A cookie of the file that could not be sent, or is none, is passed over, and the others are there",
        arguments: [
            ("\"7=\"", #""7\r\nX: y""#), ("\"/x\"", "\"x\""), ("\"id\"", "\"i=d\""), ("\"id\"", "7"),
            ("\"id\"", "null"),
            ("\"name\" : \"id\"", "\"nom\" : \"id\""), ("\"7=\"", "[]"), ("1800003600", "\"soon\""),
            // It would be sent as a cookie named 7.
            ("\"id\"", "\"\""), ("\"strict\"", "3"),
        ])
    func oddCookies(part: String, other: String) throws {
        let jar = try jar()
        let text = String(decoding: Array(try CookieFile(jar, includingSession: true).encoded()), as: UTF8.self)
            .replacingOccurrences(of: "\"7\"", with: "\"7=\"")
        let odd = text.replacingOccurrences(of: part, with: other)
        #expect(odd != text)
        let others = jar.cookies.filter { $0.name != "id" }
        #expect(try CookieFile.decode(Bytes(odd.utf8)).usable == others)
    }

    @Test func arbitraryCookiesRoundTripThroughTheFile() throws {
        let random = SeededRandom(seed: 12)
        let words = [
            "=", "==", "=a=", ";", " ", "a", "; Path=", "; Path=/", "; Domain=", "; Max-Age=", "9", "\"", "/", ".", "é",
            "\t", "__Host-", "; Secure", "test", "shop.test", "\\", "\u{2028}",
        ]
        var jar = CookieJar()
        for _ in 0..<3000 {
            let text = (0..<Int(random.next() % 9)).map { _ in words[Int(random.next() % UInt64(words.count))] }
                .joined()
            jar.store(text, from: "https://shop.test/x/y", now: now)
        }
        for text in Samples.hostile { jar.store("a=" + text, from: "https://\(text)/", now: now) }
        #expect(jar.count > 20)
        #expect(try CookieFile.decode(CookieFile(jar, includingSession: true).encoded()).usable == jar.cookies)
        for pair in jar.field(for: "https://shop.test/x/y", now: now)?.split(separator: ";") ?? [] {
            #expect(!pair.utf8.drop { $0 == 32 }.starts(with: "=".utf8), "\(pair)")
        }
    }

    @Test func aCookieWhoseTimesAreNoneIsRefused() throws {
        var jar = CookieJar()
        for time in [Double.nan, .infinity, -.infinity] {
            let date = Date(timeIntervalSince1970: time)
            var cookie = Cookie(name: "a", value: "b", domain: "h.test", expires: date)
            #expect(throws: NetError.self) { try jar.insert(cookie, now: now) }
            cookie = Cookie(name: "a", value: "b", domain: "h.test", created: date)
            #expect(throws: NetError.self) { try jar.insert(cookie, now: now) }
        }
        #expect(jar.count == 0)
    }

    @Test func cookiesTextComesBack() throws {
        let text = try jar().netscapeText
        #expect(
            text == """
                # Netscape HTTP Cookie File
                shop.test\tFALSE\t/\tFALSE\t0\tsession\t1
                .shop.test\tTRUE\t/\tFALSE\t1800000060\ttheme\t"dark, é"
                #HttpOnly_shop.test\tFALSE\t/x\tTRUE\t1800003600\tid\t7

                """)
        var other = CookieJar()
        try other.insert(netscapeText: text, now: now)
        #expect(other.netscapeText == text)
        #expect(other.cookies.map(\.isHTTPOnly) == [false, false, true])
        #expect(other.cookies.map(\.isHostOnly) == [true, false, true])
    }

    @Test func linesThatAreNoneArePassedOverAndCounted() throws {
        for line in [
            "h.test\tFALSE\t/\tFALSE\t0", "h.test FALSE / FALSE 0 a SECRET", "h.test\tyes\t/\tFALSE\t0\ta\tSECRET",
            "h.test\tFALSE\t/\tFALSE\tx\ta\tSECRET", "h.test\tFALSE\tx\tFALSE\t0\ta\tSECRET",
            // It would be sent as a cookie named SECRET.
            "h.test\tFALSE\t/\tFALSE\t0\t\tSECRET=",
        ] {
            var jar = CookieJar()
            let text = "# a comment\r\n\r\nh.test\tFALSE\t/\tFALSE\t0\tb\t2\r\n" + line
            let skipped = try jar.insert(netscapeText: text, now: now)
            #expect(skipped == [4])
            #expect(jar.cookies.map(\.name) == ["b"])
            // A file that contains only such lines is another kind of file.
            let error = #expect(throws: NetError.self) {
                try jar.insert(netscapeText: "# a comment\n" + line, now: now)
            }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("line 2") == true)
            #expect(error.map { !"\($0)".contains("SECRET") } == true)
        }
    }

    @Test func cookiesTextIsTakenAsCurlTakesIt() throws {
        var jar = CookieJar()
        let text = "h.test\tFALSE\t/\tFALSE\t0\tempty\nh.test\tfalse\t/\tTrue\t0\tsecure\t1\n"
        let skipped = try jar.insert(netscapeText: text, now: now)
        #expect(skipped.isEmpty)
        #expect(jar.cookies.map(\.value) == ["", "1"])
        #expect(jar.cookies.map(\.isSecure) == [false, true])
        var none = CookieJar()
        try none.insert(netscapeText: "# Netscape HTTP Cookie File\n\n", now: now)
        #expect(none.count == 0)
    }

    @Test func cookiesTextIsWhatPythonReadsAndWrites() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "cookies.txt")
        // Python reads the time 0, which curl writes for session cookies, as 1970.
        var jar = try jar()
        jar.endSession()
        jar.store("theme=dark; Domain=shop.test; Max-Age=9999999", from: "https://www.shop.test/", now: Date())
        jar.store("id=7; Max-Age=9999999; Secure; HttpOnly", from: "https://shop.test/x/y", now: Date())
        try jar.netscapeText.write(to: file, atomically: true, encoding: .utf8)
        let program = """
            import http.cookiejar, json, sys
            path = json.load(sys.stdin)
            jar = http.cookiejar.MozillaCookieJar(path)
            jar.load(ignore_discard=True)
            jar.save(ignore_discard=True)
            print(json.dumps(sorted([c.domain, c.path, c.name, c.value, str(c.secure)] for c in jar)))
            """
        let read: [[String]] = try await Tool.python(program, file.path(), as: [[String]].self)
        #expect(read.map { $0[2] } == ["theme", "id"])
        var back = CookieJar()
        try back.insert(netscapeText: String(contentsOf: file, encoding: .utf8), now: Date())
        #expect(back.cookies.map(\.name) == jar.cookies.map(\.name))
    }
}
