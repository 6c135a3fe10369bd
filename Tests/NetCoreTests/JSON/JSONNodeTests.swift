import Testing

@testable import NetCore

@Suite struct JSONNodeTests {
    private func node(_ text: String) throws -> JSONNode { try JSONDocument(Bytes(text.utf8)).node() }

    private func place(_ node: JSONNode?) -> String? { node.map { "\($0.position.line):\($0.position.column)" } }

    @Test func everyNodeKnowsItsPlace() throws {
        let root = try node("\n {\"a\" : [1,\n\"x\", {\"b\":true}],\n\n  \"c\":null, \"d\":false}")
        #expect(place(root) == "2:2")
        #expect(root.place.isEmpty)
        #expect(root.kindName == "an object")
        let list = try #require(root["a"])
        #expect(place(list) == "2:9")
        #expect(list.place == "a")
        #expect(list.array?.count == 3)
        #expect(list.kindName == "a list")
        #expect(list.array?.map { place($0) } == ["2:10", "3:1", "3:6"])
        #expect(list.array?.map(\.place) == ["a[0]", "a[1]", "a[2]"])
        #expect(list.array?[0].number == 1)
        #expect(list.array?[1].string == "x")
        #expect(list.array?[0].kindName == "a number")
        let flag = try #require(list.array?[2]["b"])
        #expect(place(flag) == "3:11")
        #expect(flag.place == "a[2].b")
        #expect(flag.bool == true)
        #expect(flag.kindName == "true or false")
        #expect(root.members?.map(\.name) == ["a", "c", "d"])
        #expect(root.members?.map { "\($0.position.line):\($0.position.column)" } == ["2:3", "5:3", "5:13"])
        #expect(root["c"] == nil, "null counts as missing")
        #expect(root["x"] == nil, "null counts as missing")
        #expect(root["d"]?.bool == false, "null counts as missing")
        #expect(root.members?[1].value.kindName == "null")
        #expect(list.array?[1].kindName == "text")
        #expect(root.string == nil)
        #expect(root.number == nil)
        #expect(root.bool == nil)
        #expect(root.array == nil)
        #expect(flag.members == nil)
        #expect(list["a"] == nil)
    }

    @Test func aMarkAtTheStartIsNoColumn() throws {
        let root = try JSONDocument(Bytes([0xef, 0xbb, 0xbf] + Array("[1,\n2]".utf8))).node()
        #expect(root.array.map { $0.map { place($0) } } == ["1:5", "2:1"])
    }

    @Test func aNumberThatIsTooLargeIsToldWithItsPlace() {
        let error = #expect(throws: UnreadableJSON.self) { try node("[1,{\"a\":[1e400]}]") }
        #expect(error?.place == "[1].a[0]")
        #expect(error?.byteOffset == 9)
        #expect(error?.reason == .malformed)
        #expect(error?.problem == "this JSON value cannot be read: the number is too large")
        let marked = #expect(throws: UnreadableJSON.self) {
            try JSONDocument(Bytes([0xef, 0xbb, 0xbf] + Array("1e400".utf8))).node()
        }
        #expect(marked?.byteOffset == 3)
        #expect((try? node("1e-400"))?.number == 0)
    }

    @Test(
        arguments: [(0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 1), (4, 3, 1), (5, 3, 2), (99, 3, 2)] as [(Int, Int, Int)])
    func anOffsetIsALineAndAColumn(_ offset: Int, _ line: Int, _ column: Int) {
        let position = JSONNode.Position(of: offset, in: Array("ab\n\nc".utf8))
        #expect(position.line == line)
        #expect(position.column == column)
    }

    @Test(
        arguments: [
            ("[1,2", "[1]", 4, "the text ends unexpectedly"),
            ("[1 2]", "[0]", 3, "a comma or a closing bracket is missing after it"),
            ("{\"a\":1 2}", "a", 7, "a comma or a closing brace is missing after it"),
            ("{1}", "", 1, "a name in quotation marks is missing"),
            ("{\"a\":1,2}", "", 7, "a name in quotation marks is missing"),
            ("{\"a\" 1}", "a", 5, "a colon is missing after the name"),
            ("{\"a\":{\"b\":[0,x]}}", "a.b[1]", 13, "this isn't a valid JSON value"),
            ("{\"\\u0061\":x}", "a", 10, "this isn't a valid JSON value"),
            ("[\"a\n\"]", "[0]", 3, "the text has no closing quotation mark on its line"),
            ("[\"\\x\"]", "[0]", 3, "invalid escape sequence"),
            ("[\"\\u12\"]", "[0]", 6, "four hexadecimal digits must follow \\u"),
            ("1 2", "", 2, "unexpected text after the end of the document"),
            ("[trux]", "[0]", 4, "this isn't a valid JSON value"), ("[1.x]", "[0]", 1, "this isn't a valid JSON value"),
            ("[1e+x]", "[0]", 1, "this isn't a valid JSON value"),
            ("[[],[1,]]", "[1][1]", 7, "this isn't a valid JSON value"),
            ("{\"\\ud800\":x}", "\u{fffd}", 10, "this isn't a valid JSON value"),
        ] as [(String, String, Int, String)])
    func aProblemHasAPlace(_ text: String, _ place: String, _ offset: Int, _ problem: String) {
        let error = #expect(throws: UnreadableJSON.self) { try JSONDocument(Bytes(text.utf8)) }
        #expect(error?.place == place, "\(text)")
        #expect(error?.byteOffset == offset, "\(text)")
        #expect(error?.problem == problem, "\(text)")
        let marked = #expect(throws: UnreadableJSON.self) {
            try JSONDocument(Bytes([0xef, 0xbb, 0xbf] + Array(text.utf8)))
        }
        #expect(marked?.byteOffset == offset + 3)
        #expect(marked?.place == place)
    }

    @Test func errorsAreDescribed() {
        let error = #expect(throws: UnreadableJSON.self) { try JSONDocument(Bytes("x".utf8)) }
        #expect(error?.description == "it is not valid JSON: this isn't a valid JSON value (byte 0)")
        let deep = String(repeating: "[", count: 513)
        let tooDeep = #expect(throws: UnreadableJSON.self) { try JSONDocument(Bytes(deep.utf8)) }
        #expect(tooDeep?.description == "arrays and objects nest deeper than 512 levels (byte 512)")
        #expect(tooDeep?.reason == .tooDeep)
        #expect(tooDeep?.problem == "it is nested too deeply")
        #expect(tooDeep?.place == String(repeating: "[0]", count: 512))
        let text = #expect(throws: UnreadableJSON.self) { try JSONDocument(Bytes([0x22, 0xff, 0x22])).value() }
        #expect(text?.problem == "the text is not valid UTF-8")
        #expect(text?.byteOffset == 1)
        let escape = #expect(throws: UnreadableJSON.self) { try JSONDocument(Bytes(#"["\ud800"]"#.utf8)).value() }
        #expect(escape?.problem == "the text has invalid UTF-8 or half of a surrogate pair")
        #expect(escape?.byteOffset == 2)
        let wide = #expect(throws: UnreadableJSON.self) { try JSONDocument(Bytes([0x5b, 0, 0, 0xd8, 0x5d, 0])) }
        #expect(wide?.problem == "the text is not valid UTF-16")
        #expect(wide?.reason == .encoding)
        let wider = #expect(throws: UnreadableJSON.self) { try JSONDocument(Bytes([0, 0, 0, 0x5b, 0xff, 0, 0, 0])) }
        #expect(wider?.problem == "the text is not valid UTF-32")
    }
}

@Suite struct JSONTextTests {
    private func unescaped(_ text: String, replacing: Bool = false, hasEscapes: Bool = true) -> String? {
        Array(text.utf8).withUnsafeBufferPointer {
            JSONText.unescaped($0, hasEscapes: hasEscapes, replacesLoneSurrogates: replacing)
        }
    }

    @Test(
        arguments: [
            (#"\b\f\n\r\t\/\\\""#, "\u{8}\u{c}\n\r\t/\\\""), (#"\u0041\u00e9\u20AC"#, "Aé€"), (#"\ud83d\ude00!"#, "😀!"),
            (#"\uD800\uDC00\udbff\udfff"#, "\u{10000}\u{10ffff}"),
            (#"a\"#, #"a\"#), (#"\u00"#, "\0"), (#"\u0041b"#, "Ab"), ("é", "é"), (#"\ud83d"#, nil), (#"\ude00"#, nil),
            (#"\ud83d\u0041"#, nil), (#"\ud83dx\ude00"#, nil), (#"\ud83d\n"#, nil),
            (#"\ud83d\ude0"#, nil), (#"\ud7ff\ue000"#, "\u{d7ff}\u{e000}"), (#"\udc00\ud800"#, nil),
        ] as [(String, String?)])
    func escapesAreReplaced(_ text: String, _ expected: String?) {
        #expect(unescaped(text) == expected)
        if expected != nil { #expect(unescaped(text, replacing: true) == expected) }
        #expect(unescaped(text, hasEscapes: false) == text)
    }

    @Test(
        arguments: [
            (#"\ud83d"#, "\u{fffd}"), (#"a\ude00b"#, "a\u{fffd}b"), (#"\ud83d\ud83d\ude00"#, "\u{fffd}😀"),
            (#"\ud83d\u0041"#, "\u{fffd}A"), (#"\ud83d\n"#, "\u{fffd}\n"),
        ] as [(String, String)])
    func loneSurrogatesAreReplacedWhereThatIsWanted(_ text: String, _ expected: String) {
        #expect(unescaped(text, replacing: true) == expected)
    }

    @Test func digitsAreHexadecimal() {
        for byte in UInt8.min ... .max {
            let expected = byte < 128 ? Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } : nil
            #expect(JSONText.hexadecimal(byte) == expected, "\(byte)")
        }
    }

    @Test(
        arguments: [
            ("a_b", "aB"), ("_a_b_", "_aB_"), ("__ab__", "__ab__"), ("a", "a"), ("a__b", "aB"), ("_", "_"), ("", ""),
            ("aB_c", "abC"), ("a_bC", "aBc"), ("a_b_cd", "aBCd"), ("__a_b", "__aB"),
        ] as [(String, String)])
    func namesWithUnderscoresBecomeCamelCase(_ name: String, _ expected: String) {
        #expect(SnakeCase.camelCase(name) == expected)
    }

    @Test(
        arguments: [
            ([], false), ([0x5b], false), ([0x5b, 0x5d], true), ([0xfe, 0xff, 0, 0x37], true),
            ([0xff, 0xfe, 0x37, 0], true), ([0, 0, 0xfe, 0xff, 0, 0, 0, 0x37], true),
            ([0xff, 0xfe, 0, 0, 0x37, 0, 0, 0], true), ([0, 0x37], true), ([0x37, 0], true),
            ([0, 0x5b, 0, 0x5d], true), ([0x5b, 0, 0x5d, 0], true), ([0, 0, 0, 0x37], true), ([0x37, 0, 0, 0], true),
            ([0xef, 0xbb, 0xbf, 0x37], true), ([0xef, 0xbb, 0xbf], false), ([0xef, 0xbb, 0x37], false),
            ([0, 0x37, 0], false), ([0x37, 0, 0x20], false), ([0xfe, 0xff], false), ([0xff, 0xfe, 0x37], false),
            ([0xee, 0x37], false), ([0, 0x37, 0x37], false),
        ] as [([UInt8], Bool)])
    func theEncodingIsFoundOut(_ bytes: [UInt8], _ isRead: Bool) {
        let document = try? JSONDocument(Bytes(bytes))
        #expect((document != nil) == isRead)
        #expect(document?.markLength == (isRead && bytes.starts(with: [0xef]) ? 3 : isRead ? 0 : nil))
    }
}

@Suite struct JSONNumberTests {
    private func number(_ text: String) -> JSONNumber {
        Array(text.utf8).withUnsafeBufferPointer { JSONNumber($0) }
    }

    @Test(
        arguments: [
            ("0", 0, 0, 0, false), ("-0", 0, 0, 0, true), ("7", 7, 1, 0, false), ("70", 7, 1, 1, false),
            ("-700", 7, 1, 2, true), ("707", 707, 3, 0, false), ("0.5", 5, 1, -1, false), ("0.050", 5, 1, -2, false),
            ("1.50", 15, 2, -1, false), ("1e5", 1, 1, 5, false), ("1E+5", 1, 1, 5, false), ("12e-5", 12, 2, -5, false),
            ("0e9", 0, 0, 0, false), ("0.0", 0, 0, 0, false), ("10.01e2", 1001, 4, 0, false),
            ("100e-2", 1, 1, 0, false),
        ] as [(String, Int, Int, Int, Bool)])
    func digitsAndExponentAreReadApart(_ text: String, _ digits: Int, _ count: Int, _ exponent: Int, _ isNegative: Bool)
    {
        let number = number(text)
        #expect(number.digits == UInt128(digits))
        #expect(number.digitCount == count)
        #expect(number.exponent == exponent)
        #expect(number.isNegative == isNegative)
    }

    @Test(
        arguments: [
            ("0", 0), ("7e2", 700), ("70.0", 70), ("7.5", nil),
            ("340282366920938463463374607431768211455", UInt128.max), ("340282366920938463463374607431768211456", nil),
            ("1e38", 100_000_000_000_000_000_000_000_000_000_000_000_000),
            ("1e39", nil), ("4e38", nil), ("1e99999999999999999999", nil),
            ("34028236692093846346337460743176821146e1", nil), ("3402823669209384634633746074317682114560000", nil),
            ("100000000000000000000000000000000000000000000000000000000000000000000000000000000001", nil),
        ] as [(String, UInt128?)])
    func wholeNumbersHaveAMagnitude(_ text: String, _ magnitude: UInt128?) {
        #expect(number(text).wholeMagnitude == magnitude)
    }

    @Test func shortAndTinyNumbersAreToldFromOthers() {
        #expect(number("123456789012345").isShort)
        #expect(!number("1234567890123456").isShort)
        #expect(number("0.1").isShort)
        #expect(!number("1e-400").isShort)
        #expect(number("1e-300").isShort == true)
        #expect(number("1e-301").isShort == false)
        #expect(!number("1").isTiny)
        #expect(!number("0.1").isTiny)
        #expect(number("0.01").isTiny)
        #expect(number("1e-400").isTiny)
        #expect(number("1.50").hasDigits(of: number("15e-1")))
        #expect(!number("1.5").hasDigits(of: number("1.6")))
        #expect(!number("15").hasDigits(of: number("1.5")))
        #expect(!number("105").hasDigits(of: number("15")))
    }

    @Test(
        arguments: [
            ("0.1", 0.1), ("1e22", 1e22), ("1e23", 1e23), ("1e-22", 1e-22), ("1e-23", 1e-23),
            ("999999999999999e22", 999999999999999e22), ("9007199254740993", 9_007_199_254_740_992), ("-2.5", -2.5),
            ("0", 0), ("1e308", 1e308),
            ("1e309", nil), ("1e-400", nil), ("0e-400", 0), ("123456789012345e-22", 123456789012345e-22),
            ("1234567890123456789e-5", 1234567890123456789e-5), ("100000000000000000000000", 1e23),
        ] as [(String, Double?)])
    func theNearestDoubleIsRead(_ text: String, _ expected: Double?) {
        let read = Array(text.utf8).withUnsafeBufferPointer { JSONNumber($0).double($0) }
        #expect(read == expected)
    }

    @Test(
        arguments: [
            ("9223372036854775807", JSONValue.integer(.max)), ("9223372036854775808", .unsigned(1 << 63)),
            ("-9223372036854775808", .integer(.min)), ("1e3", .integer(1000)), ("1.0", .integer(1)),
            ("999999999999999999", .integer(999_999_999_999_999_999)),
            ("-999999999999999999", .integer(-999_999_999_999_999_999)), ("1.5", .number(1.5)), ("-0.0", .integer(0)),
            ("-1e-400", .number(-0.0)),
            ("1e-400", .number(0)), ("1e30", .number(1e30)), ("18446744073709551615", .unsigned(.max)),
        ] as [(String, JSONValue)])
    func anOpenNumberLosesNothing(_ text: String, _ expected: JSONValue) throws {
        #expect(try JSONDocument(Bytes(text.utf8)).value() == expected)
    }

    @Test func wholeNumbersAreReadIntoTypesThatHoldThem() throws {
        func integer<Value: FixedWidthInteger>(_ text: String, _ type: Value.Type) throws -> Value? {
            try JSONDocument(Bytes(text.utf8)).integer(at: 0, type)
        }
        #expect(try integer("255", UInt8.self) == 255)
        #expect(try integer("256", UInt8.self) == nil)
        #expect(try integer("-1", UInt8.self) == nil)
        #expect(try integer("-128", Int8.self) == -128)
        #expect(try integer("-129", Int8.self) == nil)
        #expect(try integer("170141183460469231731687303715884105727", Int128.self) == .max)
        #expect(try integer("-170141183460469231731687303715884105728", Int128.self) == .min)
        #expect(try integer("-170141183460469231731687303715884105729", Int128.self) == nil)
        #expect(try integer("340282366920938463463374607431768211455", UInt128.self) == .max)
        #expect(try integer("1.00000000000000000001", Int.self) == 1)
        #expect(try integer("1.5", Int.self) == nil)
        #expect(try integer("9007199254740991.0000000000000000000001", Int.self) == 9_007_199_254_740_991)
        #expect(try integer("9007199254740992.00000000000000000000000001", Int.self) == nil)
        #expect(try integer("1e18", Int.self) == 1_000_000_000_000_000_000)
        #expect(try integer("1e19", Int.self) == nil)
    }
}
