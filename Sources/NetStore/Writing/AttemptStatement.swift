/// Inserts the attempts of calls with several attempts.
final class AttemptStatement {
    static let columns = [
        "item", "number", "started_us", "ended_us", "method", "url", "status", "error", "phase", "message",
        "request_bytes", "response_bytes", "attempt_us", "queued_us", "lookup_us", "connect_us", "secure_us",
        "waiting_us", "download_us", "version", "is_reused", "remote", "trace", "retry_reason", "retry_delay_us",
        "sending_us",
    ]

    private let names: NameTable
    private let insert: SQLiteStatement

    init(on connection: SQLiteConnection, names: NameTable) throws(StoreError) {
        self.names = names
        let marks = Self.columns.map { _ in "?" }.joined(separator: ", ")
        // Clients never send two attempts with the same number; if there are two, the later one replaces the other.
        insert = try connection.prepare(
            "INSERT OR REPLACE INTO net_attempt (\(Self.columns.joined(separator: ", "))) VALUES (\(marks))")
    }

    func write(_ attempts: [AttemptRow], item: Int64) throws(StoreError) {
        for attempt in attempts { try write(attempt, item: item) }
    }

    private func write(_ attempt: AttemptRow, item: Int64) throws(StoreError) {
        insert.set(1, item)
        insert.set(2, attempt.number)
        insert.set(3, attempt.start)
        insert.set(4, attempt.end)
        insert.set(5, try names.id(attempt.method))
        insert.set(6, attempt.url)
        insert.set(7, attempt.status)
        insert.set(8, try names.id(attempt.error))
        insert.set(9, try names.id(attempt.phase))
        insert.set(10, attempt.message)
        insert.set(11, attempt.requestBytes)
        insert.set(12, attempt.responseBytes)
        insert.set(13, attempt.total)
        insert.set(14, attempt.queued)
        insert.set(15, attempt.lookup)
        insert.set(16, attempt.connect)
        insert.set(17, attempt.secure)
        insert.set(18, attempt.waiting)
        insert.set(19, attempt.download)
        insert.set(20, try names.id(attempt.version))
        insert.set(21, attempt.isReused)
        insert.set(22, try names.id(attempt.remote))
        if let trace = attempt.trace {
            trace.withUnsafeBytes { insert.set(23, $0) }
        } else {
            insert.set(23, nil as Int64?)
        }
        insert.set(24, try names.id(attempt.retryReason))
        insert.set(25, attempt.retryDelay)
        insert.set(26, attempt.sending)
        try insert.run()
    }
}
