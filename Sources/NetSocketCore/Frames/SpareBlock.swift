internal import Synchronization

/// Memory that the outgoing buffers of many connections lend one another: a quiet connection keeps little, and one that sends
/// much doesn't have to grow anew each time.
package final class SpareBlock: Sendable {
    /// The maximum capacity that is kept, in bytes.
    private static let kept = 128 << 10
    private let block = Mutex(HeapBlock())

    package init() {}

    /// Takes the memory, if it is larger than what the caller has; leaves that in its place.
    func borrow(insteadOf own: inout HeapBlock) {
        block.withLock { if $0.capacity > own.capacity { swap(&$0, &own) } }
    }

    /// Takes memory back, if it is larger than what is there, and frees the rest.
    func giveBack(_ own: inout HeapBlock) {
        if own.capacity <= Self.kept { block.withLock { if $0.capacity < own.capacity { swap(&$0, &own) } } }
        own.clear()
    }
}
