internal import NetCore

/// A block of memory that the bytes of connections are read into: one for all connections of a loop, so that an idle
/// connection needs none.
///
/// A decoder borrows the block for a turn, in which it reads and delivers; slices of the block may be in use for
/// longer.
///
/// `@unchecked Sendable`: all decoders that use it run on one thread, or in one task at a time.
package final class ReadBlock: @unchecked Sendable {
    /// The size in bytes.
    let size: Int
    private var storage: ByteStorage?
    private var used = 0
    /// Memory for a message that isn't complete in the block.
    private var spare = HeapBlock()
    /// The maximum capacity of that memory, in bytes.
    private static let kept = 64 << 10

    /// Creates a block; its memory is allocated when it is first used.
    ///
    /// - Parameter size: The size in bytes; at least that of the largest control frame. Default 64 KiB.
    package init(size: Int = 64 << 10) {
        self.size = max(size, FrameHeader.largestControlFrame)
    }

    /// Lends the block, and returns the start of its free part. Creates a new block if less than `room` bytes are
    /// free.
    func borrow(room: Int) -> (ByteStorage, start: Int) {
        if isKnownUniquelyReferenced(&storage) { used = 0 }
        guard let block = storage.take(), block.capacity - used >= max(room, size / 4) else {
            return (ByteStorage(capacity: size), 0)
        }
        return (block, used)
    }

    /// Takes the block back. Bytes before `used` may be in use.
    func giveBack(_ block: ByteStorage, used: Int) {
        (storage, self.used) = (block, used)
    }

    /// Lends memory for a message; the block is empty if none is available.
    func borrowSpare() -> HeapBlock {
        var lent = HeapBlock()
        swap(&lent, &spare)
        return lent
    }

    func giveBack(spare block: consuming HeapBlock) {
        if block.capacity <= Self.kept, block.capacity > spare.capacity { spare = block }
    }
}
