#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore
@testable import net_activity

/// The comparison of bodies and headers.
struct ComparisonTests {
    private func body(_ text: String, size: Int64? = nil, isCut: Bool = false) -> ComparedCall.Body {
        let bytes = HiddenMark.normalized(Bytes(text.utf8))
        return ComparedCall.Body(bytes: bytes, size: size ?? Int64(bytes.count), isCut: isCut)
    }

    private func differences(_ old: String, _ new: String) -> [String] {
        ContentComparison(body(old), body(new), limit: 20).differences.map(\.text)
    }

    @Test(
        arguments: [
            (#"{"a": 1}"#, #"{"a": 2}"#, ["$.a: 1 → 2"]),
            (#"{"a": 1, "b": [1, 2]}"#, #"{ "b": [1.0, 20e-1], "a": 1e0 }"#, []),
            // Equal as doubles.
            ("[9007199254740993]", "[9007199254740992]", ["$[0]: 9007199254740993 → 9007199254740992"]),
            ("[0.1]", "[0.10000000000000000001]", ["$[0]: 0.1 → 0.10000000000000000001"]),
            ("[-0, 1e400]", "[0, 10e399]", []),
            ("[1e99999999999999999999]", "[1e99999999999999999999]", []),
            // An inserted element shifts the others.
            (#"["a", "b", "c"]"#, #"["a", "x", "b", "c"]"#, [#"$[1]: "x" is new"#]),
            (#"["a", "b", "c"]"#, #"["a", "c"]"#, [#"$[1]: "b" is gone"#]),
            (#"{"a": null}"#, "{}", ["$.a: null is gone"]),
            (
                #"{"a b": true, "9": {"é": "x"}}"#, #"{"a b": false, "9": {"é": "y"}}"#,
                [#"$["9"]["é"]: "x" → "y""#, #"$["a b"]: true → false"#]
            ),
            // An escape equals its character; two encodings of é are different.
            (#"["\u00e9\ud83d\ude00\n"]"#, #"["é😀\u000a"]"#, []),
            (#"["é"]"#, #"["e\u0301"]"#, [#"$[0]: "é" → "e\#u{301}""#]),
            (#"{"token": "<redacted:0a1b2c3d>", "x": "a <redacted>"}"#, #"{"token": "<redacted>", "x": "b"}"#, []),
            ("1", "[1]", ["$: 1 → [1]"]),
        ] as [(String, String, [String])]) func `JSON is compared by its structure`(
            old: String, new: String, expected: [String]
        )
    {
        #expect(differences(old, new) == expected)
    }

    @Test func `deep and broken JSON is compared as text`() {
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(ContentComparison(body(deep), body(deep + " "), limit: 3).kind == .text)
        #expect(differences(#"{"a": 1"#, #"{"a": 2"#) == [#"line 1: "{\"a\": 1" → "{\"a\": 2""#])
    }

    @Test(
        arguments: [
            ("a\nb\nc\n", "a\nx\nc\n", [#"line 2: "b" → "x""#]),
            ("a\nc\n", "a\nb\nc\n", [#"line 2: "b" is new"#]),
            ("a\nb\nc", "c", [#"line 1: "a" is gone"#, #"line 2: "b" is gone"#]),
            ("a\r\nb", "a\nb", [#"line 1: "a\r" → "a""#]),
            ("", "a", [#"line 1: "" → "a""#]),
        ] as [(String, String, [String])]) func `text is compared by lines`(
            old: String, new: String, expected: [String]
        )
    {
        #expect(differences(old, new) == expected)
    }

    @Test func `many lines and long lines are bounded`() throws {
        let old = (0..<5000).map { "line \($0)" }.joined(separator: "\n")
        let new = (0..<5000).map { "Line \($0)" }.joined(separator: "\n")
        let comparison = ContentComparison(body(old), body(new), limit: 20)
        #expect(comparison.count == 5000)
        #expect(comparison.differences.count == 20)
        let long = String(repeating: "x", count: 100_000)
        let inJSON = differences("[\"\(long)a\"]", "[\"\(long)b\"]")
        try #require(inJSON.count == 1, "\(inJSON)")
        #expect(inJSON[0].contains("a\""), "\(inJSON)")
        #expect(inJSON[0].contains("b\""), "\(inJSON)")
        let found = differences(long + "a", long + "b")
        try #require(found.count == 1)
        #expect(found[0].utf8.count < 200)
        #expect(found[0].contains("a\""))
        #expect(found[0].contains("b\""))
    }

    @Test func `bytes are compared up to the first that differs`() {
        var bytes = [UInt8](repeating: 0, count: 10_000)
        let old = ComparedCall.Body(bytes: Bytes(bytes), size: 10_000)
        bytes[5000] = 255
        let new = ComparedCall.Body(bytes: Bytes(bytes), size: 10_000)
        let comparison = ContentComparison(old, new, limit: 20)
        #expect(comparison.kind == .binary)
        #expect(!comparison.isSame)
        #expect(
            comparison.differences.map(\.text) == ["byte 5,000: 00 00 00 00 00 00 00 00 → ff 00 00 00 00 00 00 00"])
        let shorter = ContentComparison(old, ComparedCall.Body(bytes: Bytes(bytes[0..<100]), size: 100), limit: 20)
        #expect(shorter.differences.map(\.place) == ["byte 100"])
    }

    @Test func `of a body that was cut, the beginning and the size are compared`() {
        let same = ContentComparison(body("grü", size: 100, isCut: true), body("grün und mehr", size: 100), limit: 20)
        #expect(same.isSame)
        #expect(same.notes.count == 1)
        let half = ComparedCall.Body(bytes: Bytes(Array("grü".utf8).dropLast()), size: 100, isCut: true)
        #expect(ContentComparison(half, body("gr", size: 100, isCut: true), limit: 20).isSame)
        #expect(!ContentComparison(body("abc", size: 5, isCut: true), body("abd", size: 5), limit: 20).isSame)
        #expect(!ContentComparison(body("abc", size: 5, isCut: true), body("ab", size: 2), limit: 20).isSame)
        #expect(!ContentComparison(body("", size: 5, isCut: true), body("abcd", size: 4), limit: 20).isSame)
        #expect(ContentComparison(nil, body("abcd", size: 4), limit: 20).isSame)
        // Secrets of different lengths, one of them split by the cut.
        let old = body(#"{"token": "<redacted>", "a": "#, size: 90, isCut: true)
        #expect(ContentComparison(old, body(#"{"token": "<redacted>", "a": 1}"#, size: 80), limit: 20).isSame)
    }

    @Test func `headers are compared without their order and noise`() {
        func fields(_ lines: String...) -> [StoredExchange.Field] {
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                return StoredExchange.Field(name: parts[0], value: parts[1])
            }
        }
        let comparison = HeaderComparison(
            fields("A:1", "Date:x", "Vary:a", "vary:b", "X-Key:<redacted>", "Gone:1"),
            fields("vary:a", "a:2", "Vary:c", "date:y", "x-key:secret", "RateLimit-Remaining:3"))
        #expect(
            comparison.differences.map(\.text) == ["a: 1 → 2", "gone: 1 is gone", "vary: a, b → a, c"])
        #expect(comparison.noise.map(\.name) == ["date", "ratelimit-remaining"])
        #expect(comparison.hidden == ["x-key"])
        #expect(!HeaderComparison(nil, fields("a:1")).isCompared)
    }

    @Test(arguments: [
        ("a <redacted> b", "a <redacted> b"), ("<redacted:0a1b2c3d><redacted:ffffffff>", "<redacted><redacted>"),
        ("%3Credacted%3A0a1b2c3d%3E&x", "%3Credacted%3E&x"), ("&lt;redacted:0a1b2c3d&gt;", "&lt;redacted&gt;"),
        ("<redacted:0a1b2c3>", "<redacted:0a1b2c3>"), ("redacted", "redacted"),
    ]) func `marks of hidden places lose their digests`(text: String, expected: String) {
        #expect(HiddenMark.normalized(text) == expected)
    }

    @Test func `a given value is hidden wherever it stands`() {
        let scrubber = SecretScrubber(["s3cret value", "abc", "s3cret"])
        #expect(scrubber.text("a s3cret value, s3cret, abc") == "a <redacted>, <redacted>, abc")
        #expect(scrubber.text("?x=s3cret%20value") == "?x=<redacted>")
    }
}
#endif
