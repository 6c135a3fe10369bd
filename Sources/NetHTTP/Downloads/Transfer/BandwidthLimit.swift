internal import NetClient
internal import NetCore
internal import Synchronization

/// A limit for the bytes per second of all downloads of a manager together.
///
/// Bytes that have come wait before they're written; meanwhile no more of them are read from the network than a transport
/// buffers. Waiting downloads take turns in the order in which their bytes came.
final class BandwidthLimit: Sendable {
    private let bucket: Mutex<TokenBucket>
    private let clock: NetClock

    /// Creates a limit. A twentieth of a second's bytes may come without waiting.
    init(bytesPerSecond: Int64, clock: NetClock) {
        bucket = Mutex(
            TokenBucket(rate: Double(max(1, bytesPerSecond)), burst: Int(clamping: max(1, bytesPerSecond / 20))))
        self.clock = clock
    }

    /// Waits until so many bytes may be written. Throws `CancellationError` if the task is cancelled meanwhile.
    func wait(for bytes: Int) async throws {
        let wait = bucket.withLock { $0.take(Double(bytes), now: clock.now()) }
        if wait > .zero { try await clock.sleep(for: wait) }
    }
}
