#if Tools
import Foundation
import Testing

@testable import net_activity

/// The formats of a report's data.
struct ReportDataTests {
    @Test func textsOfAnyCharactersAreReadByAJSONParser() throws {
        let texts = ["", "\"\\/", "\u{0}\u{1f}\n\r\t\u{8}", "\u{2028}\u{2029}\u{7f}", "größe 👩‍👩‍👧", "</script>"]
        var output = JSONOutput()
        output.array(texts) { $0.string($1) }
        let read = try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String]
        #expect(read == texts)
    }

    @Test func absentValuesAreNull() {
        var output = JSONOutput()
        output.array([1, nil, -7] as [Int64?]) { $0.number($1) }
        output.string(nil)
        #expect(String(decoding: output.bytes, as: UTF8.self) == "[1,null,-7]null")
    }

    @Test func bytesBecomePrintableTextThatNoPageReadsAsATag() {
        for count in 0..<60 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 199 &+ count) }
            let text = PrintableCoding.encode(bytes)
            #expect(text.count == (count * 8 + 12) / 13 * 2)
            #expect(text.allSatisfy { (0x21...0x7e).contains($0) && !"<>&".utf8.contains($0) })
            #expect(Self.decoded(text, count: count) == bytes)
        }
    }

    @Test func aTextHasOneNumberAndEqualTextsOfOtherBytesHaveAnother() {
        var texts = ReportTexts()
        #expect(texts.number("a") == 0)
        #expect(texts.number(nil) == nil)
        #expect(texts.number("b") == 1)
        #expect(texts.number("a") == 0)
        #expect(texts.number("é") == 2)
        #expect(texts.number("e\u{301}") == 3)
        #expect(texts.all.map { Array($0.utf8) } == ["a", "b", "é", "e\u{301}"].map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("<redacted>", 1), ("a <redacted><redacted", 1), ("<redacted><redacted>", 2), ("", 0), ("<<redacted>>", 1),
    ])
    func hiddenValuesAreCounted(text: String, count: Int) {
        #expect(text.occurrences(of: "<redacted>") == count)
    }

    /// Decodes the data like the page.
    private static func decoded(_ text: [UInt8], count: Int) -> [UInt8] {
        let alphabet = (UInt8(0x21)...0x7e).filter { !"<>&".utf8.contains($0) }
        var (bits, size) = (0, 0)
        var bytes: [UInt8] = []
        for pair in stride(from: 0, to: text.count, by: 2) {
            let values = text[pair..<pair + 2].map { alphabet.firstIndex(of: $0) ?? 0 }
            bits |= (values[0] * 91 + values[1]) << size
            size += 13
            while size >= 8, bytes.count < count {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                size -= 8
            }
        }
        return bytes
    }
}
#endif
