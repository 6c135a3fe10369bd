import Foundation
import NetCore
import Testing

private struct Event: Codable, Sendable, Equatable {
    var startsAt: Date
    var homePage = "https://h/x"
    var payload = Data([1, 2, 255])
}

@Suite struct JSONCodingTests {
    private func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func datesAreWrittenWithAFractionOnlyWhereThereIsOne() throws {
        let whole = try JSONCoding.standard.encode([Date(timeIntervalSince1970: 0)])
        #expect(text(whole) == #"["1970-01-01T00:00:00Z"]"#)
        #expect(
            text(try JSONCoding.standard.encode([Date(timeIntervalSince1970: 0.25)]))
                == #"["1970-01-01T00:00:00.250Z"]"#)
    }

    @Test func datesAreReadWithAndWithoutAFraction() throws {
        let bytes = Bytes(#"["1970-01-01T00:00:01Z","1970-01-01T00:00:01.5Z","1970-01-01T01:00:00+01:00"]"#.utf8)
        let dates = try JSONCoding.standard.decode([Date].self, from: bytes)
        #expect(dates.map(\.timeIntervalSince1970) == [1, 1.5, 0])
    }

    @Test("A text that is no date-time names itself", arguments: [#"["yesterday"]"#, #"["2026-02-30T00:00:00Z"]"#])
    func badDate(json: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONCoding.standard.decode([Date].self, from: Bytes(json.utf8))
        }
        #expect(error.map { "\($0)" }?.contains("RFC 3339") == true)
    }

    @Test("A date without a text is an error, not a trap", arguments: [Double.infinity, .nan, 1e15, -1e15])
    func dateWithoutText(seconds: Double) {
        #expect(throws: EncodingError.self) { try JSONCoding.standard.encode([Date(timeIntervalSince1970: seconds)]) }
    }

    @Test func slashesAreNotEscapedAndDataIsBase64() throws {
        let event = Event(startsAt: Date(timeIntervalSince1970: 0))
        let bytes = try JSONCoding.standard.encode(event)
        #expect(text(bytes).contains("https://h/x"))
        #expect(text(bytes).contains("\"AQL/\""))
        #expect(try JSONCoding.standard.decode(Event.self, from: bytes) == event)
    }

    @Test func snakeCaseIsWrittenAndRead() throws {
        let event = Event(startsAt: Date(timeIntervalSince1970: 0))
        let bytes = try JSONCoding.snakeCaseISO8601.encode(event)
        #expect(text(bytes).contains("\"starts_at\":\"1970-01-01T00:00:00Z\""))
        #expect(text(bytes).contains("home_page"))
        #expect(try JSONCoding.snakeCaseISO8601.decode(Event.self, from: bytes) == event)
    }

    @Test func everyUseHasACoderOfItsOwn() {
        #expect(JSONCoding.standard.makeEncoder() !== JSONCoding.standard.makeEncoder())
        #expect(JSONCoding.standard.makeDecoder() !== JSONCoding.standard.makeDecoder())
    }

    @Test func aLargeSliceIsDecodedWhereItLies() throws {
        let json = "xx[" + (0..<2000).map { "\($0)" }.joined(separator: ",") + "]yy"
        let whole = Bytes(json.utf8)
        #expect(try JSONCoding.standard.decode([Int].self, from: whole[2..<whole.count - 2]) == Array(0..<2000))
    }
}
