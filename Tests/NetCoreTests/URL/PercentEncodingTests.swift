import NetCore
import NetTesting
import TestSupport
import Testing

@Suite struct PercentEncodingTests {
    @Test func decodingUndoesEncoding() {
        let random = SeededRandom(seed: 4)
        for _ in 0..<500 {
            let text = Samples.text(random, length: 20)
            #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
        }
    }

    @Test("Invalid percent escapes are left unchanged", arguments: ["%", "%4", "a%", "%zz", "%4g", "%%", "100%"])
    func strayPercent(text: String) {
        #expect(PercentEncoding.decode(text) == text)
    }

    @Test func aPlusIsASpaceOnlyInForms() {
        #expect(PercentEncoding.decode("a+b%2B") == "a+b+")
        #expect(PercentEncoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
    }

    @Test func anySequenceOfBytesIsDecodedWithoutATrap() {
        let random = SeededRandom(seed: 5)
        let alphabet = Array("%%%09afAFg+ ".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<Int(random.next() % 8)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            _ = PercentEncoding.decode(String(decoding: bytes, as: UTF8.self), plusIsSpace: true)
        }
        #expect(PercentEncoding.decode("%FF%fe") == "\u{fffd}\u{fffd}")
    }

    @Test func reservedEncodingKeepsEscapesAndEscapesAStrayPercentSign() {
        #expect(PercentEncoding.encode("/a%41%4 %", allowing: .reserved) == "/a%41%254%20%25")
        #expect(PercentEncoding.encode("a/b:c@d%41?#[%", allowing: .path) == "a/b:c@d%41%3F%23%5B%25")
    }
}
