internal import NetCore

/// The rows of one event: its call brought up to date, its attempt if it is one, and the event itself.
///
/// Writing an event a second time changes nothing, so that a batch may be tried again.
enum EventRows {
    static func write(_ event: PendingEvent, on connection: SQLiteConnection) throws(StoreError) {
        let id = event.call.description
        switch event.kind {
        case .started(let requestBytes):
            try insertCall(event, id, requestBytes: requestBytes, on: connection)
        case .attemptEnded(let attempt):
            try write(attempt, of: event, id, on: connection)
        case .retrying, .cache:
            try insertCall(event, id, requestBytes: nil, on: connection)
        case .responded(let status):
            let sql = "UPDATE net_call SET status = ? WHERE id = ?"
            try update(event, id, sql, [.integer(Int64(status)), .text(id)], on: connection)
        case .ended(let outcome):
            try write(outcome, of: event, id, on: connection)
        }
        try insertEvent(event, id, on: connection)
    }

    private static func insertCall(
        _ event: PendingEvent, _ id: String, requestBytes: Int64?, on connection: SQLiteConnection
    ) throws(StoreError) {
        let parts = StoredURL(event.url)
        try connection.run(
            """
            INSERT INTO net_call (id, method, url, host, path, operation, name, tags, started_at, request_bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET request_bytes = coalesce(request_bytes, excluded.request_bytes)
            """,
            [
                .text(id), .text(event.method), .text(event.url), .text(parts.host), .text(parts.path),
                .optional(event.metadata.operationName), .optional(event.metadata.name),
                .text(StoredTags.text(event.metadata.tags)),
                .integer(event.occurredAt.subtractingReportingOverflow(event.elapsed).partialValue),
                .optional(requestBytes),
            ])
    }

    /// Changes the call's row; makes it first where the call's beginning was dropped.
    private static func update(
        _ event: PendingEvent, _ id: String, _ sql: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(StoreError) {
        try connection.run(sql, values)
        guard connection.changes == 0 else { return }
        try insertCall(event, id, requestBytes: nil, on: connection)
        try connection.run(sql, values)
    }

    private static func write(
        _ attempt: PendingEvent.Attempt, of event: PendingEvent, _ id: String, on connection: SQLiteConnection
    ) throws(StoreError) {
        let metrics = attempt.metrics
        try connection.run(
            """
            INSERT INTO net_attempt (call, sequence, number, status, error_code, error_phase, error_message,
                resolved_us, connected_us, secured_us, request_sent_us, first_byte_us, total_us,
                request_bytes, response_bytes, version, is_reused, remote)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (call, sequence) DO NOTHING
            """,
            [
                .text(id), .integer(Int64(event.sequence)), .integer(Int64(attempt.number)),
                .optional(attempt.status), .optional(attempt.failure?.code), .optional(attempt.failure?.phase),
                .optional(attempt.failure?.message), time(metrics?.resolved), time(metrics?.connected),
                time(metrics?.secured), time(metrics?.requestSent), time(metrics?.firstByte), time(metrics?.total),
                .optional(metrics?.requestBytes), .optional(metrics?.responseBytes), .optional(metrics?.version),
                .optional(metrics.map { $0.isReused ? 1 : 0 }), .optional(metrics?.remoteAddress),
            ])
        try update(
            event, id,
            """
            UPDATE net_call SET status = ?, request_bytes = coalesce(request_bytes, ?),
                response_bytes = coalesce(?, response_bytes),
                attempts = (SELECT count(*) FROM net_attempt WHERE call = net_call.id)
            WHERE id = ?
            """,
            [
                .optional(attempt.status), .optional(metrics?.requestBytes), .optional(metrics?.responseBytes),
                .text(id),
            ],
            on: connection)
    }

    private static func write(
        _ outcome: PendingEvent.Outcome, of event: PendingEvent, _ id: String, on connection: SQLiteConnection
    ) throws(StoreError) {
        try update(
            event, id,
            """
            UPDATE net_call SET outcome = ?, status = coalesce(?, status), duration_us = ?, error_code = ?,
                error_phase = ?, error_message = ?, response_bytes = coalesce(?, response_bytes)
            WHERE id = ?
            """,
            [
                .text(outcome.name), .optional(outcome.status), .integer(event.elapsed),
                .optional(outcome.failure?.code), .optional(outcome.failure?.phase),
                .optional(outcome.failure?.message), .optional(outcome.responseBytes), .text(id),
            ], on: connection)
    }

    private static func insertEvent(
        _ event: PendingEvent, _ id: String, on connection: SQLiteConnection
    ) throws(StoreError) {
        let text = EventText(event)
        try connection.run(
            """
            INSERT INTO net_event (call, sequence, kind, occurred_at, elapsed_us, title, detail, retry_attempt,
                retry_delay_us)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (call, sequence) DO NOTHING
            """,
            [
                .text(id), .integer(Int64(event.sequence)), .text(text.kind.rawValue), .integer(event.occurredAt),
                .integer(event.elapsed), .text(text.title), .optional(text.detail), .optional(text.retryAttempt),
                time(text.retryDelay),
            ])
    }

    private static func time(_ duration: Duration?) -> SQLiteValue {
        duration.map { .integer(StoredTime.microseconds(of: $0)) } ?? .null
    }
}
