internal import NetCore

/// A row of `net_cursor`: how far the entries of a store have been sent.
struct OTLPCursor: Sendable, Hashable {
    /// The last entry that has been sent or skipped.
    var position: Int64
    /// How often everything had been deleted.
    var deletions: Int64

    /// What a batch adds to the counts.
    struct Counts: Sendable, Hashable {
        var sent = 0
        var rejected = 0
        var missed = 0
    }

    /// The number of the newest entry, also if that one is deleted.
    static func newest(on connection: SQLiteConnection) throws(StoreError) -> Int64 {
        try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'net_item'") ?? 0
    }

    /// The place before the oldest entry: what was deleted before isn't missed.
    static func beginning(on connection: SQLiteConnection) throws(StoreError) -> OTLPCursor {
        let newest = try newest(on: connection)
        let oldest = try connection.integer("SELECT min(id) FROM net_item")
        return OTLPCursor(position: oldest.map { $0 - 1 } ?? newest, deletions: try generation(on: connection))
    }

    private static func generation(on connection: SQLiteConnection) throws(StoreError) -> Int64 {
        try connection.integer("SELECT deletions FROM net_total") ?? 0
    }

    /// Reads the cursor of that name; makes it at the beginning of the store if there is none, or if `startsOver` is true.
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

    /// The cursor as it counts in the present state of the file.
    ///
    /// Numbers of entries go on after everything was deleted, so that a place stays what it was, and what was deleted after
    /// it is missed. Only a place beyond the newest number, in a file that somebody has made anew, counts as the beginning.
    func current(on connection: SQLiteConnection) throws(StoreError) -> OTLPCursor {
        let generation = try Self.generation(on: connection)
        guard try position > Self.newest(on: connection) else {
            return OTLPCursor(position: position, deletions: generation)
        }
        return try Self.beginning(on: connection)
    }

    /// Moves the cursor of that name from here, and returns false if it isn't here any more.
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
