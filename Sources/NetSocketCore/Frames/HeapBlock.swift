internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A growable piece of memory with one owner.
///
/// It comes from `malloc`, so that `realloc` can grow a large one by remapping its pages instead of copying them.
///
/// `@unchecked Sendable`: it cannot be copied, so whoever holds it is the only one with the address.
struct HeapBlock: ~Copyable, @unchecked Sendable {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    deinit { free(base) }

    /// The address, once something was reserved.
    var requiredBase: UnsafeMutableRawPointer {
        guard let base else { preconditionFailure("nothing was reserved") }
        return base
    }

    /// Makes it at least `minimum` bytes large, and at least half as large again as it was; the content stays.
    mutating func reserve(_ minimum: Int) {
        guard minimum > capacity else { return }
        resize(to: max(minimum, capacity + capacity / 2))
    }

    /// Gives the memory to a storage that readers share. Much unused room is given back first.
    mutating func takeStorage(count: Int) -> ByteStorage {
        if capacity - count > max(4096, count / 4) { resize(to: count) }
        defer {
            base = nil
            capacity = 0
        }
        guard let base else { return ByteStorage(capacity: 1) }
        return ByteStorage(adopting: base, capacity: capacity) { free($0) }
    }

    /// Gives the memory back.
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
