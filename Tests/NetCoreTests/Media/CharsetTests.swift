import NetCore
import TestSupport
import Testing

@Suite struct CharsetTests {
    private static let python = """
        import json, sys
        text, names = json.load(sys.stdin)
        print(json.dumps([list(text.encode(name)) for name in names]))
        """

    @Test func pythonAndThisAgree() async throws {
        let names = ["utf-8", "iso-8859-1", "utf-16be", "utf-16le", "utf-32be", "utf-32le"]
        struct Input: Encodable {
            let text: String, names: [String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(text)
                try container.encode(names)
            }
        }
        let encoded = try await Tool.python(
            Self.python, Input(text: "caf\u{e9} \u{ff}", names: names), as: [[UInt8]].self)
        for (name, bytes) in zip(names, encoded) {
            let charset = try #require(Charset(name: name.uppercased()))
            #expect(charset.decode(Bytes(bytes)) == "caf\u{e9} \u{ff}", "\(name)")
            #expect(charset.encode("caf\u{e9} \u{ff}") == Bytes(bytes), "\(name)")
        }
        let windows = try await Tool.python(
            Self.python, Input(text: "€ „x“ – Ÿ", names: ["windows-1252"]), as: [[UInt8]].self)
        #expect(Charset.windows1252.encode("€ „x“ – Ÿ").map(Array.init) == windows.first)
        #expect(Charset.windows1252.decode(Bytes(windows[0])) == "€ „x“ – Ÿ")
    }

    @Test(
        "A charset is known by all its names of IANA's registry, in any case",
        arguments: [
            (
                Charset.ascii,
                ["ANSI_X3.4-1968", "ANSI_X3.4-1986", "ISO_646.irv:1991", "iso-ir-6", "us", "IBM367", "cp367"]
            ),
            (.ascii, ["csASCII", "ISO646-US"]), (.utf8, ["csUTF8"]), (.windows1252, ["cswindows1252"]),
            (.latin1, ["ISO_8859-1:1987", "iso-ir-100", "IBM819", "CP819", "csISOLatin1", "l1"]),
            (.utf16, ["csUTF16"]), (.utf16BigEndian, ["csUTF16BE"]), (.utf16LittleEndian, ["csUTF16LE"]),
            (.utf32, ["csUTF32"]), (.utf32BigEndian, ["csUTF32BE"]), (.utf32LittleEndian, ["csUTF32LE"]),
        ])
    func aliases(charset: Charset, names: [String]) {
        for name in names { #expect(Charset(name: name) == charset, "\(name)") }
    }

    @Test func aMarkTellsTheOrderAndIsNoPartOfTheText() {
        #expect(Charset.utf16.decode(Bytes([0xff, 0xfe, 0x61, 0])) == "a")
        #expect(Charset.utf16.decode(Bytes([0xfe, 0xff, 0, 0x61])) == "a")
        #expect(Charset.utf16.decode(Bytes([0, 0x61])) == "a")
        #expect(Charset.utf32.decode(Bytes([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])) == "a")
        #expect(Charset.utf8.decode(Bytes([0xef, 0xbb, 0xbf, 0x61])) == "a")
        #expect(Charset.utf16.encode("a") == Bytes([0xfe, 0xff, 0, 0x61]))
        #expect(Charset.utf16.decode(Bytes()) == "")
    }

    @Test func invalidTextIsNeitherDecodedNorEncoded() {
        #expect(Charset.utf8.decode(Bytes([0xff])) == nil)
        #expect(Charset.ascii.decode(Bytes([0x80])) == nil)
        #expect(Charset.utf16.decode(Bytes([0x61])) == nil)
        #expect(Charset.utf16BigEndian.decode(Bytes([0xd8, 0, 0, 0x61])) == nil)
        #expect(Charset.utf32BigEndian.decode(Bytes([0, 0x11, 0, 0])) == nil)
        #expect(Charset.ascii.encode("é") == nil)
        #expect(Charset.latin1.encode("€") == nil)
        #expect(Charset.windows1252.encode("\u{2603}") == nil)
        #expect(Charset(name: "ebcdic") == nil)
    }

    @Test func everyByteOfASingleByteCharsetComesBack() {
        let all = Bytes(UInt8.min...UInt8.max)
        for charset in [Charset.latin1, .windows1252] {
            #expect(charset.decode(all).flatMap(charset.encode) == all)
        }
    }
}
