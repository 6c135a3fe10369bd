public import NetCore
internal import NetRecord
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps the latest exchanges of a client and writes them as HAR 1.2, which browsers, proxies and `ReplayTransport` read.
///
/// Every attempt is an entry, with the times that the transport has measured; so is a response that a cache has served.
/// WebSockets are left out. Secrets, as the call's `RedactionPolicy` names them, are hidden when the file is written; in
/// memory they are kept as they were sent, and nothing of them is printed.
///
///     let listener = HARListener()
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.listeners = [listener] }
///     // … something goes wrong …
///     try listener.write(to: "/tmp/report.har")
public final class HARListener: ActivityListener {
    private struct State {
        /// The oldest first; those before `start` are gone.
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

    /// The maximum number of exchanges; the oldest goes first. Default 1,000.
    public let maximumExchanges: Int
    /// The maximum number of bytes of all exchanges together; the oldest goes first. Default 32 MiB.
    public let maximumBytes: Int
    /// What is kept of bodies; nil for their sizes only.
    public let bodies: CaptureLimits?
    private let state = Mutex(State())

    /// Creates a listener that has kept nothing yet.
    ///
    /// - Parameters:
    ///   - maximumExchanges: Default 1,000. Below zero counts as zero: then nothing is kept.
    ///   - maximumBytes: Default 32 MiB. Below zero counts as zero.
    ///   - bodies: What is kept of bodies. Default ``NetCore/CaptureLimits``'s own: the first 64 KiB of text.
    public init(
        maximumExchanges: Int = 1000, maximumBytes: Int = 32 << 20, bodies: CaptureLimits? = CaptureLimits()
    ) {
        self.maximumExchanges = max(0, maximumExchanges)
        self.maximumBytes = max(0, maximumBytes)
        self.bodies = bodies
    }

    public var interest: ActivityInterest { bodies == nil ? .fields : .bodies }

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

    /// The number of exchanges that are kept.
    public var count: Int { state.withLock { $0.attempts.count - $0.start } }

    /// The number of exchanges that were dropped for newer ones.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Forgets what is kept.
    public func removeAll() { state.withLock { $0 = State() } }

    /// Returns the exchanges as HAR 1.2, in the order of their requests. Hiding secrets takes time in proportion to the
    /// bodies.
    public func har() -> Bytes {
        let attempts = state.withLock { $0.attempts.compactMap(\.self) }
        let exchanges = attempts.map { $0.redacted() }
        let order = exchanges.indices.sorted { left, right in
            (exchanges[left].recordedAt, left) < (exchanges[right].recordedAt, right)
        }
        return Bytes(Cassette(order.map { exchanges[$0] }).har.utf8)
    }

    /// Writes the same to a file, whole or not at all, in place of one that is there. Blocks; throws `.file` if the file
    /// can't be written.
    public func write(to path: String) throws(NetError) {
        do {
            try har().data.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw NetError(
                .file, phase: .preparing,
                message: "the file \"\(path)\" cannot be written; check the folder and its rights",
                underlying: error)
        }
    }
}
