internal import NetCore

/// Computes the statistics of groups of calls and jobs, from the roll-ups or from the entries themselves.
struct StatisticsQuery {
    let grouping: StoredStatistics.Grouping
    /// The first and the last hour, in the numbering of the roll-ups; nil for no limit.
    let hours: (first: Int64?, last: Int64?)

    private static let sums = [
        "completed", "rejected", "failed", "cancelled", "retried", "reused", "attempts", "request_bytes",
        "response_bytes",
    ]

    // MARK: From roll-ups

    func rollUps(on connection: SQLiteConnection) throws(StoreError) -> [StoredStatistics] {
        let group = grouping.column(hour: "h.hour")
        let sums = Self.sums.map { "sum(\($0))" }.joined(separator: ", ")
        let sql = """
            SELECT \(group) AS grouped, bucket, sum(calls), \(sums) FROM net_hour AS h
            WHERE hour BETWEEN ? AND ? GROUP BY grouped, bucket ORDER BY grouped, bucket
            """
        let values: [SQLiteValue] = [.integer(hours.first ?? .min), .integer(hours.last ?? .max)]
        var groups: [(key: Int64, statistics: StoredStatistics, buckets: [(number: Int, calls: Int)])] = []
        try connection.query(sql, values) { row throws(StoreError) in
            let key = row.integer(0) ?? 0
            if groups.last?.key != key { groups.append((key, StoredStatistics(empty: nil), [])) }
            groups[groups.count - 1].statistics.add(row, at: 2)
            groups[groups.count - 1].buckets.append((row.int(1) ?? 0, row.int(2) ?? 0))
        }
        var found: [Int64: StoredStatistics] = [:]
        for group in groups {
            var statistics = group.statistics
            let percentile = { (share: Int) in Self.percentile(share, of: group.buckets) }
            (statistics.p50, statistics.p95, statistics.p99) = (percentile(50), percentile(95), percentile(99))
            found[group.key] = statistics
        }
        try addJobs(to: &found, on: connection)
        return try sorted(found, on: connection)
    }

    /// Adds the jobs of the roll-ups; in a file of an earlier version, which has none, those of the list.
    private func addJobs(
        to found: inout [Int64: StoredStatistics], on connection: SQLiteConnection
    ) throws(StoreError) {
        let listed = """
            (SELECT started_at / \(HourTotals.length) AS hour, coalesce(host, 0) AS host, run, 1 AS jobs,
                outcome = 1 AS completed, outcome = 2 AS rejected, outcome = 3 AS failed, outcome = 4 AS cancelled
            FROM net_item WHERE kind = 3 AND outcome <> 5)
            """
        let group = grouping == .operation ? "0" : grouping.column(hour: "h.hour")
        let sql = """
            SELECT \(group) AS grouped, sum(jobs), sum(completed), sum(rejected), sum(failed), sum(cancelled)
            FROM \(try connection.hasVersion3() ? "net_job_hour" : listed) AS h
            WHERE hour BETWEEN ? AND ? GROUP BY grouped
            """
        let values: [SQLiteValue] = [.integer(hours.first ?? .min), .integer(hours.last ?? .max)]
        try connection.query(sql, values) { row throws(StoreError) in
            found[row.integer(0) ?? 0, default: StoredStatistics(empty: nil)].addJobs(row, at: 1)
        }
    }

    /// Returns the middle of the class that contains the nearest rank. The classes must be in ascending order.
    static func percentile(_ share: Int, of buckets: [(number: Int, calls: Int)]) -> Duration? {
        let calls = buckets.reduce(0) { $0 + $1.calls }
        guard calls > 0 else { return nil }
        let rank = (calls * share + 99) / 100
        var passed = 0
        for bucket in buckets {
            passed += bucket.calls
            if passed >= rank { return .microseconds(Int64(DurationBucket.middle(of: bucket.number).rounded())) }
        }
        return nil
    }

    // MARK: From entries

    /// Ranks the stored calls, and counts the stored jobs. The nearest rank of p percent among n values is ⌈p·n / 100⌉, counted from 1.
    func exact(_ condition: FilterCondition, on connection: SQLiteConnection) throws(StoreError) -> [StoredStatistics] {
        var conditions = [condition, FilterCondition("i.kind IN (1, 3) AND i.outcome <> 5")]
        if let first = hours.first {
            conditions.append(FilterCondition("i.started_at >= ?", [.integer(first * HourTotals.length)]))
        }
        if let last = hours.last {
            conditions.append(FilterCondition("i.started_at < ?", [.integer((last + 1) * HourTotals.length)]))
        }
        let condition = FilterCondition.all(conditions)
        let group = grouping.column(hour: "i.started_at / \(HourTotals.length)")
        let sql = """
            WITH ranked AS (
                SELECT coalesce(\(group), 0) AS grouped, i.*, i.kind = 1 AS isCall, count(*) OVER byGroup AS total,
                    row_number() OVER (
                        PARTITION BY coalesce(\(group), 0), i.kind ORDER BY coalesce(duration_us, 0)) AS rank
                FROM net_item AS i WHERE \(condition.sql) WINDOW byGroup AS (PARTITION BY coalesce(\(group), 0), i.kind))
            SELECT grouped, sum(isCall), sum(isCall AND outcome = 1), sum(isCall AND outcome = 2),
                sum(isCall AND outcome = 3), sum(isCall AND outcome = 4), sum(isCall AND coalesce(retries, 0) > 0),
                sum(isCall AND coalesce(is_reused, 0)), sum(isCall * coalesce(attempts, 0)),
                sum(isCall * coalesce(request_bytes, 0)), sum(isCall * coalesce(response_bytes, 0)),
                max(duration_us) FILTER (WHERE isCall AND rank = (total * 50 + 99) / 100),
                max(duration_us) FILTER (WHERE isCall AND rank = (total * 95 + 99) / 100),
                max(duration_us) FILTER (WHERE isCall AND rank = (total * 99 + 99) / 100),
                sum(NOT isCall), sum(NOT isCall AND outcome = 1), sum(NOT isCall AND outcome = 2),
                sum(NOT isCall AND outcome = 3), sum(NOT isCall AND outcome = 4)
            FROM ranked GROUP BY grouped
            """
        var found: [Int64: StoredStatistics] = [:]
        try connection.query(sql, condition.values) { row throws(StoreError) in
            var statistics = StoredStatistics(empty: nil)
            statistics.add(row, at: 1)
            (statistics.p50, statistics.p95, statistics.p99) = (row.duration(11), row.duration(12), row.duration(13))
            statistics.addJobs(row, at: 14)
            found[row.integer(0) ?? 0] = statistics
        }
        return try sorted(found, on: connection)
    }

    // MARK: Groups

    private func text(of key: Int64, on connection: SQLiteConnection) throws(StoreError) -> String? {
        switch grouping {
        case .all: return nil
        case .operation, .host:
            var text: String?
            try connection.query("SELECT text FROM net_name WHERE id = ?", [.integer(key)]) { row throws(StoreError) in
                text = row.text(0)
            }
            return text
        case .hour: return RFC3339.format(StoredTime.date(key &* HourTotals.length))
        case .run: return String(key)
        }
    }

    /// Names the groups. Sorts operations and hosts by number of calls, and hours and runs newest first.
    private func sorted(
        _ found: [Int64: StoredStatistics], on connection: SQLiteConnection
    ) throws(StoreError) -> [StoredStatistics] {
        var groups: [StoredStatistics] = []
        for (key, each) in found.sorted(by: { $0.key < $1.key }) {
            var statistics = each
            statistics.group = try text(of: key, on: connection)
            groups.append(statistics)
        }
        return switch grouping {
        case .all, .operation, .host:
            groups.sorted { ($1.calls, $0.group ?? "") < ($0.calls, $1.group ?? "") }
        case .hour, .run: groups.reversed()
        }
    }
}

extension StoredStatistics.Grouping {
    /// The column to group by; both tables use the same name.
    fileprivate func column(hour: String) -> String {
        switch self {
        case .all: "0"
        case .operation: "operation"
        case .host: "host"
        case .hour: hour
        case .run: "run"
        }
    }
}

extension StoredStatistics {
    fileprivate init(empty group: String?) {
        self.init(
            group: group, calls: 0, completed: 0, rejected: 0, failed: 0, cancelled: 0, retried: 0, reused: 0,
            attempts: 0,
            requestBytes: 0, responseBytes: 0)
    }

    /// Adds the numbers of jobs of a row.
    fileprivate mutating func addJobs(_ row: SQLiteRow, at column: Int32) {
        jobs += row.int(column) ?? 0
        completed += row.int(column + 1) ?? 0
        rejected += row.int(column + 2) ?? 0
        failed += row.int(column + 3) ?? 0
        cancelled += row.int(column + 4) ?? 0
    }

    /// Adds the totals of a row.
    fileprivate mutating func add(_ row: SQLiteRow, at column: Int32) {
        calls += row.int(column) ?? 0
        completed += row.int(column + 1) ?? 0
        rejected += row.int(column + 2) ?? 0
        failed += row.int(column + 3) ?? 0
        cancelled += row.int(column + 4) ?? 0
        retried += row.int(column + 5) ?? 0
        reused += row.int(column + 6) ?? 0
        attempts += row.int(column + 7) ?? 0
        requestBytes += row.integer(column + 8) ?? 0
        responseBytes += row.integer(column + 9) ?? 0
    }
}
