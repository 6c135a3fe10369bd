/// The duration of each part of an attempt; nil for a part that didn't take place, as on a reused connection.
///
/// The parts follow one another. Time between them, such as the moment between the handshake and the request, belongs
/// to no part: together they take at most ``TransferMetrics/total``.
public struct TransferPhases: Sendable, Hashable {
    /// Waiting for a slot among the transport's transfers, before anything else; not included in ``lookup``.
    public let queued: Duration?
    /// Resolving the host name.
    public let lookup: Duration?
    /// Establishing the TCP connection.
    public let connect: Duration?
    /// The TLS handshake.
    public let secure: Duration?
    /// Sending the request and its body, until the server responded; nil for a request without a body, whose head takes
    /// no time that could be measured.
    public let sending: Duration?
    /// From the end of sending to the head of the response: what the server took, and the way to it and back.
    public let waiting: Duration?
    /// From the head of the response to the end of the body.
    public let download: Duration?

    /// Creates phases from known durations.
    package init(
        queued: Duration? = nil, lookup: Duration? = nil, connect: Duration? = nil, secure: Duration? = nil,
        sending: Duration? = nil, waiting: Duration? = nil, download: Duration? = nil
    ) {
        self.queued = queued
        self.lookup = lookup
        self.connect = connect
        self.secure = secure
        self.sending = sending
        self.waiting = waiting
        self.download = download
    }

    init(_ metrics: TransferMetrics) {
        func time(_ end: Duration?, since starts: Duration?...) -> Duration? {
            guard let end else { return nil }
            return max(.zero, end - (starts.lazy.compactMap { $0 }.first ?? .zero))
        }
        queued = metrics.queued
        lookup = time(metrics.resolved, since: metrics.queued)
        connect = time(metrics.connected, since: metrics.resolved, metrics.queued)
        secure = time(metrics.secured, since: metrics.connected, metrics.resolved, metrics.queued)
        let hasBody = metrics.requestBytes > 0 || metrics.requestSent.map { $0 != metrics.requestStarted } ?? false
        // A server may respond before it has the whole body.
        let sent = [metrics.requestSent, metrics.firstByte].compactMap { $0 }.min()
        sending = hasBody ? metrics.requestStarted.flatMap { time(sent, since: $0) } : nil
        waiting = time(
            metrics.firstByte, since: sending == nil ? metrics.requestSent : sent, metrics.requestStarted,
            metrics.secured, metrics.connected, metrics.resolved, metrics.queued)
        download = metrics.firstByte.map { max(.zero, metrics.total - $0) }
    }

    /// The parts that took place, in order, with their names.
    public var all: [(name: String, time: Duration)] {
        [
            ("queued", queued), ("lookup", lookup), ("connect", connect), ("secure", secure), ("sending", sending),
            ("waiting", waiting), ("download", download),
        ].compactMap { name, time in time.map { (name, $0) } }
    }
}

extension TransferMetrics {
    /// The metrics as the duration of each part.
    ///
    ///     var metrics = TransferMetrics(total: .milliseconds(50))
    ///     metrics.connected = .milliseconds(10)
    ///     metrics.secured = .milliseconds(30)
    ///     print(metrics.phases.secure ?? .zero)  // 0.02 seconds
    public var phases: TransferPhases { TransferPhases(self) }
}
