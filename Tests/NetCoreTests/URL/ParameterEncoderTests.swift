import Foundation
import Testing

@testable import NetCore

private struct Hand: Encodable {
    let write: @Sendable (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try write(encoder) }
}

private enum Key: String, CodingKey { case a, b, c }

@Suite struct ParameterEncoderTests {
    private func text(_ value: some Encodable) throws -> String { try ParameterValue(value).text }

    private func hand(_ write: @escaping @Sendable (any Encoder) throws -> Void) throws -> String {
        try text(Hand(write: write))
    }

    @Test func scalarsAreWrittenPlain() throws {
        #expect(try text("x") == "x")
        #expect(try text(true) == "true")
        #expect(try text(7) == "7")
        #expect(try text(Int8(-8)) == "-8")
        #expect(try text(Int16(16)) == "16")
        #expect(try text(Int32(32)) == "32")
        #expect(try text(Int64(64)) == "64")
        #expect(try text(UInt(1)) == "1")
        #expect(try text(UInt8(8)) == "8")
        #expect(try text(UInt16(16)) == "16")
        #expect(try text(UInt32(32)) == "32")
        #expect(try text(UInt64.max) == "18446744073709551615")
        #expect(try text(1.0) == "1")
        #expect(try text(1.5) == "1.5")
        #expect(try text(Float(2)) == "2")
        #expect(try text(1e30) == "1e+30")
        #expect(try text(10.0) == "10")
        #expect(try text(Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
        #expect(try text(Data([1, 2])) == "AQI=")
        #expect(try text(#require(URL(string: "https://h/x"))) == "https://h/x")
        #expect(try text(Decimal(string: "1.25")) == "1.25")
        #expect(
            try text(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
                == "00010203-0405-0607-0809-0A0B0C0D0E0F")
        #expect(try text(String?.none).isEmpty)
        #expect(try ParameterValue(Int?.none) == .null)
        for value in [Double.infinity, .nan] {
            let error = #expect(throws: EncodingError.self) { try text(value) }
            #expect(error.map(ErrorSummary.describe)?.hasPrefix("a number must be finite") == true)
        }
        #expect(throws: EncodingError.self) { try text(Date.distantFuture.addingTimeInterval(1e12)) }
    }

    @Test func setsAndDictionariesHaveAnOrder() throws {
        #expect(try text(Set(["c", "a", "b"])) == #"["a","b","c"]"#)
        #expect(try text(["b": 1, "a": 2]) == #"{"a":"2","b":"1"}"#)
        #expect(try text([3: "c", 1: "a"]) == #"{"1":"a","3":"c"}"#)
        #expect(try text([[1]: "c", [0]: "a"]) == #"[["0"],"a",["1"],"c"]"#)
        #expect(try text([String: Int]()) == "{}")
        #expect(try text([Int]()) == "[]")
        #expect(try text(Set<Int>()) == "[]")
    }

    @Test func textIsQuotedInJSON() throws {
        #expect(try text(["a\"\\\u{1}\u{1f} é"]) == #"["a\"\\\u0001\u001f é"]"#)
        #expect(try text([String?.none]) == "[null]")
        #expect(try text(["x": ["y": [1, 2]]]) == #"{"x":{"y":["1","2"]}}"#)
    }

    @Test func containersMayBeUsedByHand() throws {
        #expect(try hand { _ in } == "")
        #expect(
            try hand {
                var container = $0.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try container.encodeNil(forKey: .b)
                try container.encode(2, forKey: .a)
                try container.encode(3, forKey: .c)
            } == #"{"a":"2","b":null,"c":"3"}"#)
        #expect(try hand { _ = $0.container(keyedBy: Key.self) } == "{}")
        #expect(try hand { _ = $0.unkeyedContainer() } == "[]")
        #expect(
            try hand {
                var list = $0.unkeyedContainer()
                try list.encode(1)
                try list.encodeNil()
                var inner = list.nestedUnkeyedContainer()
                try inner.encode("x")
                var object = list.nestedContainer(keyedBy: Key.self)
                try list.encode(2)
                try object.encode(3, forKey: .b)
                try inner.encode("y")
                var last = list.superEncoder().singleValueContainer()
                try last.encode("z")
                if list.count != 6 { throw CancellationError() }
            } == #"["1",null,["x","y"],{"b":"3"},"2","z"]"#)
        #expect(
            try hand {
                var object = $0.container(keyedBy: Key.self)
                var list = object.nestedUnkeyedContainer(forKey: .a)
                var inner = object.nestedContainer(keyedBy: Key.self, forKey: .b)
                try list.encode(1)
                try inner.encode(2, forKey: .c)
                var single = object.superEncoder(forKey: .c).singleValueContainer()
                try single.encode(4)
                var base = object.superEncoder().container(keyedBy: Key.self)
                try base.encode(9, forKey: .a)
            } == #"{"a":"9","b":{"c":"2"},"c":"4"}"#)
        #expect(
            try hand {
                var single = $0.singleValueContainer()
                try single.encodeNil()
            } == "")
    }

    @Test func anErrorNamesItsPlace() {
        struct Inner: Encodable { var a = Double.nan }
        struct Outer: Encodable { var b = Inner() }
        let error = #expect(throws: EncodingError.self) { try text(Outer()) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["b", "a"])
    }
}

@Suite struct PathEdgesTests {
    @Test(
        arguments: [
            ("a/b", nil), ("a/./b", "segment 2"), ("..", "segment 1"), ("/a/..", "segment 2"), ("a/%2e", "segment 2"),
            ("a/%2E.", "segment 2"), ("a/.%2e/b", "segment 2"), ("a/...", nil), ("a/.b", nil), ("a/%2", nil),
            ("a/%2f", nil), ("a/%2e%2e%2e", nil), ("a/%3e", nil), ("a/.%2", nil), ("", nil), ("/", nil),
        ] as [(String, String?)])
    func dotSegmentsAreProblems(_ text: String, _ place: String?) {
        let path = Path(text)
        #expect(path.problem.map { $0.hasPrefix("\(place ?? "-") of the path holds ") } == (place == nil ? nil : true))
        #expect(Path.hasDotSegment(text) == (place != nil))
        #expect(Path.hasDotSegment(text + "?/../") == (place != nil))
    }

    @Test func valuesThatAreEmptyAreProblems() {
        let empty = ""
        #expect(("a/\(empty)/b" as Path).problem?.hasPrefix("segment 2 of the path is an empty value") == true)
        #expect(("\(empty)" as Path).problem?.hasPrefix("segment 1 ") == true)
        #expect(("/\(empty)/a" as Path).problem?.hasPrefix("segment 1 ") == true)
        #expect(("a/x\(empty)/b" as Path).problem == nil)
        #expect(("a/\(empty)x" as Path).problem == nil)
        #expect(("a/b\(empty)" as Path).problem == nil)
        #expect((Path("a") / "" / "b").problem?.hasPrefix("segment 2 ") == true)
        #expect((Path("a") / "").problem?.hasPrefix("segment 2 ") == true)
        #expect((Path("a") / "").encoded == "a/")
        #expect((Path("a") / "" / "b").encoded == "a//b")
        #expect((Path() / "x").encoded == "x")
        var escaped = Path("a/")
        escaped.append(escaped: "")
        #expect(escaped.problem?.hasPrefix("segment 2 ") == true)
        var refused = Path("..")
        refused.refuse("first")
        refused.refuse("second")
        #expect(refused.problem == "first")
    }

    @Test func pathsAreJoined() {
        #expect(Path("a").appending("b").encoded == "a/b")
        #expect(Path("a/").appending("b").encoded == "a/b")
        #expect(Path("a").appending("/b").encoded == "a/b")
        #expect(Path().appending("b").encoded == "b")
        #expect(Path("a").appending(Path()).encoded == "a")
        let empty = ""
        #expect(Path("a").appending("b/\(empty)").problem?.hasPrefix("segment 3 ") == true)
        #expect(Path().appending("\(empty)/x").problem?.hasPrefix("segment 1 ") == true)
        var refused = Path("a")
        refused.refuse("no")
        #expect(refused.appending("b").problem == "no")
        #expect(Path("b").appending(refused).problem == "no")
        #expect(refused.appending(Path()).problem == "no")
        #expect(Path().appending(refused).problem == "no")
        var empty1 = Path()
        empty1.refuse("void")
        #expect(empty1.appending(refused).problem == "void")
        #expect(Path("a?b").appending("c").problem != nil)
        #expect(Path("c").appending("a?b").problem != nil)
        #expect(Path().appending("a?b").problem != nil)
    }

    @Test(
        arguments: [
            ("http://h", true), ("HTTPS://h", true), ("ws://h", true), ("Wss://h", true), ("http:/h", false),
            ("httpx://h", false), ("xhttp://h", false), ("http://", true), ("http:/", false), ("hello", false),
            ("world", false), ("w", false), ("h", false), ("", false),
        ] as [(String, Bool)])
    func aWholeURLIsNoPath(_ text: String, _ isURL: Bool) {
        #expect(Path.mistake(in: text, isFirst: true) == (isURL ? .wholeURL : nil))
        #expect(Path.mistake(in: text, isFirst: false) == nil)
        #expect(Path.mistake(in: text + "?", isFirst: false) == .query)
        #expect(Path.mistake(in: Substring(text), isFirst: true) == (isURL ? .wholeURL : nil))
    }

    @Test func slashesOfALiteralAreJoined() {
        var path = Path("/a/")
        path.append(literal: "//b")
        #expect(path.encoded == "a/b")
        #expect(Path("//a").encoded == "a")
        #expect(Path("a//b").encoded == "a//b")
        path.append(value: "c/d")
        path.append(literal: "e?#f")
        #expect(path.encoded == "a/bc%2Fde%3F%23f")
    }

    @Test(
        arguments: [
            ("a", "http://h/x/a"), ("/a", "http://h/a"), ("", "http://h/x/y?q"), ("?z", "http://h/x/y?z"),
            ("#f", "http://h/x/y?q#f"), ("//o/a/..", "http://o/"), ("../a", "http://h/a"), ("../../a", "http://h/a"),
            ("./", "http://h/x/"), ("..", "http://h/"), (".", "http://h/x/"),
            ("a/./b/../c", "http://h/x/a/c"), ("s:a/../b", "s:b"), ("s:/a/..", "s:/"), ("a/..", "http://h/x/"),
            ("1a:b", "http://h/x/1a:b"), ("a+.-9:b", "a+.-9:b"), (":b", "http://h/x/:b"), ("a_:b", "http://h/x/a_:b"),
            ("[:b", "http://h/x/[:b"), ("a/:b", "http://h/x/a/:b"), ("a{:", "http://h/x/a{:"),
            ("a@:b", "http://h/x/a@:b"),
            ("a`:b", "http://h/x/a`:b"), ("a/:", "http://h/x/a/:"), ("a,:b", "http://h/x/a,:b"),
            ("a;:b", "http://h/x/a;:b"),
        ] as [(String, String)])
    func referencesAreResolved(_ text: String, _ expected: String) {
        #expect(URLReference(text).resolved(against: URLReference("http://h/x/y?q#g")).description == expected)
    }

    @Test func aReferenceIsMergedWithItsBase() {
        #expect(URLReference("a").resolved(against: URLReference("http://h")).description == "http://h/a")
        #expect(URLReference("a").resolved(against: URLReference("s:b")).description == "s:a")
        #expect(URLReference("a").resolved(against: URLReference("s:b/c")).description == "s:b/a")
        #expect(URLReference("").resolved(against: URLReference("s:b?c")).description == "s:b?c")
    }
}
