/// Adds jobs to the roll-ups, and subtracts a job whose end has changed.
final class JobHourStatement {
    /// Fills the roll-ups from the entries: for a store without them.
    static let fill = """
        INSERT INTO net_job_hour (hour, host, run, jobs, completed, rejected, failed, cancelled)
            SELECT started_at / \(HourTotals.length), coalesce(host, 0), run, count(*), sum(outcome = 1),
                sum(outcome = 2), sum(outcome = 3), sum(outcome = 4)
            FROM net_item WHERE kind = 3 AND outcome <> 5 GROUP BY 1, 2, 3;

        """

    private let insert, subtract, clear: SQLiteStatement

    init(on connection: SQLiteConnection) throws(StoreError) {
        insert = try connection.prepare(
            """
            INSERT INTO net_job_hour (hour, host, run, jobs, completed, rejected, failed, cancelled)
            VALUES (?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT (hour, host, run) DO UPDATE SET jobs = jobs + 1,
                completed = completed + excluded.completed, rejected = rejected + excluded.rejected,
                failed = failed + excluded.failed, cancelled = cancelled + excluded.cancelled
            """)
        subtract = try connection.prepare(
            """
            UPDATE net_job_hour SET jobs = jobs - 1, completed = completed - ?4, rejected = rejected - ?5,
                failed = failed - ?6, cancelled = cancelled - ?7 WHERE hour = ?1 AND host = ?2 AND run = ?3
            """)
        clear = try connection.prepare(
            "DELETE FROM net_job_hour WHERE hour = ? AND host = ? AND run = ? AND jobs <= 0")
    }

    func add(_ draft: ItemDraft, run: Int64, host: Int64?) throws(StoreError) {
        try use(insert, draft, run: run, host: host)
    }

    /// Subtracts a job; does nothing if its hour was deleted.
    func subtract(_ draft: ItemDraft, run: Int64, host: Int64?) throws(StoreError) {
        try use(subtract, draft, run: run, host: host)
        clear.set(1, draft.startedAt / HourTotals.length)
        clear.set(2, host ?? 0)
        clear.set(3, run)
        try clear.run()
    }

    private func use(
        _ statement: SQLiteStatement, _ draft: ItemDraft, run: Int64, host: Int64?
    ) throws(StoreError) {
        // As with calls, one that was cut off has no end of its own.
        guard let outcome = draft.outcome, outcome != .cutOff else { return }
        statement.set(1, draft.startedAt / HourTotals.length)
        statement.set(2, host ?? 0)
        statement.set(3, run)
        let counted: [StoredItem.Outcome] = [.completed, .rejected, .failed, .cancelled]
        for (place, one) in counted.enumerated() { statement.set(Int32(4 + place), outcome == one) }
        try statement.run()
    }
}
