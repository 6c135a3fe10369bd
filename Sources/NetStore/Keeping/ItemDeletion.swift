internal import NetCore

/// Deletes entries and everything that belongs to them.
final class ItemDeletion {
    /// The values needed to delete an entry.
    struct Entry {
        let id: Int64
        let uid: CallID
        let kind: StoredItem.Kind?
        let endedAt: Int64
        let url, message: String?
        let hasAttempts: Bool
    }

    private let bodies: BodyStatement
    private let find, total, subtract: SQLiteStatement
    private let item, attempts, search, note: SQLiteStatement
    private let captured, captures, messages: SQLiteStatement
    private let jobAttempts, change: SQLiteStatement

    init(on connection: SQLiteConnection, bodies: BodyStatement) throws(StoreError) {
        self.bodies = bodies
        let isSpared = "EXISTS (SELECT 1 FROM net_note AS n WHERE n.item = i.id AND n.is_pinned = 1)"
        find = try connection.prepare(
            """
            SELECT id, uid, kind, started_at + coalesce(duration_us, 0), url, message, attempts FROM net_item AS i
            WHERE id > ? AND NOT \(isSpared) ORDER BY id LIMIT ?
            """)
        total = try connection.prepare("SELECT items FROM net_total")
        subtract = try connection.prepare("UPDATE net_total SET items = max(0, items - ?)")
        item = try connection.prepare("DELETE FROM net_item WHERE id = ?")
        attempts = try connection.prepare("DELETE FROM net_attempt WHERE item = ?")
        // A contentless full-text index needs the deleted words as input.
        search = try connection.prepare(
            "INSERT INTO net_search (net_search, rowid, url, message) VALUES ('delete', ?, ?, ?)")
        note = try connection.prepare("DELETE FROM net_note WHERE item = ?")
        captured = try connection.prepare("SELECT request_body, response_body FROM net_capture WHERE call = ?")
        captures = try connection.prepare("DELETE FROM net_capture WHERE call = ?")
        messages = try connection.prepare("DELETE FROM net_message WHERE socket = ?")
        jobAttempts = try connection.prepare("DELETE FROM net_job_attempt WHERE item = ?")
        change = try connection.prepare("DELETE FROM net_change WHERE item = ?")
    }

    /// Returns the oldest unpinned entries after the given one.
    func candidates(after id: Int64, limit: Int) throws(StoreError) -> [Entry] {
        var entries: [Entry] = []
        find.set(1, id)
        find.set(2, limit)
        try find.rows { row throws(StoreError) in
            guard let id = row.integer(0) else { return }
            entries.append(
                Entry(
                    id: id, uid: row.id(1) ?? CallID(high: 0, low: 0),
                    kind: row.int(2).flatMap(StoredItem.Kind.init(rawValue:)), endedAt: row.integer(3) ?? 0,
                    url: row.text(4), message: row.text(5), hasAttempts: (row.integer(6) ?? 0) > 0))
        }
        return entries
    }

    /// The number of entries.
    func count() throws(StoreError) -> Int64 {
        var count: Int64 = 0
        try total.rows { row throws(StoreError) in count = row.integer(0) ?? 0 }
        return count
    }

    /// Deletes entries. Must be called inside a transaction.
    func delete(_ entries: ArraySlice<Entry>) throws(StoreError) {
        for entry in entries { try delete(entry) }
        subtract.set(1, entries.count)
        try subtract.run()
    }

    private func delete(_ entry: Entry) throws(StoreError) {
        if entry.url != nil || entry.message != nil {
            search.set(1, entry.id)
            search.set(2, entry.url)
            search.set(3, entry.message)
            try search.run()
        }
        if entry.hasAttempts { try run(attempts, entry.id) }
        try run(note, entry.id)
        switch entry.kind {
        case .call: try deleteCaptures(of: entry.uid)
        case .socket:
            messages.set(1, entry.uid)
            try messages.run()
        case .job:
            try run(jobAttempts, entry.id)
            try run(change, entry.id)
        case .log, nil: break
        }
        try run(item, entry.id)
    }

    private func run(_ statement: SQLiteStatement, _ id: Int64) throws(StoreError) {
        statement.set(1, id)
        try statement.run()
    }

    private func deleteCaptures(of call: CallID) throws(StoreError) {
        var used: [Int64] = []
        captured.set(1, call)
        var hasCaptures = false
        try captured.rows { row throws(StoreError) in
            hasCaptures = true
            for column in Int32(0)...1 { if let body = row.integer(column) { used.append(body) } }
        }
        guard hasCaptures else { return }
        for body in used { try bodies.release(body) }
        captures.set(1, call)
        try captures.run()
    }
}
