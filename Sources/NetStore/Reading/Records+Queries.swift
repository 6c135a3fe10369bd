internal import NetCore

extension CallRecord {
    /// The calls of `SELECT … FROM net_call` with that tail.
    static func all(
        _ tail: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(StoreError) -> [CallRecord] {
        var result: [CallRecord] = []
        try connection.query("SELECT \(columns) FROM net_call\(tail)", values) { row throws(StoreError) in
            result.append(try CallRecord(row))
        }
        return result
    }
}

extension EventRecord {
    /// The events of `SELECT … FROM net_event` with that tail.
    static func all(
        _ tail: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(StoreError) -> [EventRecord] {
        var result: [EventRecord] = []
        try connection.query("SELECT \(columns) FROM net_event \(tail)", values) { row throws(StoreError) in
            result.append(try EventRecord(row))
        }
        return result
    }
}

extension CallDetail {
    static func find(_ id: CallID, on connection: SQLiteConnection) throws(StoreError) -> CallDetail? {
        let key = SQLiteValue.text(id.description)
        guard let call = try CallRecord.all(" WHERE id = ?", [key], on: connection).first else { return nil }
        return CallDetail(
            call: call, attempts: try attempts(of: id, on: connection),
            events: try EventRecord.all("WHERE call = ? ORDER BY sequence", [key], on: connection))
    }

    static func attempts(of id: CallID, on connection: SQLiteConnection) throws(StoreError) -> [AttemptRecord] {
        var result: [AttemptRecord] = []
        let sql = "SELECT \(AttemptRecord.columns) FROM net_attempt WHERE call = ? ORDER BY sequence"
        try connection.query(sql, [.text(id.description)]) { row throws(StoreError) in
            result.append(AttemptRecord(row))
        }
        return result
    }
}

extension OperationStatistics {
    /// The nearest rank of p per cent among n values is ⌈p·n / 100⌉, counted from 1; ended calls are ranked first.
    private static func sql(_ clause: String) -> String {
        """
        WITH chosen AS (SELECT * FROM net_call\(clause)),
        ranked AS (
            SELECT *, count(duration_us) OVER (PARTITION BY operation) AS ended,
                row_number() OVER (PARTITION BY operation ORDER BY duration_us IS NULL, duration_us) AS rank
            FROM chosen)
        SELECT operation, count(*), sum(outcome IS 'completed'), sum(outcome IS 'rejected'), sum(outcome IS 'failed'),
            sum(outcome IS 'cancelled'), sum(attempts),
            max(duration_us) FILTER (WHERE rank = (ended * 50 + 99) / 100),
            max(duration_us) FILTER (WHERE rank = (ended * 95 + 99) / 100),
            max(duration_us) FILTER (WHERE rank = (ended * 99 + 99) / 100),
            sum(coalesce(request_bytes, 0)), sum(coalesce(response_bytes, 0))
        FROM ranked GROUP BY operation ORDER BY count(*) DESC, operation
        """
    }

    static func all(
        _ condition: SQLiteCondition, on connection: SQLiteConnection
    ) throws(StoreError) -> [OperationStatistics] {
        var result: [OperationStatistics] = []
        try connection.query(sql(condition.clause), condition.values) { row throws(StoreError) in
            result.append(
                OperationStatistics(
                    operation: row.text(0), count: row.int(1) ?? 0, completed: row.int(2) ?? 0,
                    rejected: row.int(3) ?? 0, failed: row.int(4) ?? 0, cancelled: row.int(5) ?? 0,
                    attempts: row.int(6) ?? 0, p50: row.integer(7).map(StoredTime.duration),
                    p95: row.integer(8).map(StoredTime.duration), p99: row.integer(9).map(StoredTime.duration),
                    requestBytes: row.integer(10) ?? 0, responseBytes: row.integer(11) ?? 0))
        }
        return result
    }
}
