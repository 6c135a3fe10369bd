#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One opening of a store for writing, and what became of what it was handed.
public struct StoredRun: Sendable, Hashable, Identifiable {
    /// How a run stands.
    public enum State: Sendable, Hashable {
        /// Its process lives.
        case running
        /// It has closed its store.
        case ended
        /// Its process has ended without closing it.
        case cutOff
        /// Its process is in another container or on another host: nothing can be said.
        case unknown
    }

    /// The number of the run.
    public var id: Int64
    /// The name of the program.
    public var process: String
    /// The ID of its process.
    public var processID: Int
    /// The version of the program, as the configuration named it.
    public var version: String?
    /// When the store was opened.
    public var startedAt: Date
    /// When the store was closed; nil while it is open, and for a run that was cut off.
    public var endedAt: Date?
    /// How it stands.
    public var state: State
    /// What was written, dropped and given up, as of the last batch.
    public var statistics: WriterStatistics
}

extension StoredRun {
    static func all(_ rest: String, _ values: [SQLiteValue], on connection: SQLiteConnection) throws(StoreError)
        -> [StoredRun]
    {
        let sql = """
            SELECT id, process, pid, pid_started, machine, version, started_at, ended_at, was_cut_off, written, failed,
                dropped_calls, dropped_sockets, dropped_jobs, dropped_logs, dropped_captures, dropped_messages
            FROM net_run\(rest)
            """
        var runs: [StoredRun] = []
        try connection.query(sql, values) { row throws(StoreError) in runs.append(StoredRun(row)) }
        return runs
    }

    private init(_ row: SQLiteRow) {
        let dropped = WriterStatistics.Dropped(
            calls: row.int(11) ?? 0, sockets: row.int(12) ?? 0, jobs: row.int(13) ?? 0, logs: row.int(14) ?? 0,
            captures: row.int(15) ?? 0, messages: row.int(16) ?? 0)
        self.init(
            id: row.integer(0) ?? 0, process: row.text(1) ?? "", processID: row.int(2) ?? 0, version: row.text(5),
            startedAt: StoredTime.date(row.integer(6) ?? 0), endedAt: row.integer(7).map(StoredTime.date),
            state: Self.state(row),
            statistics: WriterStatistics(written: row.int(9) ?? 0, dropped: dropped, failed: row.int(10) ?? 0))
    }

    private static func state(_ row: SQLiteRow) -> State {
        if row.integer(7) != nil { return .ended }
        if row.bool(8) == true { return .cutOff }
        let isAlive = Machine.isAlive(pid: row.integer(2) ?? 0, started: row.integer(3), machine: row.text(4) ?? "")
        return isAlive.map { $0 ? .running : .cutOff } ?? .unknown
    }
}
