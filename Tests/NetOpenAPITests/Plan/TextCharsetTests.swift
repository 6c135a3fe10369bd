import NetCore
import Testing

@testable import NetOpenAPI

/// The generator's knowledge of NetCore, which it doesn't link.
@Suite struct TextCharsetTests {
    private let members: [String: Charset] = [
        "utf8": .utf8, "ascii": .ascii, "latin1": .latin1, "windows1252": .windows1252, "utf16": .utf16,
        "utf16BigEndian": .utf16BigEndian, "utf16LittleEndian": .utf16LittleEndian, "utf32": .utf32,
        "utf32BigEndian": .utf32BigEndian, "utf32LittleEndian": .utf32LittleEndian,
    ]

    @Test func everyNameMeansTheSameThere() {
        #expect(Set(TextCharset.members.values) == Set(members.keys))
        for (name, member) in TextCharset.members { #expect(Charset(name: name) == members[member], "\(name)") }
        #expect(TextCharset(named: "ISO-8859-1")?.member == "latin1")
        #expect(TextCharset(named: "koi8-r") == nil)
    }

    @Test func aListOfMediaTypesIsPartedAtItsCommas() {
        let types = ContentType.list(" image/png,image/jpeg ; q=\"1,2\" ,, text/plain;CharSet = \"latin1\" ")
        #expect(types.map(\.text) == ["image/png", "image/jpeg ; q=\"1,2\"", "text/plain;CharSet = \"latin1\""])
        #expect(types.map(\.charset) == [nil, nil, "latin1"])
    }
}
