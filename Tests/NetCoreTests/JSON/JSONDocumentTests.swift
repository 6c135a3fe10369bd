import Foundation
import NetCore
import Testing

/// Parsing follows RFC 8259.
@Suite struct JSONDocumentTests {
    private func value(_ bytes: some Collection<UInt8>) throws -> JSONValue {
        try JSONCoding.standard.decode(JSONValue.self, from: Bytes(bytes))
    }

    private func problem(_ bytes: some Collection<UInt8>) -> UnreadableJSON? {
        do {
            _ = try value(bytes)
            return nil
        } catch {
            guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError else { return nil }
            return context.underlyingError as? UnreadableJSON
        }
    }

    @Test(
        arguments: [
            ("1", 1), ("-0", 0), ("1.0", 1), ("1e2", 100), ("1E+2", 100), ("100e-2", 1), ("0e999999999999999999999", 0),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .unsigned(1 << 63)), ("0.1", 0.1),
            ("18446744073709551616", .decimal(Decimal(UInt64.max) + 1)), ("1e23", 1e23),
            ("5e-324", .number(.leastNonzeroMagnitude)),
            ("0.30000000000000004", 0.30000000000000004),
            ("123456789012345678.25", .decimal(Decimal(string: "123456789012345678.25") ?? 0)), (" \t\r\n[ ] ", []),
            ("{ }", [:]),
            (#""\u0041\ud83d\ude00\/\b\f\n\r\t\\\"""#, "A😀/\u{8}\u{c}\n\r\t\\\""),
            ("\"\u{7f}\u{2028}\"", "\u{7f}\u{2028}"),
            (#"{"a":1,"\u0061":2,"b":{"a":[null,true,false]}}"#, ["a": 1, "b": ["a": [nil, true, false]]]),
        ] as [(String, JSONValue)])
    func validJSONIsRead(_ text: String, _ expected: JSONValue) throws {
        #expect(try value(text.utf8) == expected)
        #expect(try value([0xef, 0xbb, 0xbf] + Array(text.utf8)) == expected)
    }

    @Test(arguments: [
        ("", 0), (" ", 1), ("[", 1), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("[1]]", 3),
        ("]", 0),
        ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{a:1}", 1), ("{1:1}", 1), ("{\"a\":1]", 6), ("01", 0),
        ("[-01]", 1),
        ("1.", 2),
        (".5", 0), ("+1", 0), ("1e", 2), ("1e+", 3), ("-", 1), ("[-]", 1), ("[1.]", 1), ("0x10", 1), ("NaN", 0),
        ("Infinity", 0),
        ("-Infinity", 0), ("nul", 3), ("[nulx]", 4), ("True", 0), ("'a'", 0), ("\"a", 2), ("\"\\x\"", 2),
        ("\"\\u12g4\"", 5),
        ("\"a\nb\"", 2), ("\"\u{0}\"", 1), ("// a\n1", 0), ("1 /* a */", 2), ("\u{a0}1", 0), ("[1]x", 3),
    ])
    func malformedJSONIsReportedWithItsOffset(_ text: String, _ offset: Int) {
        let problem = problem(text.utf8)
        #expect(problem?.reason == .malformed, "\(String(describing: problem))")
        #expect(problem?.byteOffset == offset, "\(String(describing: problem))")
    }

    @Test(arguments: [
        #""\ud83d""#, #""\ude00""#, #""\ud83d\ud83d""#, #""\ud83dA""#, #"{"\udfff":1}"#, #"["\ude00\ud83d"]"#,
    ])
    func halfOfASurrogatePairIsAnError(_ text: String) {
        #expect(problem(text.utf8)?.reason == .encoding)
    }

    @Test(
        arguments: [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0x80]] as [[UInt8]])
    func invalidUTF8IsAnErrorWhereItIsRead(_ bytes: [UInt8]) throws {
        #expect(problem([0x22] + bytes + [0x22])?.reason == .encoding)
        struct Part: Decodable { let a: Int }
        let whole = Array("{\"b\":\"".utf8) + bytes + Array("\",\"a\":1}".utf8)
        #expect(try JSONCoding.standard.decode(Part.self, from: Bytes(whole)).a == 1)
    }

    @Test(arguments: ["1e400", "-1e309", "[1e99999999999999999999]", String(repeating: "9", count: 400)])
    func aNumberThatNoTypeHoldsIsAnError(_ text: String) {
        let error = #expect(throws: DecodingError.self) { try value(text.utf8) }
        #expect(error.map { "\($0)" }?.contains("does not fit its type") == true)
        #expect(error.map { "\($0)" }?.contains("99") == false)
    }

    @Test func aNumberNextToZeroIsZeroWhereTheTypeIsOpen() throws {
        #expect(try value("1e-400".utf8) == .number(0))
        #expect(throws: DecodingError.self) { try JSONCoding.standard.decode(Double.self, from: Bytes("1e-400".utf8)) }
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ])
    func otherEncodingsAreRecognized(_ encoding: String.Encoding) throws {
        for text in ["7", "[]", "\"é\"", "{\"a\":[\"😀\"]}"] {
            let data = try #require(text.data(using: encoding))
            #expect(try value(data) == value(text.utf8), "\(text)")
            #expect(text == "7" || problem(data.dropLast()) != nil, "\(text)")
        }
        #expect(problem([0x5b, 0x00, 0x22, 0x00, 0x3d, 0xd8, 0x22, 0x00, 0x5d, 0x00])?.reason == .encoding)
    }

    @Test func everyCutOfADocumentIsAnErrorAtItsEnd() {
        let text = Array(#"{"a":[1.5e-3,"\u00e9\n",true,null,{"b":-0.25}]}"#.utf8)
        for count in 0..<text.count {
            let problem = problem(text[..<count])
            #expect(problem?.reason == .malformed, "\(count)")
            #expect(problem?.byteOffset == count, "\(count)")
        }
    }
}
