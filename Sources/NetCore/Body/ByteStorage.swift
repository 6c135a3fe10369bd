#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A block of memory that one producer fills and many readers share.
///
/// A transport writes into it before it publishes a ``Bytes`` value over the filled part; from then on that part never
/// changes. Give a `recycle` closure to take the memory back when the last reader is gone, else it is freed.
///
/// `@unchecked Sendable`: the filled part is written once, before the object is shared, and only read afterwards.
package final class ByteStorage: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let capacity: Int
    private let recycle: (@Sendable (UnsafeMutableRawPointer) -> Void)?

    /// Allocates `capacity` bytes, at least one.
    package init(capacity: Int) {
        self.capacity = max(capacity, 1)
        // With an alignment the allocator takes its slow way: 700 instructions instead of 100.
        base = UnsafeMutableRawPointer.allocate(byteCount: self.capacity, alignment: 1)
        recycle = nil
    }

    /// Adopts memory from a pool; `recycle` is called with it exactly once.
    package init(
        adopting base: UnsafeMutableRawPointer, capacity: Int,
        recycle: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
    ) {
        self.base = base
        self.capacity = capacity
        self.recycle = recycle
    }

    deinit {
        if let recycle { recycle(base) } else { base.deallocate() }
    }

    static let empty = ByteStorage(capacity: 1)
}
