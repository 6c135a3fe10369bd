import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

private enum Shelf: String {
    case fiction
    case science = "sci/ence"
}
private enum Row: Int { case third = 3 }
private enum Shown: String, CustomStringConvertible {
    case one = "raw one"
    var description: String { "shown" }
}

@Suite struct PathTests {
    @Test(
        "A value stays one segment, whatever it contains",
        arguments: [
            ("a/b", "a%2Fb"), ("../..", "..%2F.."), ("%2F", "%252F"), ("a b", "a%20b"), ("?x=1", "%3Fx%3D1"),
            ("#top", "%23top"), ("[1]", "%5B1%5D"), ("ü", "%C3%BC"), ("a+b&c", "a%2Bb%26c"), ("\r\n", "%0D%0A"),
            ("\0", "%00"), ("%2e%2e", "%252e%252e"), ("~-._", "~-._"), ("/\u{301}", "%2F%CC%81"), ("\\", "%5C"),
        ])
    func hostileValue(value: String, encoded: String) {
        #expect(Path("users/\(value)/x").encoded == "users/\(encoded)/x")
        #expect((Path("users") / value / "x").encoded == "users/\(encoded)/x")
        #expect(Path("users/\(value)/x").problem == nil)
    }

    @Test func pathProblemsDoNotContainInterpolatedValues() {
        #expect(Path("reset/\("s3cret")/..").problem?.contains("segment 3 of the path") == true)
        #expect(Path("reset/\("s3cret")/..").problem?.contains("s3cret") == false)
        #expect(Path("\("s3cret")/\("")").problem?.contains("segment 2 of the path") == true)
        #expect(Path("\("s3cret")/\("")").problem?.contains("s3cret") == false)
    }

    @Test("A dot segment must not be sent", arguments: [".", ".."])
    func dotSegment(dots: String) {
        #expect(Path("users/\(dots)/x").problem != nil)
        #expect(Path("\(dots)").problem != nil)
        #expect((Path("users") / dots).problem != nil)
        #expect(Path("users/.\(String(dots.dropFirst()))").problem != nil)
        #expect(Path("users/\(dots)txt").problem == nil)
    }

    @Test(
        "A dot segment in the route itself must not be sent either",
        arguments: [
            "a/../b", "..", "a/.", "a/%2e%2E/b", "a/%2e", "a/.%2E",
        ])
    func dotsInTheLiteral(route: String) {
        #expect(Path(route).problem != nil)
    }

    @Test func anEmptyValueWouldChangeTheRoute() {
        let empty = ""
        #expect(Path("users/\(empty)/posts").problem != nil)
        #expect(Path("\(empty)/posts").problem != nil)
        #expect(Path("users/\(empty)").problem != nil)
        #expect(Path("\(empty)").problem != nil)
        #expect((Path("users") / empty).problem != nil)
        #expect((Path("users") / empty / "posts").problem != nil)
        #expect(Path("users/\(empty)\(empty)/posts").problem != nil)
    }

    @Test func anEmptyValueInsideASegmentIsFine() {
        let suffix = ""
        #expect(Path("v\(suffix)/items/").problem == nil)
        #expect(Path("v\(suffix)/items/").encoded == "v/items/")
        #expect(Path("files/\(suffix)name\(suffix)").problem == nil)
    }

    @Test func theRouteIsKeptAsWritten() {
        #expect(Path("users/").encoded == "users/")
        #expect(Path("/users").encoded == "users")
        #expect(Path("a//b").encoded == "a//b")
        #expect(Path("a//b").problem == nil)
        #expect(Path("").encoded.isEmpty)
        #expect(Path("").problem == nil)
        #expect(Path("files/a%2Fb").encoded == "files/a%2Fb")
        #expect(Path("a;v=1,2/b:c@d").encoded == "a;v=1,2/b:c@d")
        #expect(Path("über uns/?#[]").encoded == "%C3%BCber%20uns/%3F%23%5B%5D")
    }

    @Test(
        "A percent sign that escapes nothing is escaped",
        arguments: [
            ("100%", "100%25"), ("100%/x", "100%25/x"), ("%zz", "%25zz"), ("%4", "%254"), ("%41", "%41"),
            ("%%41", "%25%41"),
        ])
    func strayPercent(route: String, encoded: String) {
        #expect(Path(route).encoded == encoded)
    }

    @Test func numbersIdentifiersAndRawValuesAreWrittenAsThemselves() throws {
        let id = try #require(UUID(uuidString: "0190B5A0-7C3E-7DEF-8123-456789ABCDEF"))
        #expect(Path("a/\(-42)/\(id)").encoded == "a/-42/\(id.uuidString)")
        #expect(Path("a/\(Shelf.fiction)/\(Shelf.science)/\(Row.third)").encoded == "a/fiction/sci%2Fence/3")
        #expect((Path("a") / 7 / true).encoded == "a/7/true")
    }

    @Test func aRawValueWinsOverADescription() {
        #expect(Path("a/\(Shown.one)").encoded == "a/raw%20one")
    }

    @Test func segmentsCanBeAppended() {
        #expect((Path("users/") / "x").encoded == "users/x")
        #expect((Path() / "x").encoded == "x")
        #expect((Path("users") / "a/b").encoded == "users/a%2Fb")
    }

    @Test func interpolatableValuesCanBeAppended() throws {
        let id = try #require(UUID(uuidString: "0190B5A0-7C3E-7DEF-8123-456789ABCDEF"))
        #expect((Path("a") / id / "b").encoded == "a/\(id.uuidString)/b")
        let path: Path = Path("a") / Shelf.science
        #expect((path / Row.third / Shown.one).encoded == "a/sci%2Fence/3/raw%20one")
    }

    @Test func pathsAreJoinedWithOneSlash() {
        let values = ("a/b", "")
        let shelf: Path = "shelves/\(values.0)"
        #expect(shelf.appending("books/").encoded == "shelves/a%2Fb/books/")
        #expect(Path("shelves/").appending("books").appending("x/y").encoded == "shelves/books/x/y")
        #expect(Path().appending(shelf) == shelf)
        #expect(shelf.appending(Path()) == shelf)
        #expect(shelf.appending("..").problem != nil)
        #expect(shelf.appending("\(values.1)").problem != nil)
        #expect(shelf.appending("x/\(values.1)/y").problem != nil)
        #expect(Path("\(values.1)").appending("x").problem != nil)
        #expect(shelf.appending("v\(values.1)/y").problem == nil)
    }

    @Test func everyValueComesBackAsOneSegment() throws {
        let random = SeededRandom(seed: 1)
        for _ in 0..<500 {
            let value = Samples.text(random, length: 8)
            let path = Path("a/\(value)/b")
            let segments = path.encoded.split(separator: "/", omittingEmptySubsequences: false)
            if value.isEmpty || value == "." || value == ".." {
                #expect(path.problem != nil)
            } else {
                #expect(path.problem == nil)
                try #require(segments.count == 3)
                #expect(PercentEncoding.decode(segments[1]) == value)
                #expect(path.encoded.utf8.allSatisfy { $0 > 32 && $0 < 127 })
            }
        }
    }
}
