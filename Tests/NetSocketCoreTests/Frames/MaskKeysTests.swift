import NetCore
import NetSocketCore
import NetTesting
import Testing

struct MaskKeysTests {
    @Test func theSystemsKeysDiffer() {
        var keys = MaskKeys()
        var seen: Set<UInt32> = []
        for _ in 0..<1000 { seen.insert(keys.next()) }
        // Two equal ones among a thousand come once in eight thousand runs, three pairs never.
        #expect(seen.count > 997)
    }

    @Test func equalSeedsGiveEqualKeys() {
        var first = MaskKeys(SeededRandom(seed: 7).netRandom)
        var second = MaskKeys(SeededRandom(seed: 7).netRandom)
        let third = (0..<200).map { _ in first.next() }
        #expect(third == (0..<200).map { _ in second.next() } && Set(third).count > 190)
    }
}
