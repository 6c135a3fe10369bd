import Foundation
import NetCore
import Testing

@testable import NetStore

struct StoredValuesTests {
    @Test(arguments: [
        ("https://user:pass@API.example.com:8443/a/b?c=d#e", "api.example.com:8443", "/a/b"),
        ("http://host", "host", "/"), ("http://host?x=/y", "host", "/"), ("http://host#f", "host", "/"),
        ("https://<redacted>@host/p@q", "host", "/p@q"), ("/only/path?x", "", "/only/path"), ("", "", "/"),
        ("http://[::1]:80/x", "[::1]:80", "/x"), ("://", "", "://"), ("a:b", "", "a:b"),
    ])
    func aURLGivesHostAndPath(url: String, host: String, path: String) {
        let parts = StoredURL(url)
        #expect(parts.host == host && parts.path == path)
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
        #expect(StoredTags.tags(from: "{\"a\":1}") == [] && StoredTags.tags(from: "[1]") == [])
        #expect(StoredTags.tags(from: StoredTags.text(["a", "\"\\"])) == ["a", "\"\\"])
        #expect(StoredTags.text([]) == "[]")
    }
}
