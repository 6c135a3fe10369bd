#if os(Linux)
internal import NetCore

/// A pool of blocks of 128 KiB and 64 KiB for received bodies. A block is returned when its last reference is released.
///
/// A new array for each 64 KiB response doubles the CPU it costs: the allocator returns the memory to the kernel and
/// faults it in again.
enum SlabPool {
    static let slabSize = 128 << 10

    /// Free blocks keep up to 8 MiB of each size. A caller that releases one response only when the next has arrived
    /// needs two blocks at a time, which is 128 bodies of 64 KiB for 64 concurrent calls.
    private static let whole = PageRegion(blocksOf: slabSize, count: 512, warmLimit: 64)
    private static let halves = PageRegion(blocksOf: slabSize / 2, count: 512, warmLimit: 128)

    /// Returns a block to fill; one of 64 KiB if `count` bytes fit into it.
    static func take(for count: Int = slabSize) -> ByteStorage {
        let isHalf = count <= halves.blockSize
        guard let block = isHalf ? halves.take() : whole.take() else { return ByteStorage(capacity: slabSize) }
        // Two closures: a common one would allocate memory for its captures with every block.
        return isHalf
            ? ByteStorage(adopting: block, capacity: halves.blockSize) { halves.give($0) }
            : ByteStorage(adopting: block, capacity: whole.blockSize) { whole.give($0) }
    }

    /// Releases the memory of most free blocks.
    static func trim() {
        whole.trim(to: 8)
        halves.trim(to: 16)
    }
}
#endif
