internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Deletes old entries in slices, so that the writer can serve its queue between them.
final class Pruner {
    /// The maximum CPU time of a slice.
    static let slice: Duration = .milliseconds(10)
    /// The maximum number of entries deleted in one transaction; a slice runs as many transactions as fit.
    static let step = 256
    /// The number of pages returned to the file system in one step.
    static let vacuumStep = 64

    private let connection: SQLiteConnection
    private let settings: ActivityStore.Retention
    private let interval: Duration
    private let clock: NetClock
    private let delete: ItemDeletion
    /// Returns the CPU time of this thread; tests inject their own.
    private let cpu: () -> Duration
    /// True if the file contains only tables of the store: only then its size is a criterion and it may be vacuumed.
    private let ownsFile: Bool
    private var nextLook: Duration
    /// All entries up to this one are pinned or deleted.
    private var cursor: Int64 = 0
    private var isPruning = false

    init(
        on connection: SQLiteConnection, bodies: BodyStatement, configuration: ActivityStore.Configuration,
        cpu: @escaping () -> Duration = Pruner.threadTime
    ) throws(StoreError) {
        self.connection = connection
        self.cpu = cpu
        settings = configuration.retention
        interval = configuration.pruneInterval
        clock = configuration.clock
        delete = try ItemDeletion(on: connection, bodies: bodies)
        nextLook = clock.now() + interval
        let foreign = """
            SELECT count(*) FROM sqlite_schema
            WHERE name NOT LIKE 'net\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            """
        ownsFile = try connection.integer(foreign) == 0
    }

    /// Starts over after everything was deleted.
    func startOver() { cursor = 0 }

    /// Does a slice of the work if it's due. Returns the time until more is due; zero if there is more to do now.
    ///
    /// - Parameter isAwaited: Returns true if a task waits for the writer: the slice then ends after its current step.
    ///   Default: always false.
    func tidy(now: Duration, isAwaited: () -> Bool = { false }) throws(StoreError) -> Duration {
        guard isPruning || now >= nextLook else { return nextLook - now }
        nextLook = now + interval
        // An entry may have been unpinned since the last run.
        if !isPruning { cursor = 0 }
        isPruning = true
        let isDone = try pruneSlice(atMost: Self.slice, isAwaited).isDone
        isPruning = !isDone
        if isDone { shortenLog() }
        return isDone ? interval : .zero
    }

    /// Deletes everything that is due, without pausing between slices.
    func pruneAll() throws(StoreError) -> Int {
        cursor = 0
        var deleted = 0
        while true {
            let slice = try pruneSlice(atMost: Self.slice) { false }
            deleted += slice.deleted
            if slice.isDone { return deleted }
        }
    }

    private func pruneSlice(
        atMost limit: Duration, _ isAwaited: () -> Bool
    ) throws(StoreError) -> (deleted: Int, isDone: Bool) {
        let start = cpu()
        var deleted = 0
        repeat {
            let step = try pruneStep()
            deleted += step.deleted
            guard step.isLast else { continue }
            if try pruneHour() { continue }
            if try !vacuum() { return (deleted, true) }
        } while cpu() - start < limit && !isAwaited()
        return (deleted, false)
    }

    // MARK: Entries

    /// Examines up to `step` entries in one transaction, and deletes those that are due.
    private func pruneStep() throws(StoreError) -> (deleted: Int, isLast: Bool) {
        guard settings.age != nil || settings.entries != nil || settings.bytes != nil else { return (0, true) }
        let step = try connection.transaction { () throws(StoreError) in try deleteStep() }
        cursor = step.last
        return (step.deleted, step.isLast)
    }

    private func deleteStep() throws(StoreError) -> (deleted: Int, last: Int64, isLast: Bool) {
        let excess = try excess()
        let now = StoredTime.microseconds(of: clock.date())
        let oldest = settings.age.map { now.subtractingReportingOverflow(StoredTime.microseconds(of: $0)).partialValue }
        let candidates = try delete.candidates(after: cursor, limit: Self.step)
        var (due, last) = ([ItemDeletion.Entry](), cursor)
        for entry in candidates {
            let isTooOld = oldest.map { entry.endedAt < $0 } ?? false
            if isTooOld || due.count < excess {
                due.append(entry)
            } else if entry.kind != .job {
                break
            }
            // A job keeps its number when another process goes on with it: it may be younger than those after it.
            last = entry.id
        }
        let isLast = candidates.count < Self.step || last != candidates.last?.id
        guard !due.isEmpty else { return (0, isLast ? cursor : last, isLast) }
        try delete.delete(due[...])
        return (due.count, last, isLast)
    }

    /// Returns the number of entries to delete because of the limits on count and size.
    private func excess() throws(StoreError) -> Int64 {
        var excess: Int64 = 0
        if let limit = settings.entries { excess = max(excess, try delete.count() - Int64(limit)) }
        if let limit = settings.bytes, ownsFile {
            let pages = try connection.integer("PRAGMA page_count") ?? 0
            let free = try connection.integer("PRAGMA freelist_count") ?? 0
            let size = try connection.integer("PRAGMA page_size") ?? 4096
            if (pages - free) * size > limit { excess = max(excess, Int64(Self.step)) }
        }
        return excess
    }

    // MARK: Roll-ups and pages

    /// Deletes the roll-ups of one hour; returns false if no hour is old enough.
    ///
    /// The roll-ups of jobs, of which there are few, are deleted together.
    private func pruneHour() throws(StoreError) -> Bool {
        guard let age = settings.rollUpAge else { return false }
        let now = StoredTime.microseconds(of: clock.date())
        let limit = now.subtractingReportingOverflow(StoredTime.microseconds(of: age)).partialValue / HourTotals.length
        let first =
            "SELECT min(hour) FROM (SELECT min(hour) AS hour FROM net_hour UNION SELECT min(hour) FROM net_job_hour)"
        guard let oldest = try connection.integer(first), oldest < limit else { return false }
        return try connection.transaction { () throws(StoreError) in
            try connection.run("DELETE FROM net_hour WHERE hour = ?", [.integer(oldest)])
            try connection.run("DELETE FROM net_job_hour WHERE hour < ?", [.integer(limit)])
            return true
        }
    }

    /// Returns some free pages to the file system; returns false if there are so few that new rows will use them.
    private func vacuum() throws(StoreError) -> Bool {
        guard ownsFile, try connection.integer("PRAGMA auto_vacuum") == 2 else { return false }
        let free = try connection.integer("PRAGMA freelist_count") ?? 0
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        guard free > max(256, pages / 8) else { return false }
        try connection.execute("PRAGMA incremental_vacuum(\(Self.vacuumStep))")
        return true
    }

    /// Truncates a log that has grown because readers blocked checkpoints; if they still do, tries again at the next
    /// check.
    private func shortenLog() {
        var information = stat()
        guard stat(connection.path + "-wal", &information) == 0, information.st_size > 8 << 20 else { return }
        connection.checkpoint()
    }

    /// Returns the CPU time that the calling thread has used.
    static func threadTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
