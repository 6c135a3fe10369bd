import Foundation
import HTTPTypes
import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import Testing

private enum Level: OpenEnum {
    case low
    case unknown(String)
    static let allCases: [Self] = [.low]
    static let knownValues: [String] = ["low"]
    var unknownValue: String? { if case .unknown(let value) = self { value } else { nil } }
}

@Suite struct ResponseHeadValueTests {
    private func head(_ value: String) -> ResponseHead {
        var headers = HTTPFields()
        headers["X-Value"] = value
        return ResponseHead(status: .ok, headers: headers)
    }

    @Test func aFieldIsReadAsItsType() {
        #expect(head("12").value("x-value") == 12)
        #expect(head("12").value("X-Value") == "12")
        #expect(head("\"a\"").value("X-Value") == "\"a\"")
        #expect(head("true").value("X-Value") == true)
        #expect(head("0.5").value("X-Value") == 0.5)
        #expect(head("1970-01-01T00:00:10Z").value("X-Value") == Date(timeIntervalSince1970: 10))
        #expect(head("2026-02-28").value("X-Value") == CalendarDate("2026-02-28"))
        #expect(head("low").value("X-Value") == Level.low)
        #expect(head("https://a.test/b?c").value("X-Value") == URL(string: "https://a.test/b?c"))
        #expect(head("0.1234567890123456789").value("X-Value") == Decimal(string: "0.1234567890123456789"))
        #expect(head("aGk=").value("X-Value") == Data("hi".utf8))
        #expect(head("12").value("X-Value") == JSONValue.string("12"))
        #expect(head("7").value("X-Value") == Level.unknown("7"))
    }

    @Test func aListHasCommasBetweenItsElements() {
        #expect(head("a, b ,c").value("X-Value") == ["a", "b", "c"])
        #expect(head("1, 2").value("X-Value") == [1, 2])
        #expect(head("1970-01-01T00:00:10Z").value("X-Value") == [Date(timeIntervalSince1970: 10)])
        #expect(head("low,7").value("X-Value") == [Level.low, .unknown("7")])
        #expect(head("").value("X-Value") == [Int]())
    }

    @Test(arguments: ["nan", "inf", "0x1p3", "1 2", "", "ten"])
    func onlyANumberIsANumber(_ text: String) {
        #expect((head(text).value("X-Value") as Double?) == nil)
        #expect((head(text).value("X-Value") as Int?) == nil)
        #expect((head(text).value("X-Value") as Decimal?) == nil)
    }

    @Test func aNumberThatDoesNotFitIsNil() {
        #expect((head("300").value("X-Value") as Int8?) == nil)
        #expect((head("1,300").value("X-Value") as [Int8]?) == nil)
    }

    @Test func missingOrInvalidHeadersAreNil() {
        #expect((head("x").value("X-Value") as Int?) == nil)
        #expect((head("x").value("X-Other") as String?) == nil)
        #expect((head("x").value("not a name") as String?) == nil)
    }
}
