import Foundation
import NetCore
import Testing

@testable import NetStore

@Suite struct StoredValuesTests {
    @Test(arguments: [
        ("https://user:pass@API.example.com:8443/a/b?c=d#e", "api.example.com:8443", "/a/b"),
        ("http://host", "host", "/"), ("http://host?x=/y", "host", "/"), ("http://host#f", "host", "/"),
        ("https://<redacted>@host/p@q", "host", "/p@q"), ("/only/path?x", "", "/only/path"), ("", "", "/"),
        ("http://[::1]:80/x", "[::1]:80", "/x"), ("://", "", "://"), ("a:b", "", "a:b"),
    ])
    func aURLGivesHostAndPath(url: String, host: String, path: String) {
        let parts = StoredURL(url)
        #expect(parts.host == host)
        #expect(parts.path == path)
        #expect(StoredURL.host(of: url) == (host.isEmpty ? nil : host))
    }

    @Test func aCallIDIsReadAsItIsWritten() {
        let id = CallID(high: 0x0190_b5a0_7c3e_7def, low: 0x8123_4567_89ab_cdef)
        #expect(CallID(text: id.description) == id)
        #expect(CallID(text: id.description.uppercased()) == id)
        let text = id.description
        for length in 0..<36 { #expect(CallID(text: String(text.prefix(length))) == nil) }
        for index in text.indices {
            var wrong = text
            wrong.replaceSubrange(index...index, with: "g")
            #expect(CallID(text: wrong) == nil)
        }
        #expect(CallID(text: text + "0") == nil)
    }

    @Test func timesAreKeptToTheMicrosecondAndClamped() {
        let date = Date(timeIntervalSince1970: 1_767_225_600.123456)
        #expect(StoredTime.microseconds(of: date) == 1_767_225_600_123_456)
        #expect(StoredTime.microseconds(of: StoredTime.date(1_767_225_600_123_456)) == 1_767_225_600_123_456)
        #expect(StoredTime.microseconds(of: Date(timeIntervalSince1970: .infinity)) == .max)
        #expect(StoredTime.microseconds(of: Date(timeIntervalSince1970: -.infinity)) == .min)
        #expect(StoredTime.microseconds(of: Date(timeIntervalSince1970: .nan)) == 0)
        #expect(StoredTime.microseconds(of: .microseconds(1500)) == 1500)
        #expect(StoredTime.microseconds(of: Duration.seconds(Int64.max)) == Int64.max / 1000)
    }

    @Test func tagsThatAreNoListOfTextsAreNone() {
        #expect(StoredTags.tags(from: "{\"a\":1}") == [])
        #expect(StoredTags.tags(from: "[1]") == [])
        #expect(StoredTags.tags(from: StoredTags.text(["a", "\"\\"])) == ["a", "\"\\"])
        #expect(StoredTags.text([]) == "[]")
    }

    @Test func anIDIsKeptAsItsBytes() throws {
        let id = CallID(high: 0x0190_b5a0_7c3e_7def, low: 0x8123_4567_89ab_cdef)
        try #require(id.bytes.count == 16)
        #expect(id.bytes[0] == 0x01)
        #expect(id.bytes[15] == 0xef)
        #expect(CallID(bytes: id.bytes) == id)
        #expect(CallID(bytes: []) == nil)
    }

    @Test func aTraceIsShortIfItIsTheCalls() throws {
        let call = CallID(high: 1, low: 2)
        let own = try #require(TraceParent("00-00000000000000010000000000000002-b7ad6b7169203331-01"))
        let other = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"))
        #expect(StoredTrace.bytes(own, call: call).count == 9)
        #expect(StoredTrace.bytes(other, call: call).count == 25)
        for trace in [own, other] {
            #expect(StoredTrace.trace(StoredTrace.bytes(trace, call: call), call: call) == trace)
        }
        #expect(StoredTrace.trace([1, 2, 3], call: call) == nil)
    }

    @Test func theMiddleOfAClassIsWithinFivePercentOfEachDurationInIt() {
        var last = -1
        for microseconds in [1, 2, 3, 7, 10, 99, 100, 1000, 12_345, 500_000, 1_000_000, 60_000_000, 3_600_000_000] {
            for value in [Int64(microseconds), Int64(Double(microseconds) * 1.05)] {
                let number = DurationBucket.number(of: value)
                #expect(number >= last)
                last = number
                let error = abs(DurationBucket.middle(of: number) - Double(value)) / Double(value)
                #expect(error <= 0.05, "\(value) µs is in class \(number)")
            }
        }
        #expect(DurationBucket.number(of: 0) == 0)
        #expect(DurationBucket.number(of: -5) == 0)
    }

    @Test func thePercentileOfClassesIsThatOfTheNearestRank() {
        let buckets = [(number: 50, calls: 94), (number: 70, calls: 1), (number: 90, calls: 5)]
        let middle = { (number: Int) in Duration.microseconds(Int64(DurationBucket.middle(of: number).rounded())) }
        #expect(StatisticsQuery.percentile(50, of: buckets) == middle(50))
        #expect(StatisticsQuery.percentile(95, of: buckets) == middle(70))
        #expect(StatisticsQuery.percentile(99, of: buckets) == middle(90))
        #expect(StatisticsQuery.percentile(50, of: []) == nil)
    }

    @Test(arguments: [
        ("timeout api.example", "\"timeout\" \"api\" \"example\"*"), ("\"a\" OR -b*", "\"a\" \"OR\" \"b\"*"),
        (" ?&", nil), ("", nil), ("größe 漢字", "\"größe\" \"漢字\"*"),
    ])
    func wordsMeanNothingButThemselves(text: String, query: String?) {
        #expect(SearchWords(text).query == query)
    }
}
