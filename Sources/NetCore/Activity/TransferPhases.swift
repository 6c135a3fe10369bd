/// How long each part of an attempt took; nil for what did not take place, as on a connection that was used before.
public struct TransferPhases: Sendable, Hashable {
    /// Waiting in line for a place among the transport's transfers.
    public let queued: Duration?
    /// Looking up the name.
    public let lookup: Duration?
    /// Connecting, by TCP.
    public let connect: Duration?
    /// Agreeing on TLS.
    public let secure: Duration?
    /// From the request to the first byte of the answer.
    public let waiting: Duration?
    /// From there to the end of the body.
    public let download: Duration?

    init(_ metrics: TransferMetrics) {
        func time(_ end: Duration?, since starts: Duration?...) -> Duration? {
            guard let end else { return nil }
            return max(.zero, end - (starts.lazy.compactMap { $0 }.first ?? .zero))
        }
        queued = metrics.queued
        lookup = time(metrics.resolved, since: metrics.queued)
        connect = time(metrics.connected, since: metrics.resolved, metrics.queued)
        secure = time(metrics.secured, since: metrics.connected, metrics.resolved, metrics.queued)
        waiting = time(
            metrics.firstByte, since: metrics.requestSent, metrics.secured, metrics.connected, metrics.queued)
        download = metrics.firstByte.map { max(.zero, metrics.total - $0) }
    }

    /// Those that took place, in their order, by name.
    public var all: [(name: String, time: Duration)] {
        [
            ("queued", queued), ("lookup", lookup), ("connect", connect), ("secure", secure), ("waiting", waiting),
            ("download", download),
        ].compactMap { name, time in time.map { (name, $0) } }
    }
}

extension TransferMetrics {
    /// The same figures as the length of each part.
    ///
    ///     var metrics = TransferMetrics(total: .milliseconds(50))
    ///     metrics.connected = .milliseconds(10)
    ///     metrics.secured = .milliseconds(30)
    ///     print(metrics.phases.secure ?? .zero)  // 0.02 seconds
    public var phases: TransferPhases { TransferPhases(self) }
}
