#if Server
import Synchronization

/// Waits until a count has begun and hasn't changed for a while: the kernel's buffers are then full.
func waitForStandstill(of count: () -> Int) async throws {
    var last = -1
    while last <= 0 || count() != last {
        last = count()
        try await Task.sleep(for: .milliseconds(200))
    }
}

/// A counter that two threads share.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add(_ more: Int) {
        count.withLock { $0 += more }
    }
}
#endif
