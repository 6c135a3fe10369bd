/// One stored attempt of a call.
public struct AttemptRecord: Sendable, Hashable {
    /// The event of the call that told of this attempt.
    public var sequence: Int
    /// Counted from 1. A call that was redirected counts each hop's attempts anew.
    public var number: Int
    /// The status, where a head came.
    public var status: Int?
    /// Why it failed.
    public var failure: StoredFailure?
    /// The transport's times, from the attempt's start; nil when it gave none.
    public var resolved, connected, secured, requestSent, firstByte, total: Duration?
    /// Body bytes sent and received.
    public var requestBytes, responseBytes: Int64?
    /// The protocol version, `1.1` or `2`.
    public var version: String?
    /// Whether the connection had served another request before.
    public var isReused: Bool?
    /// The peer's address and port.
    public var remoteAddress: String?

    /// What each part of the attempt took.
    public var phases: AttemptPhases { AttemptPhases(self) }
}

/// How an attempt's time divides; a part that did not take place is nil.
public struct AttemptPhases: Sendable, Hashable {
    /// Finding the name's address.
    public var dns: Duration?
    /// The TCP connection.
    public var connect: Duration?
    /// The TLS handshake.
    public var tls: Duration?
    /// From there until the request was about to be sent.
    public var queue: Duration?
    /// Sending the request and waiting for the answer's first byte.
    public var firstByte: Duration?
    /// From the first byte to the end of the body.
    public var download: Duration?

    /// Takes the differences of the attempt's times.
    public init(_ attempt: AttemptRecord) {
        var last = Duration.zero
        func part(until end: Duration?) -> Duration? {
            guard let end else { return nil }
            defer { last = max(last, end) }
            return max(.zero, end - last)
        }
        dns = part(until: attempt.resolved)
        connect = part(until: attempt.connected)
        tls = part(until: attempt.secured)
        queue = part(until: attempt.requestSent)
        firstByte = part(until: attempt.firstByte)
        download = attempt.firstByte == nil ? nil : part(until: attempt.total)
    }
}

extension AttemptRecord {
    static let columns = """
        sequence, number, status, error_code, error_phase, error_message, resolved_us, connected_us, secured_us,
        request_sent_us, first_byte_us, total_us, request_bytes, response_bytes, version, is_reused, remote
        """

    /// Reads a row of ``columns`` that begins at that column.
    init(_ row: SQLiteRow, at first: Int32 = 0) {
        func time(_ column: Int32) -> Duration? { row.integer(first + column).map(StoredTime.duration) }
        self.init(
            sequence: row.int(first) ?? 0, number: row.int(first + 1) ?? 0, status: row.int(first + 2),
            failure: StoredFailure(row, at: first + 3), resolved: time(6), connected: time(7), secured: time(8),
            requestSent: time(9), firstByte: time(10), total: time(11), requestBytes: row.integer(first + 12),
            responseBytes: row.integer(first + 13), version: row.text(first + 14),
            isReused: row.integer(first + 15).map { $0 != 0 }, remoteAddress: row.text(first + 16))
    }
}
