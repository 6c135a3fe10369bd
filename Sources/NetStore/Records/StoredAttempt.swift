public import NetCore

/// An attempt of a stored call; for a job, one of the calls that it made.
public struct StoredAttempt: Sendable, Hashable {
    /// The number of the attempt, counted from 1 across retries, new credentials and redirects.
    public var number: Int
    /// The method of the request.
    public var method: String?
    /// The redacted URL of the request.
    public var url: String?
    /// The time from the start of the call to the start of the attempt; nil if it isn't known.
    public var start: Duration?
    /// The time from the start of the call to the end of the attempt; nil if it isn't known.
    package var end: Duration?
    /// The status; nil if no response head was received.
    public var status: Int?
    /// The failure; nil if the attempt didn't fail.
    public var failure: StoredFailure?
    /// The sizes of the sent and the received body in bytes; nil if the transport doesn't count them.
    public var requestBytes, responseBytes: Int64?
    /// The duration; nil if the transport doesn't measure it.
    public var duration: Duration?
    /// The duration of each phase; all nil if the transport doesn't measure them.
    public var phases = TransferPhases()
    /// The protocol version: `1.1`, `2`.
    public var version: String?
    /// True if the attempt reused a connection.
    public var isReused: Bool?
    /// The peer's address and port.
    public var remoteAddress: String?
    /// The `traceparent` sent with the request.
    public var trace: TraceParent?
    /// The pause after the attempt; nil if no retry followed.
    public var retryDelay: Duration?
    /// The reason for the retry that followed.
    public var retryReason: String?
    /// The number of the program run that made an attempt of a job; nil for an attempt of a call, which belongs to the
    /// run of its entry.
    public var run: Int64?
}

extension StoredAttempt {
    /// Creates an attempt of which only the number is known.
    package init(_ number: Int) { self.init(number: number) }

    /// Creates an attempt from the row of a call under way.
    init(_ row: AttemptRow, of item: StoredItem) {
        self.init(number: row.number)
        method = row.method ?? item.method
        url = row.url ?? item.url
        start = row.start.map(StoredTime.duration)
        end = StoredTime.duration(row.end)
        status = row.status
        failure = row.error.map { StoredFailure(code: $0, phase: row.phase ?? "", message: row.message ?? "") }
        (requestBytes, responseBytes) = (row.requestBytes, row.responseBytes)
        duration = row.total.map(StoredTime.duration)
        phases = TransferPhases(
            queued: row.queued.map(StoredTime.duration), lookup: row.lookup.map(StoredTime.duration),
            connect: row.connect.map(StoredTime.duration), secure: row.secure.map(StoredTime.duration),
            sending: row.sending.map(StoredTime.duration), waiting: row.waiting.map(StoredTime.duration),
            download: row.download.map(StoredTime.duration))
        (version, isReused, remoteAddress) = (row.version, row.isReused, row.remote)
        trace = row.trace.flatMap { StoredTrace.trace($0, call: item.uid) }
        retryDelay = row.retryDelay.map(StoredTime.duration)
        retryReason = row.retryReason
    }

    private static func name(_ column: String) -> String { "(SELECT text FROM net_name WHERE id = a.\(column))" }

    /// Returns the columns that ``init(_:of:)`` reads, of `net_attempt AS a`.
    static func columns(on connection: SQLiteConnection) throws(StoreError) -> String {
        """
        a.number, a.started_us, \(name("method")), a.url, a.status, \(name("error")), \(name("phase")), a.message,
        a.request_bytes, a.response_bytes, a.attempt_us, a.queued_us, a.lookup_us, a.connect_us, a.secure_us,
        a.waiting_us, a.download_us, \(name("version")), a.is_reused, \(name("remote")), a.trace, a.retry_delay_us,
        \(name("retry_reason")), a.ended_us, \(try sending(on: connection))
        """
    }

    /// Returns the same columns, read from `net_item AS a` for a call with one attempt. NULL for the method and the URL,
    /// which are the call's, and for columns that exist only in `net_attempt`.
    static func inlineColumns(on connection: SQLiteConnection) throws(StoreError) -> String {
        """
        1, coalesce(a.attempt_start_us, 0), NULL, NULL, a.status, \(name("error")), \(name("phase")), a.message,
        a.request_bytes, a.response_bytes, a.attempt_us, a.queued_us, a.lookup_us, a.connect_us, a.secure_us,
        a.waiting_us, a.download_us, \(name("version")), a.is_reused, \(name("remote")), a.trace, NULL, NULL,
        NULL, \(try sending(on: connection))
        """
    }

    /// Files of earlier versions don't have the column.
    private static func sending(on connection: SQLiteConnection) throws(StoreError) -> String {
        try connection.hasVersion4() ? "a.sending_us" : "NULL"
    }

    /// Returns the attempts of a finished call: from their own rows, or the single one in the call's row.
    static func all(of item: StoredItem, on connection: SQLiteConnection) throws(StoreError) -> [StoredAttempt] {
        var attempts: [StoredAttempt] = []
        let sql = "SELECT \(try columns(on: connection)) FROM net_attempt AS a WHERE a.item = ? ORDER BY a.number"
        try connection.rows(sql, [.integer(item.id)]) { row throws(StoreError) in
            attempts.append(StoredAttempt(row, of: item))
        }
        guard attempts.isEmpty, item.attempts > 0 else { return attempts }
        let inline = "SELECT \(try inlineColumns(on: connection)) FROM net_item AS a WHERE a.id = ?"
        try connection.rows(inline, [.integer(item.id)]) { row throws(StoreError) in
            attempts.append(StoredAttempt(row, of: item))
        }
        return attempts
    }

    /// Reads the first 25 columns of a row: ``columns(on:)``.
    init(_ row: SQLiteRow, of item: StoredItem) {
        self.init(number: row.int(0) ?? 0)
        start = row.duration(1)
        method = row.text(2) ?? item.method
        url = row.text(3) ?? item.url
        status = row.int(4)
        failure = row.text(5).map { StoredFailure(code: $0, phase: row.text(6) ?? "", message: row.text(7) ?? "") }
        (requestBytes, responseBytes) = (row.integer(8), row.integer(9))
        duration = row.duration(10)
        phases = TransferPhases(
            queued: row.duration(11), lookup: row.duration(12), connect: row.duration(13), secure: row.duration(14),
            sending: row.duration(24), waiting: row.duration(15), download: row.duration(16))
        (version, isReused, remoteAddress) = (row.text(17), row.bool(18), row.text(19))
        trace = row.blob(20).flatMap { StoredTrace.trace($0, call: item.uid) }
        retryDelay = row.duration(21)
        retryReason = row.text(22)
        end = row.duration(23)
    }
}
