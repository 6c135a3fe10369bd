internal import NetCore

/// The next entries of a store, in commit order.
struct OTLPPage {
    /// The maximum number of rows examined for one page.
    static let rows = 1024

    var entries: [OTLPEntry] = []
    /// The numbers of entries that don't match the filter and of exporter requests.
    var skipped: [Int64] = []
    /// The number of entries that were deleted before they were read.
    var missed = 0
    /// The number of the last entry that the page covers.
    var end: Int64
    /// True if there are no entries after the page.
    var isLast = false

    /// The parameters for reading a page.
    struct Query: Sendable {
        let signal: OTLPExporter.Signal
        let condition: FilterCondition
        /// The number of the last entry already read.
        let position: Int64
        /// The number of the newest entry to read.
        var limit: Int64 = .max
        /// The maximum number of entries, and the approximate maximum of spans.
        let entries, spans: Int
    }

    /// Reads a page. The connection must have an open snapshot.
    init(_ query: Query, on connection: SQLiteConnection) throws(StoreError) {
        let newest = min(query.limit, try OTLPCursor.newest(on: connection))
        end = query.position
        guard newest > end else {
            isLast = true
            return
        }
        try measure(query, newest, on: connection)
        guard end > query.position else { return }
        try read(query, on: connection)
    }

    /// Determines the end of the page, and counts the missing entries before it.
    private mutating func measure(
        _ query: Query, _ newest: Int64, on connection: SQLiteConnection
    ) throws(StoreError) {
        var (rows, found, spans) = (0, 0, 0)
        var isFull = false
        let sql = "SELECT id, kind, attempts FROM net_item WHERE id > ? AND id <= ? ORDER BY id LIMIT ?"
        let values: [SQLiteValue] = [.integer(end), .integer(newest), .integer(Int64(Self.rows))]
        try connection.rows(sql, values) { row throws(StoreError) in
            rows += 1
            guard !isFull, let id = row.integer(0) else { return }
            if query.signal.contains(row.int(1)) {
                let count = row.int(1) == StoredItem.Kind.call.rawValue ? 1 + min(row.int(2) ?? 0, 100) : 1
                if found > 0, spans + count > query.spans || found >= query.entries {
                    isFull = true
                    return
                }
                found += 1
                spans += count
            }
            missed += Int(id - end - 1)
            end = id
        }
        guard !isFull, rows < Self.rows else { return }
        missed += Int(newest - end)
        end = newest
        isLast = true
    }

    private mutating func read(_ query: Query, on connection: SQLiteConnection) throws(StoreError) {
        let range: [SQLiteValue] = [.integer(query.position), .integer(end)]
        var attempts = try Self.attempts(query, range, on: connection)
        let owner = "CASE i.kind WHEN \(StoredItem.Kind.socket.rawValue) THEN i.uid ELSE i.owner END"
        let trace = """
            CASE WHEN i.kind IN (2, 4) THEN (SELECT coalesce(c.trace, (SELECT a.trace FROM net_attempt AS a
                WHERE a.item = c.id AND a.trace IS NOT NULL ORDER BY a.number DESC LIMIT 1))
                FROM net_item AS c WHERE c.uid = \(owner) AND c.kind = 1) END
            """
        let sql = """
            SELECT \(StoredItem.columns), (\(query.condition.sql)), \(trace) FROM net_item AS i
            WHERE i.id > ? AND i.id <= ? AND i.kind \(query.signal.kinds) ORDER BY i.id
            """
        try connection.rows(sql, query.condition.values + range) { row throws(StoreError) in
            var entry = OTLPEntry(item: try StoredItem(row))
            guard row.bool(33) == true, !entry.isOfAnExporter else {
                skipped.append(entry.item.id)
                return
            }
            let owner = entry.item.kind == .socket ? entry.item.uid : entry.item.owner
            if let owner, let trace = row.blob(34).flatMap({ StoredTrace.trace($0, call: owner) }) {
                entry.ownerTrace = CallID(trace.traceID)
            }
            entry.attempts = (attempts.removeValue(forKey: entry.item.id) ?? []).map { read in
                OTLPEntry.Attempt(attempt: read.attempt(of: entry.item), end: read.end)
            }
            entries.append(entry)
        }
    }

    /// The row of an attempt whose call isn't known yet.
    private struct AttemptRead {
        let value: StoredAttempt
        let trace: [UInt8]?
        let end: Duration?

        func attempt(of item: StoredItem) -> StoredAttempt {
            var attempt = value
            attempt.method = attempt.method ?? item.method
            attempt.url = attempt.url ?? item.url
            attempt.trace = trace.flatMap { StoredTrace.trace($0, call: item.uid) }
            return attempt
        }
    }

    /// Returns the attempts of a page's calls: from their own rows, or the single one in the call's row.
    private static func attempts(
        _ query: Query, _ range: [SQLiteValue], on connection: SQLiteConnection
    ) throws(StoreError) -> [Int64: [AttemptRead]] {
        guard query.signal == .traces else { return [:] }
        var attempts: [Int64: [AttemptRead]] = [:]
        let placeholder = StoredItem(id: 0, uid: CallID(high: 0, low: 1), kind: .call, startedAt: StoredTime.date(0))
        let own = """
            SELECT \(try StoredAttempt.columns(on: connection)), a.item FROM net_attempt AS a
            WHERE a.item > ? AND a.item <= ? ORDER BY a.item, a.number
            """
        let inline = """
            SELECT \(try StoredAttempt.inlineColumns(on: connection)), a.id FROM net_item AS a
            WHERE a.id > ? AND a.id <= ? AND a.kind = 1 AND a.attempts > 0
            """
        for (sql, isInline) in [(own, false), (inline, true)] {
            try connection.rows(sql, range) { row throws(StoreError) in
                guard let item = row.integer(25), !isInline || attempts[item] == nil else { return }
                let read = AttemptRead(
                    value: StoredAttempt(row, of: placeholder), trace: row.blob(20), end: row.duration(23))
                attempts[item, default: []].append(read)
            }
        }
        return attempts
    }
}
