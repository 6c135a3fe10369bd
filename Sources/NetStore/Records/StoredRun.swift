#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A period in which a store was open for writing, and its totals.
public struct StoredRun: Sendable, Hashable, Identifiable {
    /// The state of a run.
    public enum State: Sendable, Hashable {
        /// The process is running.
        case running
        /// The store was closed.
        case ended
        /// The process ended without closing the store.
        case cutOff
        /// The process is in another container or on another host: its state can't be determined.
        case unknown
    }

    /// The number of the run.
    public var id: Int64
    /// The name of the program.
    public var process: String
    /// The process ID; 0 for a run that was imported from a file.
    public var processID: Int
    /// The version of the program, from the configuration.
    public var version: String?
    /// The time when the store was opened.
    public var startedAt: Date
    /// The time when the store was closed; nil while it's open, and for a run that was cut off.
    public var endedAt: Date?
    /// The state of the run.
    public var state: State
    /// The numbers of entries written, dropped and failed, as of the last batch.
    public var statistics: WriterStatistics
}

extension StoredRun {
    static func all(_ rest: String, _ values: [SQLiteValue], on connection: SQLiteConnection) throws(StoreError)
        -> [StoredRun]
    {
        let alreadyStored =
            try connection.hasVersion3() ? "(SELECT entries FROM net_repeat WHERE run = net_run.id)" : "NULL"
        let sql = """
            SELECT id, process, pid, pid_started, machine, version, started_at, ended_at, was_cut_off, written, failed,
                dropped_calls, dropped_sockets, dropped_jobs, dropped_logs, dropped_captures, dropped_messages,
                \(alreadyStored)
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
            statistics: WriterStatistics(
                written: row.int(9) ?? 0, dropped: dropped, failed: row.int(10) ?? 0,
                alreadyStored: row.int(17) ?? 0))
    }

    private static func state(_ row: SQLiteRow) -> State {
        if row.integer(7) != nil { return .ended }
        if row.bool(8) == true { return .cutOff }
        let isAlive = Machine.isAlive(pid: row.integer(2) ?? 0, started: row.integer(3), machine: row.text(4) ?? "")
        return isAlive.map { $0 ? .running : .cutOff } ?? .unknown
    }
}
