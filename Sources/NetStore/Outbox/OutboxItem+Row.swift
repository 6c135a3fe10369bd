internal import HTTPTypes
internal import NetCore

extension OutboxItem {
    /// The columns that ``init(_:_:)`` reads, before the one with the item's user (``OutboxTables/owner``).
    static let columns = """
        id, state, order_key, method, target, name, operation, tags, body_bytes, idempotency_key, accepted_at,
        changed_at, expires_at, due_at, attempts, park_reason, status, response_headers, response_body, response_is_cut,
        error_code, error_message
        """

    init(_ row: SQLiteRow, _ redaction: RedactionPolicy) throws(StoreError) {
        guard let state = row.int(1).flatMap(State.init(rawValue:)) else { throw row.unexpected("an unknown state") }
        guard let method = row.text(3).flatMap({ HTTPRequest.Method($0) }) else {
            throw row.unexpected("an invalid method")
        }
        id = row.integer(0) ?? 0
        self.state = state
        orderKey = row.text(2)
        self.method = method
        url = redaction.redact(url: row.text(4) ?? "")
        name = row.text(5)
        operationID = row.text(6)
        tags = row.text(7).map { OutboxText.list($0) } ?? []
        bodyBytes = row.int(8) ?? 0
        idempotencyKey = row.text(9) ?? ""
        acceptedAt = StoredTime.date(row.integer(10) ?? 0)
        changedAt = StoredTime.date(row.integer(11) ?? 0)
        expiresAt = row.integer(12).map(StoredTime.date)
        nextAttempt = state == .waiting ? row.integer(13).map(StoredTime.date) : nil
        attempts = row.int(14) ?? 0
        parkReason = state == .parked ? row.text(15).flatMap(ParkReason.init(rawValue:)) : nil
        response = row.int(16).map { status in
            OutboxResponse(
                status: status, headers: OutboxText.headers(row.text(17) ?? ""), body: Bytes(row.blob(18) ?? []),
                isCut: row.bool(19) ?? false)
        }
        isOwned = row.text(22) != nil
        failure = row.text(20).map { Failure(code: $0, message: row.text(21) ?? "") }
    }
}
