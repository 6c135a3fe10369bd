import Foundation
import NetCore
import Testing

@testable import NetStore

/// Stored values at the limits of their ranges.
@Suite struct StoredEdgesTests {
    @Test func theDigitsOfAnIDAreHexadecimal() {
        let zeros = "00000000-0000-0000-0000-000000000000"
        func id(_ digit: Character, at place: Int) -> CallID? {
            var text = Array(zeros)
            text[place] = digit
            return CallID(text: String(text))
        }
        let digits = Array("0123456789abcdef")
        for (value, digit) in digits.enumerated() {
            #expect(id(digit, at: 0) == CallID(high: UInt64(value) << 60, low: 0))
            #expect(id(digit, at: 17) == CallID(high: UInt64(value), low: 0))
            #expect(id(digit, at: 19) == CallID(high: 0, low: UInt64(value) << 60))
            #expect(id(digit, at: 35) == CallID(high: 0, low: UInt64(value)))
        }
        for wrong in "/:@G`g- ." { #expect(id(wrong, at: 3) == nil, "\(wrong)") }
        for place in [8, 13, 18, 23] { #expect(id("0", at: place) == nil) }
        #expect(CallID(text: zeros) == CallID(high: 0, low: 0))
        #expect(CallID(text: "") == nil)
        #expect(CallID(bytes: [UInt8](repeating: 1, count: 15)) == nil)
        #expect(CallID(bytes: [UInt8](repeating: 1, count: 17)) == nil)
        #expect(CallID(bytes: (1...16).map { $0 }) == CallID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10))
    }

    @Test func theHostOfAURLIsReadWithAndWithoutParsingIt() {
        let table: [(String, String?)] = [
            ("http://a", "a"), ("https://a-1.b:80/x", "a-1.b:80"), ("https://a?x", "a"), ("https://a#x", "a"),
            ("https://A", "a"), ("httpss://a", "a"), ("http:/a", nil), ("http://", nil), ("https:///x", nil),
            ("http", nil), ("https", nil), ("htt", nil), ("http:", nil), ("http:/", nil), ("ws://a.b/c", "a.b"),
            ("https://u@a/", "a"), ("https://z09.y/", "z09.y"), ("https://[::1]:8/", "[::1]:8"), ("", nil),
        ]
        for (url, host) in table { #expect(StoredURL.host(of: url) == host, "\(url)") }
    }

    @Test func momentsAreRoundedAndDurationsCut() {
        #expect(StoredTime.microseconds(of: Date(timeIntervalSince1970: 0.000_001_4)) == 1)
        #expect(StoredTime.microseconds(of: Date(timeIntervalSince1970: 0.000_001_6)) == 2)
        #expect(StoredTime.microseconds(of: Date(timeIntervalSince1970: -0.000_001_6)) == -2)
        #expect(StoredTime.microseconds(of: Duration.nanoseconds(1999)) == 1)
        #expect(StoredTime.microseconds(of: Duration.nanoseconds(-1999)) == -1)
        #expect(StoredTime.date(1_500_000) == Date(timeIntervalSince1970: 1.5))
        #expect(StoredTime.duration(7) == .microseconds(7))
        #expect(StoredTime.microseconds(of: Date(timeIntervalSince1970: 1e14)) == .max)
        #expect(StoredTime.microseconds(of: Date(timeIntervalSince1970: -1e14)) == .min)
    }

    @Test func aTraceIsReadFromItsBytes() throws {
        let call = CallID(high: 1, low: 2)
        let own: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let trace = try #require(StoredTrace.trace(own + [1], call: call))
        #expect(trace.traceID.high == 1)
        #expect(trace.traceID.low == 2)
        #expect(trace.parentID == 0x0102_0304_0506_0708)
        #expect(trace.isSampled)
        #expect(StoredTrace.trace(own + [0], call: call)?.isSampled == false)
        #expect(StoredTrace.trace(own + [2], call: call)?.isSampled == false)
        #expect(StoredTrace.bytes(trace, call: call) == own + [1])
        for other in [CallID(high: 1, low: 3), CallID(high: 3, low: 2)] {
            #expect(StoredTrace.bytes(trace, call: other) == call.bytes + own + [1])
            #expect(StoredTrace.trace(call.bytes + own + [1], call: other) == trace)
        }
        for count in [0, 8, 10, 24, 26] {
            #expect(StoredTrace.trace([UInt8](repeating: 1, count: count), call: call) == nil)
        }
        #expect(StoredTrace.trace(own + [1], call: CallID(high: 0, low: 0)) == nil, "no trace has the ID 0")
    }

    @Test func theClassesOfDurationsAreATenthWide() {
        #expect(DurationBucket.number(of: 1) == 0)
        #expect(DurationBucket.number(of: 2) == 7)
        #expect(DurationBucket.number(of: 1000) == 72)
        #expect(DurationBucket.number(of: 1_000_000) == 144)
        #expect(DurationBucket.number(of: .max) == 458)
        #expect(abs(DurationBucket.middle(of: 0) - 1.1.squareRoot()) < 1e-9)
        #expect(abs(DurationBucket.middle(of: 10) / DurationBucket.middle(of: 9) - 1.1) < 1e-9)
        #expect(StatisticsQuery.percentile(50, of: [(number: 3, calls: 0)]) == nil)
        let buckets = [(number: 50, calls: 1), (number: 60, calls: 1), (number: 70, calls: 98)]
        for (share, number) in [(0, 50), (1, 50), (2, 60), (3, 70), (100, 70)] {
            let middle = DurationBucket.middle(of: number).rounded()
            #expect(StatisticsQuery.percentile(share, of: buckets) == .microseconds(Int64(middle)), "\(share)")
        }
    }

    @Test func tagsAreAListAsText() {
        #expect(StoredTags.text(["a/b", "c"]) == #"["a/b","c"]"#)
        #expect(StoredTags.text([]) == "[]")
        #expect(StoredTags.tags(from: "[]") == [])
        #expect(StoredTags.tags(from: #"["x"]"#) == ["x"])
        #expect(StoredTags.tags(from: "") == [])
        #expect(StoredTags.tags(from: "x") == [])
    }

    @Test func fieldsAreLines() {
        #expect(StoredExchange.text([]) == nil)
        #expect(StoredExchange.text([("a", "b")]) == "a: b")
        #expect(StoredExchange.text([("a", "b: c"), ("a", "")]) == "a: b: c\na: ")
    }

    @Test func wordsAreLettersAndDigits() {
        let table: [(String, String?)] = [
            ("a", "\"a\"*"), ("a b", "\"a\" \"b\"*"), ("a-1_b", "\"a\" \"1\" \"b\"*"), ("½", "\"½\"*"),
            ("!", nil), ("", nil), ("é²", "\"é²\"*"), ("a\"b", "\"a\" \"b\"*"),
        ]
        for (text, query) in table { #expect(SearchWords(text).query == query, "\(text)") }
    }
}
