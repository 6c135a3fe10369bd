public import NetCore
internal import NetRecord
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps a client's latest exchanges and writes them as HAR 1.2, which browsers, proxies and `ReplayTransport` read.
///
/// Every attempt is an entry, with the times measured by the transport; so is each response served by a cache.
/// WebSockets are omitted. Secrets, as defined by the call's `RedactionPolicy`, are hidden when the file is written.
/// In memory they are kept as sent, and never printed.
///
///     let listener = HARListener()
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.listeners = [listener] }
///     // … something goes wrong …
///     try listener.write(to: "/tmp/report.har")
public final class HARListener: ActivityListener {
    private struct State {
        /// The attempts, oldest first; those before `start` were dropped.
        var attempts: [CapturedAttempt?] = []
        var start = 0
        var bytes = 0
        var dropped = 0

        mutating func dropFirst() {
            bytes -= attempts[start]?.size ?? 0
            attempts[start] = nil
            start += 1
            dropped += 1
            guard start > 64, start > attempts.count / 2 else { return }
            attempts.removeFirst(start)
            start = 0
        }
    }

    /// The maximum number of exchanges; the oldest are dropped first. Default 1,000.
    public let maximumExchanges: Int
    /// The maximum total size of all exchanges in bytes; the oldest are dropped first. Default 32 MiB.
    public let maximumBytes: Int
    /// The limits for kept bodies; nil keeps only their sizes.
    public let bodies: CaptureLimits?
    private let state = Mutex(State())

    /// Creates a listener without exchanges.
    ///
    /// - Parameters:
    ///   - maximumExchanges: The maximum number of exchanges. Default 1,000. A negative value counts as zero, which
    ///     keeps none of them.
    ///   - maximumBytes: The maximum total size of all exchanges. Default 32 MiB. A negative value counts as zero.
    ///   - bodies: The limits for kept bodies. Default: those of ``NetCore/CaptureLimits``, the first 64 KiB of text.
    public init(
        maximumExchanges: Int = 1000, maximumBytes: Int = 32 << 20, bodies: CaptureLimits? = CaptureLimits()
    ) {
        self.maximumExchanges = max(0, maximumExchanges)
        self.maximumBytes = max(0, maximumBytes)
        self.bodies = bodies
    }

    public var interest: ActivityInterest { bodies == nil ? .headers : .bodies }

    public var captureLimits: CaptureLimits { bodies ?? CaptureLimits() }

    public func record(_ event: ActivityEvent) {}

    public func record(_ attempt: CapturedAttempt) {
        state.withLock { state in
            state.attempts.append(attempt)
            state.bytes += attempt.size
            while state.attempts.count - state.start > maximumExchanges || state.bytes > maximumBytes {
                state.dropFirst()
            }
        }
    }

    /// The number of kept exchanges.
    public var count: Int { state.withLock { $0.attempts.count - $0.start } }

    /// The number of exchanges that were dropped to make room for newer ones.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Removes all kept exchanges.
    public func removeAll() { state.withLock { $0 = State() } }

    /// Returns the exchanges as HAR 1.2, in the order of their requests. Hiding the secrets takes time proportional
    /// to the size of the bodies.
    public func har() -> Bytes {
        let attempts = state.withLock { $0.attempts.compactMap(\.self) }
        let exchanges = attempts.map { $0.redacted() }
        let order = exchanges.indices.sorted { left, right in
            (exchanges[left].recordedAt, left) < (exchanges[right].recordedAt, right)
        }
        return Bytes(Cassette(order.map { exchanges[$0] }).har.utf8)
    }

    /// Writes the exchanges as HAR 1.2 to a file, atomically replacing an existing one. Blocks; throws `.file` if the
    /// file can't be written.
    public func write(to path: String) throws(NetError) {
        do {
            try har().data.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw NetError(
                .file, phase: .preparing,
                message: "the file \"\(path)\" cannot be written; check the folder and its permissions",
                underlying: error)
        }
    }
}
