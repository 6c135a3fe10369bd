internal import NetCore

extension StoredItem {
    static func page(
        _ condition: FilterCondition, limit: Int, before id: Int64?, on connection: SQLiteConnection
    ) throws(StoreError) -> [StoredItem] {
        let isBefore = id == nil ? "" : " AND i.id < ?"
        let values = condition.values + (id.map { [.integer($0)] } ?? []) + [.integer(Int64(max(0, limit)))]
        return try all(" WHERE \(condition.sql)\(isBefore) ORDER BY i.id DESC LIMIT ?", values, on: connection)
    }

    static func find(id: Int64, on connection: SQLiteConnection) throws(StoreError) -> StoredItem? {
        try all(" WHERE i.id = ?", [.integer(id)], on: connection).first
    }

    static func all(
        identifiedBy text: String, limit: Int, on connection: SQLiteConnection
    ) throws(StoreError) -> [StoredItem] {
        let digits = text.lowercased().filter { $0 != "-" }
        guard limit > 0, !digits.isEmpty, digits.allSatisfy({ $0.isHexDigit }) else { return [] }
        let isWanted = "lower(hex(i.uid)) LIKE ? OR lower(hex(i.uid)) LIKE ?"
        let values: [SQLiteValue] = [.text(digits + "%"), .text("%" + digits), .integer(Int64(limit))]
        let open = try underWay(" WHERE \(isWanted) ORDER BY i.started_at DESC LIMIT ?", values, on: connection)
        let finished = try all(" WHERE \(isWanted) ORDER BY i.id DESC LIMIT ?", values, on: connection)
        return Array((open.map(\.item) + finished).prefix(limit))
    }

    /// Searches newest first: the index yields rows in the order of their IDs, so that the limit ends the search early.
    static func search(
        _ query: String, limit: Int, before id: Int64?, on connection: SQLiteConnection
    ) throws(StoreError) -> [StoredItem] {
        let sql = """
             JOIN (SELECT rowid AS found FROM net_search WHERE net_search MATCH ? AND rowid < ?
                ORDER BY rowid DESC LIMIT ?) ON i.id = found ORDER BY i.id DESC
            """
        return try all(
            sql, [.text(query), .integer(id ?? .max), .integer(Int64(max(0, limit)))], on: connection)
    }
}

extension StoredDetail {
    /// The maximum number of log lines or calls read for one entry.
    static let maximumOwned = 1000

    static func find(
        uid: CallID, kind: StoredItem.Kind?, on connection: SQLiteConnection
    ) throws(StoreError) -> StoredDetail? {
        let values: [SQLiteValue] = [.blob(uid.bytes), .optional(kind?.rawValue)]
        let isWanted = " WHERE i.uid = ?1 AND i.kind = coalesce(?2, i.kind) ORDER BY i.kind LIMIT 1"
        let item = try StoredItem.all(isWanted, values, on: connection).first
        // A process may go on with a job whose entry is stored.
        if let item, item.kind != .job { return try of(item, on: connection) }
        guard let open = try StoredItem.underWay(isWanted, values, on: connection).first,
            item == nil || open.item.kind == .job && open.item.outcome == nil
        else { return try item.map { item throws(StoreError) in try of(item, on: connection) } }
        var detail = try of(open.item, on: connection)
        if open.item.kind != .job { detail.attempts = open.attempts.map { StoredAttempt($0, of: open.item) } }
        return detail
    }

    /// Returns a call's attempts and captured headers, without bodies and without owned entries.
    static func outline(of item: StoredItem, on connection: SQLiteConnection) throws(StoreError) -> StoredDetail {
        let isCall = item.kind == .call
        return StoredDetail(
            item: item, attempts: isCall ? try StoredAttempt.all(of: item, on: connection) : [],
            exchanges: isCall ? try StoredExchange.heads(of: item.uid, on: connection) : [], owned: [])
    }

    static func of(_ item: StoredItem, on connection: SQLiteConnection) throws(StoreError) -> StoredDetail {
        let isCall = item.kind == .call
        let attempts =
            isCall
            ? try StoredAttempt.all(of: item, on: connection)
            : item.kind == .job ? try StoredAttempt.all(ofJob: item, on: connection) : []
        return StoredDetail(
            item: item, attempts: attempts,
            exchanges: isCall ? try StoredExchange.all(of: item.uid, on: connection) : [],
            owned: try StoredItem.all(
                " WHERE i.owner = ? ORDER BY i.id LIMIT ?", [.blob(item.uid.bytes), .integer(Int64(maximumOwned))],
                on: connection))
    }
}
