/// The measurements of one attempt by the transport. Durations count from the attempt's start.
public struct TransferMetrics: Sendable, Hashable {
    /// The time until the transport had a slot for the transfer, and began to look for a connection; nil if the
    /// transfer didn't have to wait.
    public var queued: Duration? {
        get { Self.duration(times.queued) }
        set { times.queued = Self.nanoseconds(newValue) }
    }
    /// The time until the name was resolved; nil without a resolution.
    public var resolved: Duration? {
        get { Self.duration(times.resolved) }
        set { times.resolved = Self.nanoseconds(newValue) }
    }
    /// The time until the connection was established; nil on a reused connection.
    public var connected: Duration? {
        get { Self.duration(times.connected) }
        set { times.connected = Self.nanoseconds(newValue) }
    }
    /// The time until the TLS handshake had completed; nil without TLS or on a reused connection.
    public var secured: Duration? {
        get { Self.duration(times.secured) }
        set { times.secured = Self.nanoseconds(newValue) }
    }
    /// The time until the transport began to send the request.
    public var requestStarted: Duration? {
        get { Self.duration(times.requestStarted) }
        set { times.requestStarted = Self.nanoseconds(newValue) }
    }
    /// The time until the whole request had been sent, its body included; nil if it wasn't: a server may respond early,
    /// and read no further. Later than ``firstByte`` if the server responded before, and read the rest.
    ///
    /// A transport counts what it has given to the system, which may keep a part of it for some time.
    public var requestSent: Duration? {
        get { Self.duration(times.requestSent) }
        set { times.requestSent = Self.nanoseconds(newValue) }
    }
    /// The time until the head of the response; interim responses (1xx) don't count.
    public var firstByte: Duration? {
        get { Self.duration(times.firstByte) }
        set { times.firstByte = Self.nanoseconds(newValue) }
    }
    /// The time until the end of the body.
    public var total: Duration {
        get { .nanoseconds(times.total) }
        set { times.total = newValue.inNanoseconds }
    }
    /// The numbers of body bytes sent and received.
    public var requestBytes, responseBytes: Int64
    /// The protocol version, `1.1` or `2`.
    public var version: String
    /// True if the connection had been used for another request.
    public var isReused: Bool
    /// The peer's address and port, as text.
    public var remoteAddress: String?

    /// Nanoseconds; -1 for nil. Plain numbers, because every response carries them and few are read.
    private struct Times: Sendable, Hashable {
        var queued: Int64 = -1
        var resolved: Int64 = -1
        var connected: Int64 = -1
        var secured: Int64 = -1
        var requestStarted: Int64 = -1
        var requestSent: Int64 = -1
        var firstByte: Int64 = -1
        var total: Int64
    }

    private var times: Times

    /// Creates metrics; everything but the total is optional.
    public init(total: Duration, requestBytes: Int64 = 0, responseBytes: Int64 = 0, version: String = "") {
        self.init(nanoseconds: total.inNanoseconds, responseBytes: responseBytes, version: version)
        self.requestBytes = requestBytes
    }

    /// Creates metrics for a transport that counts in microseconds; see ``set(_:microseconds:)``.
    package init(nanoseconds total: Int64, responseBytes: Int64, version: String) {
        times = Times(total: total)
        requestBytes = 0
        self.responseBytes = responseBytes
        self.version = version
        isReused = false
    }

    /// A phase that is measured in microseconds.
    package enum Phase { case queued, resolved, connected, secured, requestStarted, requestSent, firstByte }

    /// Sets a phase; a value that isn't positive means that it didn't take place.
    package mutating func set(_ phase: Phase, microseconds: Int64) {
        let time = microseconds > 0 ? microseconds &* 1000 : -1
        switch phase {
        case .queued: times.queued = time
        case .resolved: times.resolved = time
        case .connected: times.connected = time
        case .secured: times.secured = time
        case .requestStarted: times.requestStarted = time
        case .requestSent: times.requestSent = time
        case .firstByte: times.firstByte = time
        }
    }

    private static func duration(_ nanoseconds: Int64) -> Duration? {
        nanoseconds < 0 ? nil : .nanoseconds(nanoseconds)
    }

    private static func nanoseconds(_ duration: Duration?) -> Int64 {
        duration.map { max(0, $0.inNanoseconds) } ?? -1
    }
}

extension TransferMetrics: CustomStringConvertible {
    /// `HTTP/2, reused connection to 127.0.0.1:443, 0 B sent, 512 B received, first byte after 0.012 s, total 0.020 s`.
    public var description: String {
        var parts = version.isEmpty ? [] : ["HTTP/\(version)"]
        parts.append((isReused ? "reused connection" : "new connection") + (remoteAddress.map { " to \($0)" } ?? ""))
        parts += ["\(requestBytes) B sent", "\(responseBytes) B received"]
        if let firstByte { parts.append("first byte after \(firstByte.seconds(places: 3)) s") }
        return (parts + ["total \(total.seconds(places: 3)) s"]).joined(separator: ", ")
    }
}
