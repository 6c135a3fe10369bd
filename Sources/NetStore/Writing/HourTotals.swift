/// The roll-up totals of a batch, summed up so that each row is written once.
struct HourTotals {
    struct Key: Hashable {
        let hour: Int64
        let operation, host: Int64
        let bucket: Int
    }

    struct Total {
        var calls = 0
        var completed = 0, rejected = 0, failed = 0, cancelled = 0
        var retried = 0, reused = 0, attempts = 0
        var requestBytes: Int64 = 0
        var responseBytes: Int64 = 0
    }

    /// The microseconds in an hour.
    static let length: Int64 = 3_600_000_000

    private(set) var totals: [Key: Total] = [:]
    /// The number of entries that were already stored and changed nothing.
    var alreadyStored = 0

    /// Adds a finished call.
    mutating func add(_ draft: ItemDraft, operation: Int64?, host: Int64?) {
        let key = Key(
            hour: draft.startedAt / Self.length, operation: operation ?? 0, host: host ?? 0,
            bucket: DurationBucket.number(of: draft.duration ?? 0))
        totals[key, default: Total()].add(draft)
    }
}

extension HourTotals.Total {
    fileprivate mutating func add(_ draft: ItemDraft) {
        calls += 1
        switch draft.outcome {
        case .completed: completed += 1
        case .rejected: rejected += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        case .cutOff, nil: break
        }
        if draft.retries > 0 { retried += 1 }
        if draft.isReused == true { reused += 1 }
        attempts += draft.attemptCount
        requestBytes += draft.requestBytes ?? 0
        responseBytes += draft.responseBytes ?? 0
    }
}

/// Adds roll-ups to the table.
final class HourStatement {
    private let statement: SQLiteStatement

    init(on connection: SQLiteConnection) throws(StoreError) {
        let sums = [
            "calls", "completed", "rejected", "failed", "cancelled", "retried", "reused", "attempts", "request_bytes",
            "response_bytes",
        ]
        statement = try connection.prepare(
            """
            INSERT INTO net_hour (hour, operation, host, run, bucket, \(sums.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (hour, operation, host, run, bucket) DO UPDATE SET
            \(sums.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", "))
            """)
    }

    func add(_ totals: HourTotals, run: Int64) throws(StoreError) {
        for (key, total) in totals.totals {
            let values: [Int64] = [
                key.hour, key.operation, key.host, run, Int64(key.bucket), Int64(total.calls), Int64(total.completed),
                Int64(total.rejected), Int64(total.failed), Int64(total.cancelled), Int64(total.retried),
                Int64(total.reused), Int64(total.attempts), total.requestBytes, total.responseBytes,
            ]
            for (index, value) in values.enumerated() { statement.set(Int32(index + 1), value) }
            try statement.run()
        }
    }
}
