#if os(Linux)
internal import NetCore

/// Blocks of 128 KiB, and of half of that, that bodies are received into and that come back when their last reader lets go.
///
/// A fresh array for each 64 KiB response doubles the CPU it costs: the allocator gives the memory back to the kernel
/// and faults it in again.
enum SlabPool {
    static let slabSize = 128 << 10

    /// Free blocks keep up to 8 MiB of each size: a caller that drops one response when the next is there has two at a
    /// time, which is 128 bodies of 64 KiB for 64 calls at once.
    private static let whole = PageRegion(blocksOf: slabSize, count: 512, warmLimit: 64)
    private static let halves = PageRegion(blocksOf: slabSize / 2, count: 512, warmLimit: 128)

    /// A block to fill, new or used: a half one where `count` bytes fit into it.
    static func take(for count: Int = slabSize) -> ByteStorage {
        let isHalf = count <= halves.blockSize
        guard let block = isHalf ? halves.take() : whole.take() else { return ByteStorage(capacity: slabSize) }
        // Two closures: one for both would need memory for what it captures, at every block.
        return isHalf
            ? ByteStorage(adopting: block, capacity: halves.blockSize) { halves.give($0) }
            : ByteStorage(adopting: block, capacity: whole.blockSize) { whole.give($0) }
    }

    /// Gives the memory of free blocks back, but for a few.
    static func trim() {
        whole.trim(to: 8)
        halves.trim(to: 16)
    }
}
#endif
