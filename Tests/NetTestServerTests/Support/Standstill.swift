#if Server
import Synchronization

/// Waits until a count has begun and has not changed for a while: the moment at which the kernel's buffers are full.
func waitForStandstill(of count: () -> Int) async throws {
    var last = -1
    while last <= 0 || count() != last {
        last = count()
        try await Task.sleep(for: .milliseconds(200))
    }
}

/// A count that two threads share.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add(_ more: Int) {
        count.withLock { $0 += more }
    }
}
#endif
