import NetCore
import NetTesting
import Testing

struct SeededRandomTests {
    @Test func equalSeedsGiveEqualSequences() {
        let (one, two, other) = (SeededRandom(seed: 7), SeededRandom(seed: 7), SeededRandom(seed: 8))
        let numbers = (0..<100).map { _ in one.next() }
        #expect(numbers == (0..<100).map { _ in two.next() })
        #expect(numbers != (0..<100).map { _ in other.next() })
        #expect(Set(numbers).count == 100)
    }

    /// The first outputs of the published algorithms for seed 0.
    @Test func theSequenceIsThatOfXoshiro256() {
        let random = SeededRandom(seed: 0)
        #expect((0..<2).map { _ in random.next() } == [0x99ec_5f36_cb75_f2b4, 0xbf6e_1f78_4956_452a])
    }

    @Test func unitNumbersLieInTheirRange() {
        let random = SeededRandom(seed: 1).netRandom
        let numbers = (0..<1000).map { _ in random.unit() }
        #expect(numbers.allSatisfy { $0 >= 0 && $0 < 1 })
        let mean = numbers.reduce(0, +) / 1000
        #expect(mean > 0.45)
        #expect(mean < 0.55)
    }
}
