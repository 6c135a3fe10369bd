#if os(Linux)
internal import NetCore
internal import Synchronization

/// Blocks of 128 KiB that bodies are received into and that come back when their last reader lets go.
///
/// A fresh array for each 64 KiB response doubles the CPU it costs: the allocator gives the memory back to the kernel
/// and faults it in again. At most ``limit`` free blocks are kept.
final class SlabPool: Sendable {
    static let slabSize = 128 << 10
    private static let limit = 64

    /// `@unchecked Sendable`: a free block belongs to nobody until it is handed out.
    private struct FreeSlab: @unchecked Sendable { let base: UnsafeMutableRawPointer }

    private let free = Mutex<[FreeSlab]>([])

    deinit {
        free.withLock { slabs in
            for slab in slabs { slab.base.deallocate() }
        }
    }

    /// A block to fill, new or used.
    func take() -> ByteStorage {
        let slab = free.withLock { $0.popLast() }
        let base = slab?.base ?? UnsafeMutableRawPointer.allocate(byteCount: Self.slabSize, alignment: 1)
        return ByteStorage(adopting: base, capacity: Self.slabSize) { [self] base in give(base) }
    }

    private func give(_ base: UnsafeMutableRawPointer) {
        let slab = FreeSlab(base: base)
        let isKept = free.withLock { slabs in
            if slabs.count >= Self.limit { return false }
            slabs.append(slab)
            return true
        }
        if !isKept { slab.base.deallocate() }
    }
}
#endif
