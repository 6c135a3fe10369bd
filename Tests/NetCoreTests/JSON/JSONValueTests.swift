import Foundation
import NetCore
import NetOpenAPIRuntime
import Testing

@Suite struct JSONValueTests {
    private func roundTrip(_ text: String) throws -> String {
        let coding = JSONCoding.standard
        let value = try coding.decode(JSONValue.self, from: Bytes(text.utf8))
        return String(decoding: try coding.encode(value), as: UTF8.self)
    }

    @Test(arguments: [
        "null", "true", "\"text\"", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.1",
        "[1,[],{}]",
        "{\"a\":{\"b\":[null]}}", "1.00000000000000000001",
    ])
    func everyValueSurvives(_ text: String) throws {
        #expect(try roundTrip(text) == text)
    }

    @Test func membersAndElementsAreReadByNameAndPlace() {
        let value: JSONValue = ["list": [1, 2.5, "three"], "none": nil]
        #expect(value["list"]?[0]?.intValue == 1)
        #expect(value["list"]?[1]?.doubleValue == 2.5)
        #expect(value["list"]?[2]?.stringValue == "three")
        #expect(value["list"]?[3] == nil)
        #expect(value["list"]?[-1] == nil)
        #expect(value["none"]?.isNull == true)
        #expect(value["other"] == nil)
    }

    @Test func aPartIsReadAsATypeOfOnesOwn() throws {
        struct Point: Decodable, Equatable { let x: Int }
        let value: JSONValue = ["point": ["x": 3]]
        #expect(try value["point"]?.decoded(as: Point.self) == Point(x: 3))
    }
}

@Suite struct CalendarDateTests {
    @Test(arguments: ["2026-02-28", "2024-02-29", "0000-01-01", "9999-12-31"])
    func aDayIsReadAndWritten(_ text: String) {
        #expect(CalendarDate(text)?.description == text)
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-01-01T00:00:00Z", "", "２０２６-01-01", "+026-01-01",
    ])
    func anythingElseIsNoDay(_ text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test func daysAreOrdered() throws {
        let days = try ["2026-02-01", "2025-12-31", "2026-01-31"].map { try #require(CalendarDate($0)) }
        #expect(days.sorted().map(\.description) == ["2025-12-31", "2026-01-31", "2026-02-01"])
    }

    @Test func aWrongDaySaysWhatItIs() {
        #expect { try JSONCoding.standard.decode(CalendarDate.self, from: Bytes("\"2026-02-30\"".utf8)) } throws: {
            error in
            "\(error)".contains("2026-02-30")
        }
    }
}
