import Foundation
import NetCompression
import NetCore
import Testing

@testable import NetStore

/// Values of terms at their limits, the text of a filter, and the presentation of errors.
@Suite struct FilterValueTests {
    @Test func statusesHaveThreeOrFourDigits() {
        let table: [(String, ClosedRange<Int>?)] = [
            ("100", 100...100), ("99", nil), ("099", nil), ("0100", 100...100), ("9999", 9999...9999), ("10000", nil),
            ("1xx", 100...199), ("9XX", 900...999), ("10x", 100...109), ("99x", 990...999), ("0xx", nil), ("01x", nil),
            ("xxx", nil), ("x00", nil), ("1x0", nil), ("1x", nil), ("1xxx", nil), ("100-100", 100...100),
            ("101-100", nil), ("100-9999", 100...9999), ("100-", nil), ("-100", nil), ("1-2-3", nil), ("", nil),
            ("٢٠٠", nil), ("+200", nil),
        ]
        for (text, range) in table { #expect(FilterValueReader.status(text) == range, "\(text)") }
        #expect(FilterTerm.statuses == 100...9999)
    }

    @Test func durationsAreMicrosecondsUpTo292Years() {
        let table: [(String, Int64?)] = [
            ("1ms", 1000), ("1s", 1_000_000), ("1m", 60_000_000), ("1h", 3_600_000_000), ("1d", 86_400_000_000),
            ("0s", 0), ("0.001ms", 1), ("0.0009ms", 0), ("1.5s", 1_500_000), ("0.1d", 8_640_000_000),
            ("0.123456789s", 123_456), ("0.1234567891s", 123_456), ("1.s", nil), (".5s", nil), ("1..5s", nil),
            ("1.5.5s", nil), ("5", nil), ("5 s", nil), ("5S", nil), ("", nil), ("s", nil), ("1.0٣s", nil),
            ("9223372036854775ms", nil), ("9223372036.854775s", 9_223_372_036_854_775),
            ("9223372036.854776s", nil), ("9223372036854775807d", nil), ("99999999999999999999s", nil),
        ]
        for (text, value) in table { #expect(FilterValueReader.duration(text) == value, "\(text)") }
        #expect(FilterTerm.longestDuration == 9_223_372_036_854_775)
    }

    @Test func sizesAreBytesOfThousandsOrOf1024() {
        let table: [(String, Int64?)] = [
            ("1", 1), ("1b", 1), ("1B", 1), ("1kb", 1000), ("1KiB", 1024), ("1MB", 1_000_000), ("1mib", 1_048_576),
            ("1gB", 1_000_000_000), ("1GiB", 1_073_741_824), ("1.5KB", 1500), ("0.5KiB", 512), ("1.9B", 1),
            ("9223372036854775807", .max), ("9223372036854775808", nil), ("9223372036.854775807GB", .max),
            ("9223372036.854775808GB", nil), ("9223372037GB", nil), ("1TB", nil), ("1k", nil), ("KB", nil),
        ]
        for (text, value) in table { #expect(FilterValueReader.size(text) == value, "\(text)") }
        #expect(FilterValueReader.digits("0") == 0)
        #expect(FilterValueReader.digits("/") == nil)
        #expect(FilterValueReader.digits(":") == nil)
        #expect(FilterValueReader.digits("9") == 9)
    }

    @Test func momentsAreReadToTheMicrosecond() {
        let table: [(String, FilterMoment?)] = [
            ("90s", .ago(90_000_000)), ("1970-01-02", .at(86_400_000_000)), ("1970-01-01T00:00:01Z", .at(1_000_000)),
            ("1970-01-01T00:00:01.5Z", .at(1_500_000)), ("1970-01-01T00:00:01.000001Z", .at(1_000_001)),
            ("1970-01-01T00:00:01.0000019Z", .at(1_000_001)), ("1970-01-01T01:00:01.25+01:00", .at(1_250_000)),
            ("1970-01-01T00:00:01.Z", nil), ("1970-01-01T00:00:01.5", nil), ("1970-1-1", nil), ("1970-01-011", nil),
            ("1970-13-01", nil), ("", nil),
        ]
        for (text, moment) in table { #expect(FilterValueReader.moment(text) == moment, "\(text)") }
        let now = Date(timeIntervalSince1970: 100)
        #expect(FilterValueReader.date("90s", now: now) == Date(timeIntervalSince1970: 10))
        #expect(FilterValueReader.date("1970-01-02", now: now) == Date(timeIntervalSince1970: 86_400))
        #expect(FilterValueReader.date("never", now: now) == nil)
        #expect(FilterMoment.ago(3).resolved(now: 10) == 7)
        #expect(FilterMoment.at(3).resolved(now: 10) == 3)
        #expect(FilterMoment.ago(1).resolved(now: .min) == .min)
        #expect(FilterMoment.ago(1).resolved(now: .min + 1) == .min)
    }

    @Test func aFilterIsWrittenInItsShortestForm() throws {
        let written: [(ActivityFilter, String)] = [
            (.status(500...599), "~c 5xx"), (.status(500...598), "~c 500-598"), (.status(501...600), "~c 501-600"),
            (.status(1000...1099), "~c 1000-1099"), (.status(900...999), "~c 9xx"), (.status(404), "~c 404"),
            (.slower(than: .seconds(86_400)), "~slower 1d"), (.slower(than: .seconds(7200)), "~slower 2h"),
            (.faster(than: .seconds(60)), "~faster 1m"), (.faster(than: .seconds(61)), "~faster 61s"),
            (.slower(than: .milliseconds(1500)), "~slower 1500ms"), (.slower(than: .zero), "~slower 0ms"),
            (.slower(than: .microseconds(1)), "~slower 0.001ms"),
            (.slower(than: .microseconds(1200)), "~slower 1.2ms"),
            (.slower(than: .microseconds(12_345)), "~slower 12.345ms"), (.larger(than: 0), "~larger 0B"),
            (.larger(than: 999), "~larger 999B"), (.larger(than: 2000), "~larger 2KB"),
            (.larger(than: 2048), "~larger 2KiB"), (.larger(than: 3_000_000), "~larger 3MB"),
            (.larger(than: 1 << 20), "~larger 1MiB"), (.larger(than: 5_000_000_000), "~larger 5GB"),
            (.larger(than: 1 << 30), "~larger 1GiB"), (.run(0), "~run 0"), (.run(-1), "!~all"), (.run(12), "~run 12"),
            (.since(Date(timeIntervalSince1970: 1.5)), "~since 1970-01-01T00:00:01.500000Z"),
            (.until(Date(timeIntervalSince1970: -0.5)), "~until 1969-12-31T23:59:59.500000Z"),
            (.until(Date(timeIntervalSince1970: 0.000_02)), "~until 1970-01-01T00:00:00.000020Z"),
            (.since(Date(timeIntervalSince1970: 60)), "~since 1970-01-01T00:01:00Z"),
            (.since(ago: .milliseconds(5)), "~since 5ms"), (.until(ago: .seconds(-4)), "~until 0ms"),
            (.since(.distantPast.addingTimeInterval(-1e12)), "~since 0000-01-01T00:00:00Z"),
            (.until(Date(timeIntervalSince1970: 1e15)), "~until 9999-12-31T23:59:59.999999Z"),
            (.text("a b"), "\"a b\""), (.text("a\"b"), "\"a\\\"b\""), (.text(""), "\"\""), (.text("a"), "a"),
            (.text("a\u{7f}"), "\"a\u{7f}\""), (.text("a\u{a0}b"), "\"a\u{a0}b\""), (.text("é"), "é"),
            (.all, "~all"), (!.all, "!~all"), (!(.failed & .job), "!(~e & ~job)"),
            ((.failed & .job) | .log, "~e & ~job | ~log"), ((.failed | .job) & .log, "(~e | ~job) & ~log"),
            (!(.failed | .job) | .log, "!(~e | ~job) | ~log"), (!(!.failed), "~e"),
        ]
        for (filter, text) in written {
            #expect(filter.description == text)
            #expect(try ActivityFilter(text) == filter, "\(text)")
        }
        for text in "()&|!~\"'\\" {
            #expect(ActivityFilter.text(ActivityFilter.literal("a\(text)")).description.hasPrefix("\""), "\(text)")
        }
    }

    @Test func redundantAndOutOfRangeConditionsAreSimplified() {
        #expect(ActivityFilter.failed & !.all == !.all)
        #expect(ActivityFilter.failed | .all == .all)
        #expect(ActivityFilter.failed & .all == .failed)
        #expect(ActivityFilter.failed | !.all == .failed)
        #expect(ActivityFilter.status(9999...20_000) == .status(9999))
        #expect(ActivityFilter.status(0...100) == .status(100))
        #expect(ActivityFilter.status(10_000...20_000) == !.all)
        #expect(ActivityFilter.status(-1...99) == !.all)
        #expect(ActivityFilter.slower(than: .seconds(-1)) == .slower(than: .zero))
        #expect(ActivityFilter.faster(than: .seconds(-1)) == .faster(than: .zero))
        #expect(ActivityFilter.larger(than: -5) == .larger(than: 0))
        #expect(ActivityFilter.larger(than: 5) != .larger(than: 0))
        #expect(ActivityFilter.since(ago: .seconds(-1)) == .since(ago: .zero))
    }

    // MARK: Errors

    private func shown(_ text: String) throws -> [String] {
        let error = #expect(throws: ActivityFilterError.self) { try ActivityFilter(text) }
        return (error?.description ?? "").split(separator: "\n").map(String.init)
    }

    @Test func ofALongExpressionOnlyWhatIsAroundTheErrorIsShown() throws {
        let a = { String(repeating: "a", count: $0) }
        let b = { String(repeating: "b", count: $0) }
        let table: [(String, String, Int)] = [
            ("\(a(100)) ~c x \(b(100))", "…\(a(46)) ~c x \(b(28))…", 51),
            ("\(a(46)) ~c x \(b(28))", "\(a(46)) ~c x \(b(28))", 50),
            ("\(a(46)) ~c x \(b(29))", "\(a(46)) ~c x \(b(28))…", 50),
            ("\(a(47)) ~c x \(b(28))", "…\(a(46)) ~c x \(b(28))", 51), ("~c x", "~c x", 3),
            ("\(a(200)) |", "…\(a(48)) |", 51),
        ]
        for (text, line, caret) in table {
            let lines = try shown(text)
            try #require(lines.count == 3, "\(text)")
            #expect(lines[1] == "  \(line)", "\(text)")
            #expect(lines.last == "  " + String(repeating: " ", count: caret) + "^", "\(text)")
        }
    }

    @Test func controlCharactersAndLineSeparatorsAreShownAsSpaces() throws {
        for scalar in ["\u{1}", "\u{1f}", "\u{7f}", "\u{80}", "\u{85}", "\u{9f}", "\u{2028}", "\u{2029}"] {
            #expect(try shown("'a\(scalar)b' ~c x")[1] == "  'a b' ~c x", "\(scalar.unicodeScalars)")
        }
        for scalar in [" ", "~", "\u{a0}", "\u{2027}", "\u{202a}"] {
            #expect(try shown("'a\(scalar)b' ~c x")[1] == "  'a\(scalar)b' ~c x", "\(scalar.unicodeScalars)")
        }
    }

    @Test func theColumnIsThatOfTheCharacter() {
        func column(_ text: String, _ offset: Int) -> Int {
            ActivityFilterError(text, at: offset, found: "", expected: "").column
        }
        #expect(column("abc", 0) == 1)
        #expect(column("abc", 2) == 3)
        #expect(column("abc", 3) == 4)
        #expect(column("abc", 9) == 4)
        #expect(column("e\u{301}b", 1) == 1)
        #expect(column("e\u{301}b", 2) == 2)
        #expect(column("", 0) == 1)
        #expect(FilterScanner.shortened(String(repeating: "x", count: 40)).count == 40)
        #expect(FilterScanner.shortened(String(repeating: "x", count: 41)) == String(repeating: "x", count: 40) + "…")
        #expect(FilterScanner.shortened("a\nb") == "a b")
    }

    @Test func theLengthItselfIsAllowed() throws {
        #expect(FilterParser.maximumLength == 4096)
        #expect(FilterParser.maximumDepth == 20)
        _ = try ActivityFilter(String(repeating: "a", count: 4096))
        let error = #expect(throws: ActivityFilterError.self) {
            try ActivityFilter(String(repeating: "a", count: 4097))
        }
        #expect(error?.found == "4097 characters")
        #expect(error?.expected == "at most 4096")
        let deep = { String(repeating: "(", count: $0) + "a" + String(repeating: ")", count: $0) }
        #expect(try ActivityFilter(deep(20)) == .text("a"))
        #expect(throws: ActivityFilterError.self) { try ActivityFilter(deep(21)) }
        #expect(FilterTermName.alternatives(to: "zzz").hasPrefix("~all ~b ~bq ~bs ~c ~cache"))
    }

    // MARK: Conditions and bodies

    @Test func longListsAreJoinedInGroups() {
        func sql(_ count: Int) -> String { FilterCondition.any(Array(repeating: .every, count: count)).sql }
        let ones = { Array(repeating: "1", count: $0).joined(separator: " OR ") }
        #expect(sql(2) == "(1 OR 1)")
        #expect(sql(200) == "(\(ones(200)))")
        #expect(sql(201) == "((\(ones(200))) OR (1))")
        #expect(sql(401) == "((\(ones(200))) OR (\(ones(200))) OR (1))")
        let deep = FilterCondition.any([.every, .all([.nothing, .every])])
        #expect(deep.sql == "((0 AND 1) OR 1)", "the deepest comes first")
        let deeper = FilterCondition.all([.every, .any([.nothing]), deep])
        #expect(deeper.sql == "(((0 AND 1) OR 1) AND (0) AND 1)")
        let values = FilterCondition.all([
            FilterCondition("a ?", [.integer(1)]), .any([FilterCondition("b ?", [.null])]),
        ])
        #expect(values.values == [.null, .integer(1)], "values move with their conditions")
        #expect(FilterCondition("a", [.null]).negated.sql == "(a) IS NOT TRUE")
    }

    @Test func aBodyThatReachesTheLimitIsNotKnownToBeWhole() throws {
        #expect(InflatedBody.maximumBytes == 1_048_576)
        #expect(InflatedBody.maximumWholeBytes == 67_108_864)
        for count in [0, 1, 1023, 1024, 1025, 40_000] {
            let bytes = [UInt8](repeating: 7, count: count)
            guard var deflater = Deflater(level: 6) else { throw CancellationError() }
            let compressed = deflater.encode(Bytes(bytes), isLast: true).withUnsafeBytes { Array($0) }
            #expect(InflatedBody.whole(compressed, maximum: count + 1) == Bytes(bytes), "\(count)")
            #expect(InflatedBody.whole(compressed, maximum: max(1, count)) == (count == 0 ? Bytes() : nil), "\(count)")
            #expect(InflatedBody.whole(compressed) == Bytes(bytes))
            let part = compressed.withUnsafeBytes { compressed in
                InflatedBody.withBytes(of: compressed, maximum: max(1, count / 2)) { bytes, _ in Array(bytes) }
            }
            #expect(part == Array(bytes.prefix(max(1, count / 2))))
        }
    }

    // MARK: Patterns

    @Test func aPatternMatchesAPartOrWithAStarTheWhole() {
        let table: [(String, [String], [String])] = [
            ("", ["", "a"], []), ("*", ["", "a"], []), ("**", ["", "a"], []), ("a", ["a", "xA", "ax"], ["", "b"]),
            ("*a*", ["a", "xax"], ["x"]), ("a*", ["a", "ax"], ["xa"]), ("*a", ["a", "xa"], ["ax"]),
            ("a*b", ["ab", "axb", "aabb"], ["abx", "xab", "a"]), ("?", ["a", "é", "ab"], [""]),
            ("?*", ["a", "é"], [""]), ("a?b", ["xaébx", "a-b"], ["ab", "aéé b"]), ("*?b", ["ab"], ["b"]),
            ("*a*b*", ["ab", "xaxbx"], ["ba"]), ("a\\*", ["xa*x"], ["a"]), ("[", ["["], ["{"]), ("@", ["@"], ["`"]),
            ("{", ["{"], ["["]), ("z", ["Z", "z"], ["y"]), ("a?", ["ab", "xaa"], ["a"]), ("*\\?", ["a?"], ["ab"]),
            ("*éa*", ["ÉA", "xéax"], ["ea"]), ("é*", ["É", "éx"], ["xé"]),
        ]
        for (pattern, matching, missing) in table {
            for text in matching { #expect(FilterPattern(pattern).matches(text), "\(pattern) \(text)") }
            for text in missing { #expect(!FilterPattern(pattern).matches(text), "\(pattern) \(text)") }
        }
        #expect(FilterPattern("a:b").hasColon)
        #expect(!FilterPattern("a*b").hasColon)
        #expect(FilterPattern("a\\").text == "a\\\\")
        #expect(FilterPattern("a***b").text == "a*b")
    }
}
