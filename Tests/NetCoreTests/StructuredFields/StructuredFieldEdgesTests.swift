import HTTPTypes
import Testing

@testable import NetCore

@Suite struct StructuredFieldEdgesTests {
    private typealias Item = StructuredField.Item
    private static let small = "abcdefghijklmnopqrstuvwxyz"
    private static let capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let digits = "0123456789"

    private func item(_ text: String) -> String? {
        guard let item = try? Item(parsing: text) else { return nil }
        return try? item.serialized()
    }

    private func error(_ text: String) -> String? {
        do throws(StructuredFieldError) {
            _ = try Item(parsing: text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func everyByteIsInAClassOrNot() {
        let inKey = Set((Self.small + Self.digits + "_-.*").utf8)
        let inToken = Set((Self.small + Self.capitals + Self.digits + "!#$%&'*+-.^_`|~:/").utf8)
        let beginsToken = Set((Self.small + Self.capitals + "*").utf8)
        for byte in UInt8.min ... .max {
            #expect(StructuredFieldSyntax.beginsKey(byte) == Set((Self.small + "*").utf8).contains(byte), "\(byte)")
            #expect(StructuredFieldSyntax.isInKey(byte) == inKey.contains(byte), "\(byte)")
            #expect(StructuredFieldSyntax.beginsToken(byte) == beginsToken.contains(byte), "\(byte)")
            #expect(StructuredFieldSyntax.isInToken(byte) == inToken.contains(byte), "\(byte)")
        }
        #expect(!StructuredFieldSyntax.isKey(""))
        #expect(!StructuredFieldSyntax.isToken(""))
        #expect(StructuredFieldSyntax.isKey("a1"))
        #expect(!StructuredFieldSyntax.isKey("aB"))
    }

    @Test(
        arguments: [
            ("1", "1"), (" -0 ", "0"), ("999999999999999", "999999999999999"), ("-999999999999999", "-999999999999999"),
            ("1000000000000000", nil), ("1.5", "1.5"), ("-1.500", "-1.5"), ("0.125", "0.125"), ("1.0", "1.0"),
            ("999999999999.999", "999999999999.999"), ("1000000000000.1", nil), ("1.1234", nil), ("1.", nil),
            ("-", nil),
            ("--1", nil), (".5", nil), ("-a", nil), ("/", nil),
            ("\"a b\"", "\"a b\""), (#""\"\\""#, #""\"\\""#), (#""\a""#, nil), ("\"a", nil), ("\"\\", nil),
            ("\"\u{1f}\"", nil), ("\"\u{7f}\"", nil), ("\" ~\"", "\" ~\""), ("\"é\"", nil), ("abc:/x", "abc:/x"),
            ("*a", "*a"), ("A", "A"), ("a(b", nil), ("?1", "?1"), ("?0", "?0"), ("?2", nil), ("?", nil),
            (":AQI=:", ":AQI=:"), (":AQI:", ":AQI=:"), ("::", "::"), (":A:", nil), (":AQI", nil), (":A!==:", nil),
            ("@7", "@7"), ("@-7", "@-7"), ("@1.5", nil), ("@", nil), ("%\"a%c3%a9\"", "%\"a%c3%a9\""),
            ("%\"%22%25\"", "%\"%22%25\""), ("%\"%C3%A9\"", nil), ("%\"%ff\"", nil), ("%\"%4\"", nil), ("%\"%", nil),
            ("%a", nil), ("%\"a", nil), ("%\"\u{1f}\"", nil), ("%\"\u{7f}\"", nil), ("%\" ~\"", "%\" ~\""),
            ("%\"%g0\"", nil), ("%\"%/0\"", nil), ("%\"%:0\"", nil), ("%\"%`0\"", nil), ("%\"%7f%1f\"", "%\"%7f%1f\""),
            ("1;a", "1;a"), ("1; a=2;b=?0;c=?1", "1;a=2;b=?0;c"), ("1;a=1;a=2", "1;a=2"), ("1;A", nil), ("1;", nil),
            ("1 ;a", nil), ("1;a=", nil), ("1;*a-_.9=x", "1;*a-_.9=x"), ("", nil), ("  ", nil), ("1 2", nil),
            ("1\t", nil),
            ("\t1", nil), ("(1)", nil),
        ] as [(String, String?)])
    func itemsAreReadAndWritten(_ text: String, _ expected: String?) {
        #expect(item(text) == expected)
        if let expected { #expect(item(expected) == expected) }
    }

    @Test(
        arguments: [
            ("", "a value is missing, at byte 0"), ("1.x", "a digit must follow the point, at byte 2"),
            ("-x", "a digit must follow the minus, at byte 1"),
            ("1000000000000.1", "a decimal has at most 12 digits before its point, at byte 13"),
            ("1234567890123456", "at most 15 digits are allowed here, at byte 15"),
            ("1.2345", "at most 3 digits are allowed here, at byte 5"),
            ("?x", "a boolean is ?0 or ?1, at byte 1"), ("@1.5", "a date has whole seconds, at byte 4"),
            ("\"é", "a string may contain only printable ASCII, at byte 1"),
            ("\"\\x", "a backslash may escape only a quotation mark or a backslash, at byte 2"),
            ("\"a", "a string has no closing quotation mark, at byte 2"),
            (":AQI", "a byte sequence has no closing colon, at byte 1"),
            (":A!==:", "a byte sequence is not base64, at byte 2"), (":A:", "a byte sequence is not base64, at byte 2"),
            ("%a", "a quotation mark must follow the percent sign of a display string, at byte 1"),
            ("%\"a", "a display string has no closing quotation mark, at byte 3"),
            ("%\"%ff\"", "a display string is not UTF-8, at byte 6"),
            ("%\"%f\"", "two lowercase hexadecimal digits must follow a percent sign, at byte 3"),
            ("1;A", "a key must begin with a lowercase letter or *, at byte 2"),
            ("1 x", "unexpected text after the value, at byte 2"),
            ("!", "no value can begin with this character, at byte 0"),
        ] as [(String, String)])
    func errorsNameTheirPlace(_ text: String, _ expected: String) {
        #expect(error(text) == expected)
    }

    @Test(
        arguments: [
            ("1, 2", "1, 2"), ("1 \t,\t 2", "1, 2"), ("(1 2);a, b", "(1 2);a, b"), ("()", "()"), ("( 1  2 )", "(1 2)"),
            ("(1;a \"b\");c=1", "(1;a \"b\");c=1"), ("", ""), (" ", ""), ("1,", nil), ("1, ", nil), (",1", nil),
            ("1 2", nil), ("(1", nil), ("(1\t2)", nil), ("(1,2)", nil), ("((1))", nil), ("(1)(2)", nil), ("1\t", "1"),
            ("(", nil),
        ] as [(String, String?)])
    func listsAreReadAndWritten(_ text: String, _ expected: String?) {
        let list = try? StructuredField.List(parsing: text)
        #expect((try? list?.serialized()) == expected)
    }

    @Test(
        arguments: [
            ("a=1, b", "a=1, b"), ("a;x=1, b=?1;y, c=?0", "a;x=1, b;y, c=?0"), ("a=(1 2);b", "a=(1 2);b"),
            ("a=1,a=2,b=3", "a=2, b=3"), ("", ""), ("a=", nil), ("A=1", nil), ("a=1,", nil), ("a=1 b=2", nil),
            ("a = 1", nil), ("=1", nil), ("a=1;x=2", "a=1;x=2"),
        ] as [(String, String?)])
    func dictionariesAreReadAndWritten(_ text: String, _ expected: String?) {
        let dictionary = try? StructuredField.Dictionary(parsing: text)
        #expect((try? dictionary?.serialized()) == expected)
    }

    @Test func invalidValuesAreNotSerialized() {
        let values: [StructuredField.BareItem] = [
            .integer(1_000_000_000_000_000), .integer(-1_000_000_000_000_000), .decimal(.nan), .decimal(1e12),
            .decimal(-1e12), .string("é"), .string("\u{1f}"), .string("\u{7f}"), .token(""), .token("1a"),
            .token("a b"), .date(1_000_000_000_000_000),
        ]
        for value in values { #expect(throws: StructuredFieldError.self) { try Item(value).serialized() } }
        #expect(throws: StructuredFieldError.self) {
            try Item(.integer(1), parameters: ["A": .integer(1)]).serialized()
        }
        #expect(throws: StructuredFieldError.self) {
            try (["A": .item(.integer(1))] as StructuredField.Dictionary).serialized()
        }
    }

    @Test(
        arguments: [
            (0.0, "0.0"), (-0.0004, "0.0"), (-1.5, "-1.5"), (0.0005, "0.0"), (0.0015, "0.002"), (0.0025, "0.002"),
            (1.1, "1.1"), (1.01, "1.01"), (1.001, "1.001"), (999_999_999_999.999, "999999999999.999"),
            (-12.34, "-12.34"),
            (100, "100.0"),
        ] as [(Double, String)])
    func decimalsHaveThreePlaces(_ value: Double, _ text: String) throws {
        #expect(try Item(.decimal(value)).serialized() == text)
    }

    @Test func bytesOfADisplayStringAreEscaped() throws {
        for byte in UInt8(0)..<128 {
            let isEscaped = byte < 0x20 || byte == 0x7f || byte == 0x25 || byte == 0x22
            let hex = String(byte, radix: 16)
            let text = isEscaped ? "%\(byte < 16 ? "0" : "")\(hex)" : String(Unicode.Scalar(byte))
            #expect(try Item(.displayString(String(Unicode.Scalar(byte)))).serialized() == "%\"\(text)\"")
        }
    }

    @Test func aValueHasALimit() {
        let most = "a" + String(repeating: "b", count: 65_535)
        #expect(item(most) == most)
        #expect(error(most + "c") == "the value is longer than 65536 bytes, at byte 65536")
        #expect(StructuredFieldError(message: "m").description == "m")
    }

    @Test func valuesAreReadByTheirKind() {
        let all: [StructuredField.BareItem] = [
            .integer(1), .decimal(2.5), .string("s"), .token("t"), .byteSequence([1]), .boolean(true), .date(3),
            .displayString("d"),
        ]
        #expect(all.map(\.integer) == [1, nil, nil, nil, nil, nil, nil, nil])
        #expect(all.map(\.decimal) == [1, 2.5, nil, nil, nil, nil, nil, nil])
        #expect(all.map(\.string) == [nil, nil, "s", nil, nil, nil, nil, "d"])
        #expect(all.map(\.token) == [nil, nil, nil, "t", nil, nil, nil, nil])
        #expect(all.map(\.byteSequence) == [nil, nil, nil, nil, [1], nil, nil, nil])
        #expect(all.map(\.boolean) == [nil, nil, nil, nil, nil, true, nil, nil])
        let list = StructuredField.Member.innerList(.init([Item(.integer(1))], parameters: ["a": .integer(2)]))
        #expect(list.innerList?.items.count == 1)
        #expect(list.item == nil)
        #expect(list.parameters["a"] == .integer(2))
        let member = StructuredField.Member.item(.integer(1))
        #expect(member.item?.value == .integer(1))
        #expect(member.innerList == nil)
        #expect(member.parameters.isEmpty)
    }

    @Test func membersKeepTheirOrder() throws {
        var map: StructuredField.Parameters = ["a": .integer(1), "b": .integer(2), "c": .integer(3)]
        map["a"] = .integer(9)
        map["b"] = nil
        map["x"] = nil
        map["d"] = .integer(4)
        try #require(map.map(\.key) == ["a", "c", "d"])
        #expect(map["c"] == .integer(3))
        #expect(map["d"] == .integer(4))
        #expect(map["a"] == .integer(9))
        #expect(map == ["a": .integer(9), "c": .integer(3), "d": .integer(4)])
        #expect(map != ["c": .integer(3), "a": .integer(9), "d": .integer(4)])
        #expect(map != ["a": .integer(9), "c": .integer(3)])
        #expect(map != ["a": .integer(9), "c": .integer(3), "d": .integer(5)])
        #expect(map != ["a": .integer(9), "c": .integer(3), "e": .integer(4)])
        #expect(map[1].key == "c")
        #expect(map.endIndex == 3)
    }

    @Test func fieldsAreReadByName() throws {
        let headers: HTTPFields = ["X-I": "1", "X-L": "1, 2", "X-D": "a=1"]
        #expect(try headers.structuredItem("X-I")?.value == .integer(1))
        #expect(try headers.structuredItem("X-N") == nil)
        #expect(try headers.structuredList("X-L").members.count == 2)
        #expect(try headers.structuredList("X-N").members.isEmpty)
        #expect(try headers.structuredDictionary("X-D")["a"]?.item?.value == .integer(1))
        #expect(try headers.structuredDictionary("X-N").isEmpty)
    }
}

@Suite struct Base64Tests {
    @Test(
        arguments: [
            ([], ""), ([0], "AA=="), ([0, 0], "AAA="), ([0, 0, 0], "AAAA"), ([255], "/w=="),
            ([255, 255, 255, 255], "/////w=="), ([0x4d, 0x61, 0x6e], "TWFu"), ([251, 239, 190], "++++"),
            ([1, 2, 3, 4, 5], "AQIDBAU="),
        ] as [([UInt8], String)])
    func bytesAreWrittenAndRead(_ bytes: [UInt8], _ text: String) {
        #expect(Base64.encode(Bytes(bytes)) == text)
        #expect((try? Base64.decode(Array(text.utf8)[...]).get()) == Bytes(bytes))
        let bare = text.prefix { $0 != "=" }
        #expect((try? Base64.decode(Array(bare.utf8)[...]).get()) == Bytes(bytes), "without padding")
    }

    @Test(
        arguments: [
            ("A", 1), ("A=", 1), ("A==", 1), ("AA=", nil), ("AAAA=", 4), ("AAAA==", 4), ("AA===", 2), ("A!AA", 1),
            ("AAAAA", 5), ("=AAA", 0), ("A=AA", 1), ("-A==", 0), ("A_==", 1), ("AAA\n", 3), ("=", 0), ("AA==AA", 2),
        ] as [(String, Int?)])
    func decodingErrorsReportTheirIndex(_ text: String, _ index: Int?) {
        switch Base64.decode(Array(text.utf8)[...]) {
        case .success: #expect(index == nil)
        case .failure(let error): #expect(error.index == index)
        }
        let shifted = Array(("xx" + text).utf8)[2...]
        if case .failure(let error) = Base64.decode(shifted) { #expect(error.index == index.map { $0 + 2 }) }
    }
}
