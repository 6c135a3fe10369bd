import Foundation
import NetCore
import Synchronization

/// The cache's clock: the machine's, advanced on demand. Its wall clock isn't advanced: tests run one after another,
/// and the servers of later ones haven't experienced the pauses of earlier ones.
final class CacheClock: Sendable {
    private let moved = Mutex(TimeInterval(0))

    func advance(by seconds: TimeInterval) { moved.withLock { $0 += seconds } }

    var netClock: NetClock {
        NetClock(
            now: { NetClock.system.now() + .seconds(self.moved.withLock { $0 }) },
            date: { Date() },
            sleep: { try await NetClock.system.sleep(for: $0) })
    }
}
