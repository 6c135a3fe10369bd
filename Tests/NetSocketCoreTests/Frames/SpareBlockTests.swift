import Testing

@testable import NetSocketCore

/// The memory that is lent, returned and freed.
struct SpareBlockTests {
    private func block(_ capacity: Int) -> HeapBlock {
        var block = HeapBlock()
        if capacity > 0 { block.reserve(capacity) }
        return block
    }

    /// Returns the capacity that is lent to a buffer without its own memory.
    private func lent(_ spare: SpareBlock) -> Int {
        var own = HeapBlock()
        spare.borrow(insteadOf: &own)
        return own.capacity
    }

    @Test(arguments: [
        (128 << 10, 128 << 10), ((128 << 10) + 1, 0), (1 << 20, 0), (16, 16), (0, 0),
    ])
    func upTo128KiBIsKept(given: Int, kept: Int) {
        let spare = SpareBlock()
        var own = block(given)
        spare.giveBack(&own)
        #expect(own.capacity == 0)
        #expect(own.base == nil)
        #expect(lent(spare) == kept)
        #expect(lent(spare) == 0, "it is lent once")
    }

    @Test(arguments: [(1000, 2000, 2000), (2000, 1000, 2000)])
    func theLargerOfTwoIsKept(first: Int, second: Int, kept: Int) {
        let spare = SpareBlock()
        for capacity in [first, second] {
            var own = block(capacity)
            spare.giveBack(&own)
        }
        #expect(lent(spare) == kept)
    }

    @Test func ofTwoThatAreAlikeTheFirstStays() {
        let spare = SpareBlock()
        var first = block(1000)
        var second = block(1000)
        let (firstBase, secondBase) = (first.base, second.base)
        spare.giveBack(&first)
        spare.borrow(insteadOf: &second)
        #expect(second.base == secondBase, "a block that isn't larger is no gain")
        spare.giveBack(&second)
        spare.borrow(insteadOf: &first)
        #expect(first.base == firstBase)
    }

    @Test func onlyALargerBlockIsLentAndTheOtherOneTakesItsPlace() {
        let spare = SpareBlock()
        var large = block(2000)
        var own = block(1000)
        spare.giveBack(&large)
        var larger = block(3000)
        spare.borrow(insteadOf: &larger)
        #expect(larger.capacity == 3000)
        spare.borrow(insteadOf: &own)
        #expect(own.capacity == 2000)
        #expect(lent(spare) == 1000)
    }
}
