import Foundation
import NetCore
import Testing

@testable import NetHTTP

@Suite struct DownloadNameTests {
    private let id = UUID()

    private func name(_ url: String, _ disposition: String? = nil) -> String {
        DownloadName.choose(disposition: disposition.flatMap { ContentDisposition($0) }, url: url, id: id)
    }

    @Test func theServersNameComesBeforeTheURLs() {
        #expect(name("https://a.test/x.bin", "attachment; filename=\"report.pdf\"") == "report.pdf")
        #expect(name("https://a.test/x.bin", "attachment; filename*=UTF-8''na%C3%AFve.txt") == "naïve.txt")
        #expect(name("https://a.test/x.bin", "attachment") == "x.bin")
        #expect(name("https://a.test/x.bin", "attachment; filename=\"...\"") == "x.bin")
        let chosen = DownloadName.choose(
            requested: "mine", disposition: ContentDisposition("attachment; filename=a.txt"), url: "https://a.test/b",
            id: id)
        #expect(chosen == "mine")
    }

    @Test(arguments: [
        ("https://a.test/a%20b.txt", "a b.txt"), ("https://a.test/d/file.tar.gz?x=/y#z/w", "file.tar.gz"),
        ("https://a.test/%E2%82%AC.txt", "€.txt"), ("https://a.test/a%2Fb.txt", "b.txt"),
        // Decoded only once.
        ("https://a.test/%252e%252e%252fa.txt", "%2e%2e%2fa.txt"),
        ("https://a.test/a.pdf;jsessionid=planted", "a.pdf"), ("https://a.test/a;b.pdf", "a;b.pdf"),
        ("https://user:pw@a.test:81/x.zip", "x.zip"),
    ])
    func theURLsLastComponentIsDecodedOnce(url: String, expected: String) {
        #expect(name(url) == expected)
    }

    @Test(arguments: [
        "https://a.test", "https://a.test/", "https://a.test/d/", "https://a.test/..", "https://a.test/?f=x",
    ])
    func withoutANameItIsTheID(url: String) {
        #expect(name(url) == id.uuidString.lowercased())
    }

    @Test func aNameWithoutAnExtensionGetsThatOfItsContents() {
        let png = Bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        let text = MediaType.plainText
        #expect(DownloadName.choose(url: "https://a.test/photo", id: id, contentType: text, head: png) == "photo.png")
        #expect(DownloadName.choose(url: "https://a.test/photo", id: id, contentType: text) == "photo.txt")
        #expect(DownloadName.choose(url: "https://a.test/photo", id: id, contentType: .octetStream) == "photo")
        #expect(DownloadName.choose(url: "https://a.test/photo.jpg", id: id, head: png) == "photo.jpg")
        let long = "https://a.test/" + String(repeating: "é", count: 200)
        let cut = DownloadName.choose(url: long, id: id, head: png)
        #expect(cut.utf8.count <= 255)
        #expect(cut.hasSuffix("é.png"))
        let chosen = DownloadName.choose(requested: "photo", url: "https://a.test/x", id: id, head: png)
        #expect(chosen == "photo")
    }

    @Test(arguments: [
        ("a/b\\c.txt", "c.txt"), ("../../etc/passwd", "passwd"), ("..\\..\\a.ini", "a.ini"), ("C:\\a.txt", "a.txt"),
        ("C:a.txt", "C_a.txt"), ("a\0b.txt", "a_b.txt"), ("a\r\nb.txt", "a__b.txt"), ("\u{202e}txt.exe", "txt.exe"),
        ("a\u{200f}b\u{2066}c", "abc"), (".htaccess", "htaccess"), ("...a", "a"), ("-rf", "rf"),
        ("--help.txt", "help.txt"),
        (" . - a", "a"), ("a.txt. . ", "a.txt"), ("a.txt\u{a0}", "a.txt"), ("con", "_con"), ("NUL.txt", "_NUL.txt"),
        ("com1", "_com1"), ("COM¹.log", "_COM¹.log"), ("lpt9 .txt", "_lpt9 .txt"), ("conin$", "_conin$"),
        ("console", "console"), ("com10", "com10"), ("a<b>c:d\"e|f?g*h", "a_b_c_d_e_f_g_h"), ("a\u{7f}\u{85}b", "a__b"),
        ("ä.txt", "ä.txt"), ("日本.txt", "日本.txt"), ("👩‍👩‍👧.png", "👩‍👩‍👧.png"), ("a\u{fffd}", "a_"), ("~a", "~a"),
        ("a\u{e0041}b", "ab"), ("\u{301}a", "a"), ("\u{200d}\u{fe0f}a", "a"),
    ])
    func aNameIsMadeSafe(text: String, expected: String) {
        #expect(DownloadName.safe(text) == expected)
    }

    @Test(arguments: ["", ".", "..", "...", "/", "a/..", "\\", " ", "-", "--", ". .", "\u{202e}", "\0", "//", "?"])
    func ofSomeTextNothingIsLeft(text: String) {
        #expect(DownloadName.safe(text) == nil)
    }

    @Test func aLongNameIsCutBetweenCharactersAndKeepsItsExtension() {
        let plain = String(repeating: "a", count: 300)
        #expect(DownloadName.safe(plain)?.utf8.count == 255)
        #expect(DownloadName.safe(plain + ".tar.gz") == String(repeating: "a", count: 248) + ".tar.gz")
        let accents = DownloadName.safe(String(repeating: "e\u{301}", count: 200) + ".pdf")
        #expect(accents == String(repeating: "e\u{301}", count: 83) + ".pdf")
        let family = DownloadName.safe(String(repeating: "👩‍👩‍👧", count: 30) + ".png")
        #expect(family == String(repeating: "👩‍👩‍👧", count: 13) + ".png")
        // One character of arbitrary size.
        let marks = DownloadName.safe("a" + String(repeating: "\u{301}", count: 400))
        #expect(marks.map { $0.utf8.count <= 255 && $0.utf8.count > 250 } == true)
        // Not an extension: too long, or not only letters.
        #expect(DownloadName.safe("a." + String(repeating: "b", count: 300))?.utf8.count == 255)
        // Cut before a space.
        let blank = DownloadName.safe(
            String(repeating: "a", count: 250) + " " + String(repeating: "b", count: 9) + ".txt")
        #expect(blank == String(repeating: "a", count: 250) + ".txt")
    }

    @Test func aNumberStandsBeforeTheExtension() {
        #expect(DownloadName.numbered("a.txt", 1) == "a (1).txt")
        #expect(DownloadName.numbered("a.tar.gz", 12) == "a (12).tar.gz")
        #expect(DownloadName.numbered("README", 2) == "README (2)")
        #expect(DownloadName.numbered("a.b c", 2) == "a.b c (2)")
        let long = DownloadName.numbered(String(repeating: "a", count: 251) + ".txt", 100)
        #expect(long.utf8.count == 255)
        #expect(long.hasSuffix("a (100).txt"))
    }

    @Test(arguments: [
        ("", ""), ("a/b", "a/b"), ("/etc/cron.d", "etc/cron.d"), ("../../a", "a"), ("a/../b", "a/b"), ("a//b/", "a/b"),
        ("~/a", "~/a"), ("a\\b", "a/b"), ("./.ssh", "ssh"), ("con/a", "_con/a"),
        ("a/b/c/d/e/f/g/h/i", "a/b/c/d/e/f/g/h"),
    ])
    func aFolderIsASafeRelativePath(text: String, expected: String) {
        #expect(DownloadName.folder(text) == expected)
    }

    @Test func fileNamesFromServersAreAlwaysSafe() {
        var random = SmallRandom(seed: 5)
        let pieces = [
            "..", "/", "\\", "%2f", "%5c", "%00", "\0", "a", ".", "-", " ", "\u{202e}", "\u{200f}", "con", "nul", ":",
            "é",
            "e\u{301}", "👩‍👩‍👧", "\u{feff}", "\n", "\u{85}", ".txt", ".tar.gz", String(repeating: "x", count: 90),
            "%e2%80%ae", "%ff",
            "COM1", "\u{2028}", "\u{a0}", "*", "\"", ";", "=", "\u{301}",
        ]
        for _ in 0..<3_000 {
            let text = (0..<random.below(9)).map { _ in pieces[random.below(pieces.count)] }.joined()
            let names = [
                DownloadName.choose(
                    disposition: ContentDisposition(kind: "attachment", filename: text), url: "", id: id),
                DownloadName.choose(url: "https://a.test/" + text, id: id),
                DownloadName.choose(requested: text, url: "", id: id),
            ]
            for name in names + names.map({ DownloadName.numbered($0, 3) }) {
                #expect(isSafe(name), "\(text.debugDescription): \(name.debugDescription)")
            }
            #expect(DownloadName.safe(names[0]) == names[0], "\(names[0].debugDescription) isn't safe twice")
        }
    }

    private func isSafe(_ name: String) -> Bool {
        let hidden: Set<UInt32> = [0x200e, 0x200f, 0x61c, 0xfeff]
        let isClean = name.unicodeScalars.allSatisfy {
            $0.value >= 32 && !(0x7f..<0xa0).contains($0.value) && !(0x2028...0x202e).contains($0.value)
                && !(0x2066...0x2069).contains($0.value) && !hidden.contains($0.value)
                && !"/\\:*?\"<>|".unicodeScalars.contains($0)
        }
        return isClean && (1...255).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasPrefix("-")
            && !name.hasSuffix(".") && !name.hasSuffix(" ") && !DownloadName.isDevice(name)
    }
}
