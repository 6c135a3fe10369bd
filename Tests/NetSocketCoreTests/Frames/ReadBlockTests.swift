import NetCore
import Testing

@testable import NetSocketCore

/// The block that connections read into, one after another.
struct ReadBlockTests {
    @Test func itHasRoomForAControlFrame() {
        for (size, expected) in [(0, 131), (130, 131), (131, 131), (132, 132)] {
            #expect(ReadBlock(size: size).size == expected)
        }
        #expect(ReadBlock().size == 64 << 10)
    }

    @Test func theFirstBlockIsNew() {
        let (block, start) = ReadBlock(size: 1000).borrow(room: 1)
        #expect(block.capacity == 1000)
        #expect(start == 0)
    }

    /// Slices of the used part may be retained, so that the next bytes begin after it.
    @Test(arguments: [
        (750, 1, true), (751, 1, false), (0, 1, true), (700, 300, true), (700, 301, false), (701, 300, false),
        (100, 900, true), (1000, 0, false),
    ])
    func aBlockInUseIsLentWhileAQuarterOfItIsFree(used: Int, room: Int, isSame: Bool) {
        let blocks = ReadBlock(size: 1000)
        let (first, _) = blocks.borrow(room: 1)
        blocks.giveBack(first, used: used)
        let (second, start) = blocks.borrow(room: room)
        #expect((first === second) == isSame)
        #expect(start == (isSame ? used : 0))
        #expect(second.capacity == 1000)
        withExtendedLifetime(first) {}
    }

    @Test func aBlockThatNobodyHoldsIsFreeAsAWhole() {
        let blocks = ReadBlock(size: 1000)
        func use() -> UnsafeMutableRawPointer {
            let (block, start) = blocks.borrow(room: 1)
            #expect(start == 0)
            blocks.giveBack(block, used: 900)
            return block.base
        }
        #expect(use() == use())
    }

    @Test func aBlockIsLentOnce() {
        let blocks = ReadBlock(size: 1000)
        let (first, _) = blocks.borrow(room: 1)
        blocks.giveBack(first, used: 10)
        let (second, _) = blocks.borrow(room: 1)
        let (third, start) = blocks.borrow(room: 1)
        #expect(first === second)
        #expect(third !== second)
        #expect(start == 0)
    }

    @Test(arguments: [
        ([64 << 10], 64 << 10), ([(64 << 10) + 1], 0), ([100, 200], 200), ([200, 100], 200), ([], 0),
    ])
    func theLargestSpareMemoryUpTo64KiBIsKept(given: [Int], lent: Int) {
        let blocks = ReadBlock()
        for capacity in given {
            var block = HeapBlock()
            block.reserve(capacity)
            blocks.giveBack(spare: block)
        }
        let first = blocks.borrowSpare().capacity
        let second = blocks.borrowSpare().capacity
        #expect(first == lent)
        #expect(second == 0)
    }

    @Test func ofTwoThatAreAlikeTheFirstStays() {
        let blocks = ReadBlock()
        var first = HeapBlock()
        var second = HeapBlock()
        first.reserve(100)
        second.reserve(100)
        let base = first.base
        blocks.giveBack(spare: first)
        blocks.giveBack(spare: second)
        let lent = blocks.borrowSpare()
        #expect(lent.base == base)
    }
}
