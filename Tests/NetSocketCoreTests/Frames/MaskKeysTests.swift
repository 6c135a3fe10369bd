import NetCore
import NetSocketCore
import NetTesting
import Testing

struct MaskKeysTests {
    @Test func theSystemsKeysDiffer() {
        var keys = MaskKeys()
        var seen: Set<UInt32> = []
        for _ in 0..<1000 { seen.insert(keys.next()) }
        // One pair of equal keys among a thousand occurs once in eight thousand runs, three pairs never.
        #expect(seen.count > 997)
    }

    @Test func equalSeedsGiveEqualKeys() {
        var first = MaskKeys(SeededRandom(seed: 7).netRandom)
        var second = MaskKeys(SeededRandom(seed: 7).netRandom)
        let third = (0..<200).map { _ in first.next() }
        #expect(third == (0..<200).map { _ in second.next() })
        #expect(Set(third).count > 190)
    }

    @Test func theKeysAreTheBytesOfTheSourceInTheirOrder() {
        let (source, same) = (SeededRandom(seed: 9).netRandom, SeededRandom(seed: 9).netRandom)
        var keys = MaskKeys(source)
        var bytes = [UInt8](repeating: 0, count: 3 * 256)
        bytes.withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: 768, by: 256) {
                same.fill(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + 256)]))
            }
        }
        for start in stride(from: 0, to: 768, by: 4) {
            let key = bytes[start..<(start + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(keys.next() == key.littleEndian)
        }
    }
}
