import Foundation
import NetCore
import Testing

@testable import NetRecord

@Suite struct RecordJSONTests {
    private func written(_ text: String) -> String { RecordJSON.write(.string(text)) }

    @Test func everyScalarComesBack() throws {
        var text = ""
        for value in (UInt32(0)..<0x3100) {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        for value in [0xfeff, 0xfffd, 0xfffe, 0x1f600, 0x10ffff] as [UInt32] {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        let json = try JSONDocument(Bytes(written(text).utf8), replacesLoneSurrogates: false).node()
        #expect(json.string == text)
        #expect(written("") == "\"\"\n")
    }

    @Test(arguments: [
        ("\u{0}", #"\u0000"#), ("\u{1f}", #"\u001f"#), ("\u{7f}", #"\u007f"#), ("\u{80}", #"\u0080"#),
        ("\u{9f}", #"\u009f"#), ("\u{a0}", "\u{a0}"), ("\u{2027}", "\u{2027}"), ("\u{2028}", #"\u2028"#),
        ("\u{2029}", #"\u2029"#), ("\u{202a}", "\u{202a}"), ("\u{feff}", #"\ufeff"#), ("\u{fefe}", "\u{fefe}"),
        ("\n\r\t\"\\/", #"\n\r\t\"\\/"#), ("é€😀", "é€😀"), ("\u{c2}\u{e2}\u{ef}", "\u{c2}\u{e2}\u{ef}"),
    ])
    func invisibleCharactersAreEscaped(text: String, json: String) {
        #expect(written(text) == "\"\(json)\"\n")
        #expect(written("a\(text)b") == "\"a\(json)b\"\n")
    }
}

@Suite struct BodyTextTests {
    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a\n"]), ("a\n\nb", ["a\n", "\n", "b"]),
            (#"{"a":[1,2],"b":"x,{[y"}"#, [#"{"#, #""a":["#, "1,", "2],", #""b":"x,{[y"}"#]),
            (" [1,2]\n", [" [", "1,", "2]\n"]), (#"["\",",2]"#, ["[", #""\",","#, "2]"]),
            ("{\"a\":1,\n\"b\":2}", ["{\"a\":1,\n", "\"b\":2}"]), ("a,b", ["a,b"]),
        ] as [(String, [String])])
    func linesAreThoseOfADiff(text: String, lines: [String]) {
        #expect(BodyText.lines(Bytes(text.utf8)) == lines)
        #expect(BodyText.lines(Bytes(text.utf8))?.joined() == text)
    }

    @Test(arguments: [[0xff], [0], [0x61, 0x7f], [0x1b], [0xc3]] as [[UInt8]]) func binaryBodiesHaveNoLines(
        bytes: [UInt8]
    ) {
        #expect(BodyText.lines(Bytes(bytes)) == nil)
    }
}
