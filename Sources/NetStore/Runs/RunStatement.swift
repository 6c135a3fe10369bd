internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Writes the row of the run that a writer belongs to.
final class RunStatement {
    let id: Int64
    private let update, repeated, end, flush: SQLiteStatement

    /// Begins a run.
    init(on connection: SQLiteConnection, version: String?, now: Int64) throws(StoreError) {
        let pid = getpid()
        id = try connection.transaction { () throws(StoreError) in
            try connection.run(
                "INSERT INTO net_run (process, pid, pid_started, machine, version, started_at) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .text(Machine.program), .integer(Int64(pid)), .optional(Machine.start(of: pid)),
                    .text(Machine.name),
                    .optional(version), .integer(now),
                ])
            return connection.lastInsertedRow
        }
        update = try connection.prepare(
            """
            UPDATE net_run SET written = ?, failed = ?, dropped_calls = ?, dropped_sockets = ?, dropped_jobs = ?,
                dropped_logs = ?, dropped_captures = ?, dropped_messages = ? WHERE id = ?
            """)
        repeated = try connection.prepare("INSERT OR REPLACE INTO net_repeat (run, entries) VALUES (?, ?)")
        end = try connection.prepare("UPDATE net_run SET ended_at = ? WHERE id = ?")
        flush = try connection.prepare("UPDATE net_run SET flushes = flushes + 1 WHERE id = ?")
    }

    /// Adds a run that has already ended, for an import: of a process that isn't known, with the ID 0. Must be called
    /// inside a transaction.
    static func add(
        process: String, version: String?, at now: Int64, on connection: SQLiteConnection
    ) throws(StoreError) -> Int64 {
        try connection.run(
            """
            INSERT INTO net_run (process, pid, machine, version, started_at, ended_at) VALUES (?, 0, ?, ?, ?, ?)
            """,
            [.text(process), .text(Machine.name), .optional(version), .integer(now), .integer(now)])
        return connection.lastInsertedRow
    }

    /// Writes the totals.
    func write(_ counts: WriterStatistics) throws(StoreError) {
        update.set(1, counts.written)
        update.set(2, counts.failed)
        update.set(3, counts.dropped.calls)
        update.set(4, counts.dropped.sockets)
        update.set(5, counts.dropped.jobs)
        update.set(6, counts.dropped.logs)
        update.set(7, counts.dropped.captures)
        update.set(8, counts.dropped.messages)
        update.set(9, id)
        try update.run()
        guard counts.alreadyStored > 0 else { return }
        repeated.set(1, id)
        repeated.set(2, counts.alreadyStored)
        try repeated.run()
    }

    /// Counts a flush to the disk: a transaction without changes would write nothing and flush nothing.
    func writeFlush() throws(StoreError) {
        flush.set(1, id)
        try flush.run()
    }

    /// Writes the end of the run.
    func write(endedAt now: Int64) throws(StoreError) {
        end.set(1, now)
        end.set(2, id)
        try end.run()
    }
}
