import Testing

@testable import NetOpenAPI

@Test(
    "Wide encodings are named",
    arguments: [
        ([0xFF, 0xFE, 0x7B, 0x00], "UTF-16"), ([0xFE, 0xFF, 0x00, 0x7B], "UTF-16"),
        ([0x7B, 0x00, 0x7D, 0x00], "UTF-16"), ([0x00, 0x7B, 0x00, 0x7D], "UTF-16"),
        ([0xFF, 0xFE, 0x00, 0x00], "UTF-32"), ([0x00, 0x00, 0xFE, 0xFF], "UTF-32"),
        ([0x7B, 0x00, 0x00, 0x00], "UTF-32"), ([0x00, 0x00, 0x00, 0x7B], "UTF-32"),
    ] as [([UInt8], String)])
func wideEncodingsAreNamed(_ bytes: [UInt8], _ encoding: String) {
    #expect(loadError(bytes)?.message == "the document is in \(encoding); save it as UTF-8")
}

@Test("A NUL byte makes a file binary, and is told with its place")
func binaryFile() {
    let error = loadError("a: 1\nb: é\u{0}".bytes)
    #expect(error?.message.hasPrefix("the file is binary: byte 11 is NUL") == true)
    #expect(error?.position == SourcePosition(file: "t.yaml", line: 2, column: 5))
}

@Test(
    "Broken UTF-8 is told with its byte",
    arguments: [
        [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0x80, 0x80],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
        [0xE2, 0x28, 0xA1],
    ] as [[UInt8]])
func brokenUTF8(_ bytes: [UInt8]) throws {
    let error = try #require(loadError("a: 1\n".bytes + bytes))
    #expect(error.message.contains("is not UTF-8: byte 6 is 0x\(String(bytes[0], radix: 16, uppercase: true))"))
    #expect(error.position?.line == 2)
}

@Test("All lengths of UTF-8 characters are accepted")
func allCharacterLengths() throws {
    #expect(try yaml("k: ~é\u{800}€\u{FFFD}😀\u{10FFFD}").members.count == 1)
}
