import NetCore
import Testing

@testable import NetSocketCore

/// Hand-written JSON.
struct JSONTextTests {
    @Test func stringsAreEscapedWhereTheyMustBe() throws {
        for (text, json) in [
            ("", "\"\""), ("a b/ä😀\u{7F}", "\"a b/ä😀\u{7F}\""), ("\"", "\"\\\"\""), ("\\", "\"\\\\\""),
            ("\u{0}", "\"\\u0000\""), ("\n", "\"\\u000a\""), ("\u{1F} x", "\"\\u001f x\""),
            ("a\u{10}ä\"", "\"a\\u0010ä\\\"\""),
            (" ", "\" \""), ("!", "\"!\""),
        ] {
            var written = ""
            written.appendJSON(text)
            #expect(written == json)
            #expect(try JSONSlice(written).string == text)
        }
    }

    @Test func everyCharacterIsReadAgain() throws {
        let text = String(String.UnicodeScalarView((0...0x17F).compactMap(Unicode.Scalar.init)))
        var written = "x"
        written.appendJSON(text)
        #expect(try SocketPayload(json: String(written.dropFirst())).decoded(as: String.self) == text)
    }

    @Test func membersAreSeparatedByCommas() {
        var text = "{"
        text.appendMember("a", "x\"")
        text.appendName("b")
        text += "{"
        text.appendName("c")
        text += "1}"
        text.appendMember("d", number: .max)
        text.appendMember("e", json: "[]")
        #expect(text == #"{"a":"x\"","b":{"c":1},"d":18446744073709551615,"e":[]"#)
    }

    @Test func lineEndsBecomeSpaces() throws {
        for (text, line) in [("a b", "a b"), ("a\nb", "a b"), ("a\rb", "a b"), ("\r\n", "  "), ("ä\n", "ä "), ("", "")]
        {
            #expect(text.onOneLine == line)
        }
        var text = "{"
        try text.appendPayload("a", nil)
        #expect(text == "{")
        try text.appendPayload("a", SocketPayload(json: "[1,\n2]"))
        #expect(text == "{\"a\":[1, 2]")
        let bytes = SocketPayload(bytes: Bytes([1]))
        let error = #expect(throws: NetError.self) { try text.appendPayload("b", bytes) }
        #expect(error?.code == .unsupported)
    }
}
