import NetCore
import Testing

@testable import NetSocketCore

#if os(Linux)
import Foundation
#endif

/// The growth of a block, and the use of its memory.
struct HeapBlockTests {
    @Test func itGrowsByAtLeastHalfAndNeverShrinks() {
        for steps in [
            [(0, 0), (1, 16), (16, 16), (17, 24), (24, 24), (25, 36)],
            [(100, 100), (101, 150), (150, 150), (400, 400), (1, 400)], [(15, 16), (1000, 1000), (1001, 1500)],
        ] {
            var block = HeapBlock()
            for (minimum, capacity) in steps {
                block.reserve(minimum)
                #expect(block.capacity == capacity)
                #expect((block.base != nil) == (capacity > 0))
            }
        }
    }

    @Test func growingKeepsTheContent() {
        var block = HeapBlock()
        block.reserve(100)
        block.requiredBase.copyMemory(from: pattern(100), byteCount: 100)
        block.reserve(100_000)
        #expect(bytes(block.requiredBase, 100) == pattern(100))
    }

    /// Up to 4 KiB, or a fifth of the whole, may be unused.
    @Test(arguments: [
        (5000, 904, 5000), (5000, 903, 903), (4096, 0, 4096), (4097, 0, 16), (100_000, 80_000, 100_000),
        (100_000, 79_999, 79_999), (100_000, 100_000, 100_000),
    ])
    func aStorageKeepsLittleThatIsUnused(reserved: Int, count: Int, capacity: Int) {
        var block = HeapBlock()
        block.reserve(reserved)
        block.requiredBase.copyMemory(from: pattern(count), byteCount: count)
        let storage = block.takeStorage(count: count)
        #expect(storage.capacity == capacity)
        #expect(bytes(storage.base, count) == pattern(count))
        #expect(block.base == nil)
        #expect(block.capacity == 0)
        block.reserve(20)
        #expect(block.capacity == 20)
        #expect(block.base != storage.base)
    }

    @Test func aStorageOfNothingIsThereToo() {
        var block = HeapBlock()
        let storage = block.takeStorage(count: 0)
        #expect(storage.capacity == 1)
        #expect(block.capacity == 0)
    }

    @Test func aClearedBlockBeginsAnew() {
        var block = HeapBlock()
        block.reserve(1000)
        block.clear()
        #expect(block.base == nil)
        #expect(block.capacity == 0)
        block.reserve(17)
        #expect(block.capacity == 17)
    }

    #if os(Linux)
    /// Nothing is written, so that the memory takes only address space; more than other tests could use.
    @Test func clearingFreesTheMemory() throws {
        let (size, before) = (64 << 20, try addresses())
        var block = HeapBlock()
        for _ in 0..<32 {
            block.reserve(size)
            block.clear()
        }
        #expect(try addresses() - before < 16 * size)
    }

    /// Returns the size of this process's address space, in bytes.
    private func addresses() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
        return try #require(Int(pages)) * 4096
    }
    #endif

    private func bytes(_ base: UnsafeRawPointer, _ count: Int) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: base, count: count))
    }
}
