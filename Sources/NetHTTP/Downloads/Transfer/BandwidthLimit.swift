internal import NetClient
internal import NetCore
internal import Synchronization

/// A limit for the total bytes per second of a manager's downloads.
///
/// Received bytes wait before they're written; in the meantime, only as many bytes as the transport buffers are read
/// from the network. Waiting downloads take turns in the order in which their bytes arrived.
final class BandwidthLimit: Sendable {
    private let bucket: Mutex<TokenBucket>
    private let clock: NetClock

    /// Creates a limit. The bytes of a twentieth of a second may pass without waiting.
    init(bytesPerSecond: Int64, clock: NetClock) {
        bucket = Mutex(
            TokenBucket(rate: Double(max(1, bytesPerSecond)), burst: Int(clamping: max(1, bytesPerSecond / 20))))
        self.clock = clock
    }

    /// Waits until this number of bytes may be written. Throws `CancellationError` if the task is cancelled in the
    /// meantime.
    func wait(for bytes: Int) async throws {
        let wait = bucket.withLock { $0.take(Double(bytes), now: clock.now()) }
        if wait > .zero { try await clock.sleep(for: wait) }
    }
}
