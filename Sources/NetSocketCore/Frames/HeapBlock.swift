internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A growable block of memory with one owner.
///
/// It's allocated with `malloc`, so that `realloc` can grow a large block by remapping its pages instead of copying
/// them.
///
/// `@unchecked Sendable`: the type isn't copyable, so only its owner has the address.
struct HeapBlock: ~Copyable, @unchecked Sendable {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    deinit { free(base) }

    /// The address; requires that memory was reserved.
    var requiredBase: UnsafeMutableRawPointer {
        guard let base else { preconditionFailure("nothing was reserved") }
        return base
    }

    /// Grows the block to at least `minimum` bytes, and by at least half its capacity. The content is preserved.
    mutating func reserve(_ minimum: Int) {
        guard minimum > capacity else { return }
        resize(to: max(minimum, capacity + capacity / 2))
    }

    /// Moves the memory into a storage that readers share. If much of it is unused, the block is shrunk first.
    mutating func takeStorage(count: Int) -> ByteStorage {
        if capacity - count > max(4096, count / 4) { resize(to: count) }
        defer {
            base = nil
            capacity = 0
        }
        guard let base else { return ByteStorage(capacity: 1) }
        return ByteStorage(adopting: base, capacity: capacity) { free($0) }
    }

    /// Frees the memory.
    mutating func clear() {
        free(base)
        base = nil
        capacity = 0
    }

    private mutating func resize(to size: Int) {
        guard let memory = realloc(base, max(size, 16)) else {
            preconditionFailure("out of memory: \(size) bytes for a WebSocket")
        }
        base = memory
        capacity = max(size, 16)
    }
}
