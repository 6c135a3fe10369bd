internal import NetCore

/// A row of `net_cursor`: the position up to which a store's entries have been sent.
struct OTLPCursor: Sendable, Hashable {
    /// The last entry that has been sent or skipped.
    var position: Int64
    /// The number of times that the whole store had been deleted.
    var deletions: Int64

    /// The increments that a batch adds to the counts.
    struct Counts: Sendable, Hashable {
        var sent = 0
        var rejected = 0
        var missed = 0
    }

    /// Returns the number of the newest entry, even if that entry is deleted.
    static func newest(on connection: SQLiteConnection) throws(StoreError) -> Int64 {
        try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'net_item'") ?? 0
    }

    /// Returns the position before the oldest entry: earlier, deleted entries don't count as missed.
    static func beginning(on connection: SQLiteConnection) throws(StoreError) -> OTLPCursor {
        let newest = try newest(on: connection)
        let oldest = try connection.integer("SELECT min(id) FROM net_item")
        return OTLPCursor(position: oldest.map { $0 - 1 } ?? newest, deletions: try generation(on: connection))
    }

    private static func generation(on connection: SQLiteConnection) throws(StoreError) -> Int64 {
        try connection.integer("SELECT deletions FROM net_total") ?? 0
    }

    /// Reads the named cursor. Creates it at the beginning of the store if it doesn't exist, or resets it if
    /// `startsOver` is true.
    static func load(
        _ name: String, startsOver: Bool, now: Int64, on connection: SQLiteConnection
    ) throws(StoreError) -> OTLPCursor {
        try connection.transaction { () throws(StoreError) in
            if !startsOver, let cursor = try find(name, on: connection) { return cursor }
            let cursor = try beginning(on: connection)
            try connection.run(
                """
                INSERT INTO net_cursor (name, position, deletions, moved_at, sent, rejected, missed)
                VALUES (?1, ?2, ?3, ?4, 0, 0, 0)
                ON CONFLICT (name) DO UPDATE SET position = ?2, deletions = ?3, moved_at = ?4
                """,
                [.text(name), .integer(cursor.position), .integer(cursor.deletions), .integer(now)])
            return cursor
        }
    }

    private static func find(_ name: String, on connection: SQLiteConnection) throws(StoreError) -> OTLPCursor? {
        var cursor: OTLPCursor?
        let sql = "SELECT position, deletions FROM net_cursor WHERE name = ?"
        try connection.query(sql, [.text(name)]) { row throws(StoreError) in
            cursor = OTLPCursor(position: row.integer(0) ?? 0, deletions: row.integer(1) ?? 0)
        }
        return cursor
    }

    /// Returns the cursor adjusted to the current state of the file.
    ///
    /// Entry numbers continue after the whole store was deleted: positions stay valid, and deleted entries after the
    /// position count as missed. Only a position beyond the newest number, which means that the file was replaced,
    /// restarts at the beginning.
    func current(on connection: SQLiteConnection) throws(StoreError) -> OTLPCursor {
        let generation = try Self.generation(on: connection)
        guard try position > Self.newest(on: connection) else {
            return OTLPCursor(position: position, deletions: generation)
        }
        return try Self.beginning(on: connection)
    }

    /// Moves the named cursor from this position; returns false if the stored cursor has a different position.
    func move(
        to next: OTLPCursor, _ name: String, adding counts: Counts, now: Int64, on connection: SQLiteConnection
    ) throws(StoreError) -> Bool {
        try connection.transaction { () throws(StoreError) in
            try connection.run(
                """
                UPDATE net_cursor SET position = ?, deletions = ?, moved_at = ?, sent = sent + ?, rejected = rejected + ?,
                    missed = missed + ? WHERE name = ? AND position = ? AND deletions = ?
                """,
                [
                    .integer(next.position), .integer(next.deletions), .integer(now), .integer(Int64(counts.sent)),
                    .integer(Int64(counts.rejected)), .integer(Int64(counts.missed)), .text(name), .integer(position),
                    .integer(deletions),
                ])
            return connection.changes == 1
        }
    }
}
