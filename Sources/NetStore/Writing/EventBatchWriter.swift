internal import NetCore

/// Writes events in transactions, and the writer's own counts with them.
struct EventBatchWriter: Sendable {
    /// What one step did.
    struct Outcome {
        var written = 0
        /// Events whose row the database refused.
        var failed = 0
        /// Why the last of those was refused.
        var rowError: StoreError?
        /// Why the step ended early; what is left is tried again.
        var error: StoreError?
    }

    /// The row of `net_session` that belongs to this writer.
    let session: Int64
    /// Events in one transaction.
    let batchSize: Int
    let clock: NetClock

    /// Begins a session.
    init(on connection: SQLiteConnection, batchSize: Int, clock: NetClock) throws(StoreError) {
        self.batchSize = batchSize
        self.clock = clock
        let now = StoredTime.microseconds(of: clock.date())
        session = try connection.transaction { () throws(StoreError) in
            try connection.run("INSERT INTO net_session (opened_at) VALUES (?)", [.integer(now)])
            return connection.lastInsertedRow
        }
    }

    /// Writes the first batch of the events. A row that the database refuses does not take its neighbours with it.
    func write(
        _ events: ArraySlice<PendingEvent>, before: WriterStatistics, on connection: SQLiteConnection
    ) -> Outcome {
        let batch = events.prefix(batchSize)
        do throws(StoreError) {
            try commit(batch, before: before, on: connection)
            return Outcome(written: batch.count)
        } catch {
            return error.isAboutTheRow ? writeSingly(batch, before: before, on: connection) : Outcome(error: error)
        }
    }

    /// Notes the end of the session and empties the log; best effort, the events are safe already.
    func finish(_ statistics: WriterStatistics, on connection: SQLiteConnection) {
        do throws(StoreError) {
            try connection.transaction { () throws(StoreError) in
                try update(statistics, on: connection)
                let now = StoredTime.microseconds(of: clock.date())
                try connection.run(
                    "UPDATE net_session SET closed_at = ? WHERE id = ?", [.integer(now), .integer(session)])
            }
        } catch {
            // The counts of a session that could not be closed stay as its last batch left them.
        }
        connection.checkpoint()
    }

    private func writeSingly(
        _ batch: ArraySlice<PendingEvent>, before: WriterStatistics, on connection: SQLiteConnection
    ) -> Outcome {
        var outcome = Outcome()
        for event in batch {
            var counts = before
            counts.written += outcome.written
            counts.failed += outcome.failed
            do throws(StoreError) {
                try commit([event], before: counts, on: connection)
                outcome.written += 1
            } catch {
                guard error.isAboutTheRow else {
                    outcome.error = error
                    return outcome
                }
                outcome.failed += 1
                outcome.rowError = error
            }
        }
        return outcome
    }

    private func commit(
        _ batch: ArraySlice<PendingEvent>, before: WriterStatistics, on connection: SQLiteConnection
    ) throws(StoreError) {
        var counts = before
        counts.written += batch.count
        try connection.transaction { () throws(StoreError) in
            for event in batch { try EventRows.write(event, on: connection) }
            try update(counts, on: connection)
        }
    }

    private func update(_ counts: WriterStatistics, on connection: SQLiteConnection) throws(StoreError) {
        try connection.run(
            "UPDATE net_session SET written = ?, dropped = ?, failed = ? WHERE id = ?",
            [
                .integer(Int64(counts.written)), .integer(Int64(counts.dropped)), .integer(Int64(counts.failed)),
                .integer(session),
            ])
    }
}
