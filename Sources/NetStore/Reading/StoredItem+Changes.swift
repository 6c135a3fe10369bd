extension StoredItem {
    /// Returns entries that were changed after they had been inserted, in the order of their last change, and the
    /// number of the newest change.
    ///
    /// - Parameters:
    ///   - change: Returns only entries with a later change; nil returns none.
    ///   - id: Returns only entries up to this number.
    static func changed(
        after change: Int64?, upTo id: Int64, matching condition: FilterCondition, on connection: SQLiteConnection
    ) throws(StoreError) -> (items: [StoredItem], newest: Int64) {
        guard try connection.hasVersion3() else { return ([], 0) }
        let newest = try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'net_change'") ?? 0
        guard let change, newest > change else { return ([], newest) }
        let changed = """
             JOIN net_change AS changed ON changed.item = i.id
            WHERE changed.number > ? AND i.id <= ? AND \(condition.sql) ORDER BY changed.number
            """
        let items = try all(changed, [.integer(change), .integer(id)] + condition.values, on: connection)
        return (items, newest)
    }
}

extension ActivityQueries {
    /// Returns the entries up to a number that have changed since the last call, in the order of their last change, and
    /// the number of the newest change. The first call, without such a number, returns no entries.
    package func changes(
        after change: Int64?, upTo id: Int64, matching filter: ActivityFilter
    ) async throws(StoreError) -> (items: [StoredItem], newest: Int64) {
        let condition = reader.condition(filter)
        return try await reader.worker.perform { desk throws(StoreError) in
            try desk.connection.snapshot { () throws(StoreError) in
                try StoredItem.changed(after: change, upTo: id, matching: condition, on: desk.connection)
            }
        }
    }
}
