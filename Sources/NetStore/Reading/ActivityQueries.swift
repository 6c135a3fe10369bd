public import NetCore

/// The questions a store answers. They run one after another on the reader's own thread, never on the caller's.
///
/// A query sees what is committed: call ``ActivityStore/flush()`` first to see what was recorded just now. All throw
/// ``StoreError``; a task that is cancelled while its query waits gets `cancelled`, one whose query runs gets the result.
public protocol ActivityQueries: Sendable {
    /// The connection that answers.
    var reader: ActivityReader { get }
}

extension ActivityQueries {
    /// Calls, newest first.
    ///
    /// - Parameters:
    ///   - filter: Which calls; all by default.
    ///   - limit: At most so many. Default 100.
    ///   - cursor: Begin after this one: the last call's ``CallRecord/cursor`` of the page before.
    public func calls(
        matching filter: CallFilter = .all, limit: Int = 100, after cursor: CallCursor? = nil
    ) async throws(StoreError) -> [CallRecord] {
        try await reader.worker.perform { connection throws(StoreError) in
            var condition = filter.condition
            if let cursor {
                condition.add(
                    "(started_at, id) < (?, ?)", .integer(cursor.startedAt), .text(cursor.id.description))
            }
            return try CallRecord.all(
                "\(condition.clause) ORDER BY started_at DESC, id DESC LIMIT ?",
                condition.values + [.integer(Int64(max(0, limit)))], on: connection)
        }
    }

    /// One call with its attempts and events; nil when it is not stored.
    public func call(id: CallID) async throws(StoreError) -> CallDetail? {
        try await reader.worker.perform { connection throws(StoreError) in
            try connection.snapshot { () throws(StoreError) in try CallDetail.find(id, on: connection) }
        }
    }

    /// Calls whose id begins or ends with that text, newest first; at most `limit`, default 2: enough to see whether
    /// it is unique.
    public func calls(identifiedBy text: String, limit: Int = 2) async throws(StoreError) -> [CallRecord] {
        try await reader.worker.perform { connection throws(StoreError) in
            let pattern = SQLiteCondition.escapingPattern(text.lowercased())
            return try CallRecord.all(
                " WHERE id LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\' ORDER BY started_at DESC, id DESC LIMIT ?",
                [.text(pattern + "%"), .text("%" + pattern), .integer(Int64(max(0, limit)))], on: connection)
        }
    }

    /// The calls that took longest, slowest first, each with its last attempt and where the time went.
    public func slowest(
        matching filter: CallFilter = .all, limit: Int = 10
    ) async throws(StoreError) -> [SlowCall] {
        try await reader.worker.perform { connection throws(StoreError) in
            var condition = filter.condition
            condition.add("duration_us IS NOT NULL")
            return try connection.snapshot { () throws(StoreError) in
                let calls = try CallRecord.all(
                    "\(condition.clause) ORDER BY duration_us DESC, id DESC LIMIT ?",
                    condition.values + [.integer(Int64(max(0, limit)))], on: connection)
                var result: [SlowCall] = []
                for call in calls {
                    let attempts = try CallDetail.attempts(of: call.id, on: connection)
                    result.append(SlowCall(call: call, attempt: attempts.last))
                }
                return result
            }
        }
    }

    /// How many calls match.
    public func count(matching filter: CallFilter = .all) async throws(StoreError) -> Int {
        try await reader.worker.perform { connection throws(StoreError) in
            let condition = filter.condition
            return Int(
                try connection.integer("SELECT count(*) FROM net_call\(condition.clause)", condition.values) ?? 0)
        }
    }

    /// Counts, exact percentiles of the duration and bytes of each operation, the most called first.
    public func operationStatistics(
        matching filter: CallFilter = .all
    ) async throws(StoreError) -> [OperationStatistics] {
        try await reader.worker.perform { connection throws(StoreError) in
            try OperationStatistics.all(filter.condition, on: connection)
        }
    }

    /// Events of all calls, newest first; at most `limit`, default 100.
    public func recentEvents(limit: Int = 100) async throws(StoreError) -> [EventRecord] {
        try await reader.worker.perform { connection throws(StoreError) in
            try EventRecord.all(
                "ORDER BY occurred_at DESC, call DESC, sequence DESC LIMIT ?", [.integer(Int64(max(0, limit)))],
                on: connection)
        }
    }

    /// The openings of the store for writing, newest first, with what each wrote and dropped; at most `limit`.
    public func sessions(limit: Int = 100) async throws(StoreError) -> [SessionRecord] {
        try await reader.worker.perform { connection throws(StoreError) in
            var result: [SessionRecord] = []
            let sql = "SELECT \(SessionRecord.columns) FROM net_session ORDER BY id DESC LIMIT ?"
            try connection.query(sql, [.integer(Int64(max(0, limit)))]) { row throws(StoreError) in
                result.append(SessionRecord(row))
            }
            return result
        }
    }
}
