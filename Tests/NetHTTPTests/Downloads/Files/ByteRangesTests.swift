import Foundation
import NetCore
import Testing

@testable import NetHTTP

@Suite struct ByteRangesTests {
    /// A set of numbers has the same behavior as ranges, but is slow.
    @Test func rangesAreASetOfBytes() {
        var random = SmallRandom(seed: 1)
        for _ in 0..<300 {
            var (ranges, model) = (ByteRanges(), Set<Int64>())
            for _ in 0..<12 {
                let start = Int64(random.below(60))
                let range = start..<(start + Int64(random.below(12)))
                if random.chance(10) {
                    ranges.removeAll(from: start)
                    model = model.filter { $0 < start }
                } else {
                    ranges.insert(range)
                    model.formUnion(range)
                }
                #expect(isEqual(ranges, model))
                let asked = Int64(random.below(60))..<Int64(60 + random.below(10))
                #expect(ranges.contains(range) == model.isSuperset(of: range))
                #expect(ranges.contains(asked) == model.isSuperset(of: asked))
                let length = Int64(random.below(80))
                let missing = ranges.gaps(upTo: length).flatMap { Array($0) }
                #expect(missing == (0..<length).filter { !model.contains($0) })
            }
        }
    }

    private func isEqual(_ ranges: ByteRanges, _ model: Set<Int64>) -> Bool {
        let sorted = model.sorted()
        let hasGaps = zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
        return ranges.ranges.flatMap { Array($0) } == sorted && ranges.count == Int64(sorted.count) && hasGaps
            && ranges.prefixEnd == Int64(sorted.enumerated().prefix { Int64($0.offset) == $0.element }.count)
            && ranges.end == (sorted.last ?? -1) + 1 && ranges.isEmpty == sorted.isEmpty
            && ranges == ByteRanges(ranges.ranges.shuffled())
    }

    @Test func theUnionHasTheBytesOfBoth() {
        var ranges = ByteRanges([0..<10, 20..<30])
        ranges.formUnion(ByteRanges([5..<20, 40..<41]))
        #expect(ranges.ranges == [0..<30, 40..<41])
        #expect(ranges.description == "0-29,40-40")
    }

    @Test func rangesAreCoded() throws {
        let ranges = ByteRanges([5..<9, 0..<2])
        #expect(try JSONDecoder().decode(ByteRanges.self, from: JSONEncoder().encode(ranges)) == ranges)
        let joined = try JSONDecoder().decode(ByteRanges.self, from: Data("[[4,6],[0,5]]".utf8))
        #expect(joined.ranges == [0..<6])
        for wrong in ["[[-1,5]]", "[[5,4]]", "[[5]]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(ByteRanges.self, from: Data(wrong.utf8))
            }
        }
    }
}
