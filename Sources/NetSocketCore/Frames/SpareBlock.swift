internal import Synchronization

/// Memory that the outgoing buffers of many connections lend one another: an idle connection keeps little memory, and
/// a busy one doesn't have to grow its buffer each time.
package final class SpareBlock: Sendable {
    /// The maximum capacity that is kept, in bytes.
    private static let kept = 128 << 10
    private let block = Mutex(HeapBlock())

    package init() {}

    /// Swaps the memory with the caller's, if it is larger.
    func borrow(insteadOf own: inout HeapBlock) {
        block.withLock { if $0.capacity > own.capacity { swap(&$0, &own) } }
    }

    /// Takes memory back if it is larger than the memory kept, and frees the smaller block.
    func giveBack(_ own: inout HeapBlock) {
        if own.capacity <= Self.kept { block.withLock { if $0.capacity < own.capacity { swap(&$0, &own) } } }
        own.clear()
    }
}
