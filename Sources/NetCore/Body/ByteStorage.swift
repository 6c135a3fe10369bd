#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A block of memory that one producer fills and many readers share.
///
/// A transport fills the memory before it creates a ``Bytes`` value over the filled part, which never changes
/// afterwards. When the last reference is released, the memory is passed to the `recycle` closure, or freed if there is
/// none.
///
/// `@unchecked Sendable`: the filled part is written once, before the object is shared, and only read afterwards.
package final class ByteStorage: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let capacity: Int
    private let recycle: (@Sendable (UnsafeMutableRawPointer) -> Void)?

    /// Allocates `capacity` bytes, at least one.
    package init(capacity: Int) {
        self.capacity = max(capacity, 1)
        // A larger alignment makes the allocator take its slow path: 700 instructions instead of 100.
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

    /// True if the memory was allocated here; the holder of the only reference may then fill the rest of it.
    var isOwn: Bool { recycle == nil }

    deinit {
        if let recycle { recycle(base) } else { base.deallocate() }
    }

    static let empty = ByteStorage(capacity: 1)
}
