internal import NetCore

/// Copies entries, with everything that belongs to them, from one database into a new one. Used on a reader thread.
///
/// Rows keep their numbers, so that references remain valid. The new file only ever receives the copied rows: it
/// contains no traces of others.
struct StoreSlice {
    let source: SQLiteConnection
    let target: SQLiteConnection

    /// Copies the chosen entries; returns their number, including related entries.
    func copy(_ condition: FilterCondition, limit: Int?) throws(StoreError) -> Int {
        // Rolled back at the end, including the temporary table.
        try source.snapshot { () throws(StoreError) in
            try choose(condition, limit: limit)
            let count = try source.integer("SELECT count(*) FROM temp.net_chosen") ?? 0
            guard count > 0 else { return 0 }
            try target.transaction { () throws(StoreError) in try copyRows(count) }
            return Int(count)
        }
    }

    // MARK: Which entries

    private func choose(_ condition: FilterCondition, limit: Int?) throws(StoreError) {
        try source.execute("CREATE TEMP TABLE net_chosen (id INTEGER PRIMARY KEY)")
        try source.run(
            """
            INSERT INTO temp.net_chosen SELECT i.id FROM net_item AS i WHERE \(condition.sql)
            ORDER BY i.id DESC LIMIT ?
            """, condition.values + [.integer(Int64(limit.map { max(0, $0) } ?? -1))])
        // First a WebSocket and its handshake, then the calls of a job and their log lines, then the job and the call
        // of each.
        let same = """
            INSERT OR IGNORE INTO temp.net_chosen SELECT other.id FROM temp.net_chosen AS c
            JOIN net_item AS i ON i.id = c.id JOIN net_item AS other ON other.uid = i.uid
            """
        let owned = """
            INSERT OR IGNORE INTO temp.net_chosen SELECT other.id FROM temp.net_chosen AS c
            JOIN net_item AS i ON i.id = c.id JOIN net_item AS other ON other.owner = i.uid
            """
        let owners = """
            INSERT OR IGNORE INTO temp.net_chosen SELECT other.id FROM temp.net_chosen AS c
            JOIN net_item AS i ON i.id = c.id JOIN net_item AS other ON other.uid = i.owner
            """
        for step in [same, owned, owned, owners, owners, same] { try source.execute(step) }
    }

    // MARK: Rows

    private func copyRows(_ count: Int64) throws(StoreError) {
        let chosen = "IN (SELECT id FROM temp.net_chosen)"
        let calls = "IN (SELECT uid FROM net_item WHERE id \(chosen))"
        try copyItems(chosen)
        try copy("net_attempt", "item \(chosen)")
        try copy("net_note", "item \(chosen)")
        try copy("net_artifact", "item \(chosen)")
        var runs = "SELECT run FROM net_item WHERE id \(chosen)"
        if try source.hasVersion3() {
            try copy("net_job_attempt", "item \(chosen)")
            runs += " UNION SELECT run FROM net_job_attempt WHERE item \(chosen)"
        }
        try target.execute(JobHourStatement.fill)
        try copy("net_run", "id IN (\(runs))")
        if try source.hasVersion3() { try copy("net_repeat", "run IN (\(runs))") }
        try copy("net_capture", "call \(calls)")
        try copy("net_message", "socket \(calls)")
        try copyBodies()
        try copyNames()
        try target.run("UPDATE net_total SET items = ?", [.integer(count)])
    }

    /// Copies the rows that meet a condition.
    private func copy(_ table: String, _ condition: String) throws(StoreError) {
        try rows(of: table, condition) { _ throws(StoreError) in }
    }

    private func rows(
        of table: String, _ condition: String, each body: (SQLiteRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        let columns = try Self.columns(of: table, on: source)
        let list = columns.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try target.prepare("INSERT INTO \(table) (\(list)) VALUES (\(marks))")
        try source.query("SELECT \(list) FROM \(table) WHERE \(condition)") { row throws(StoreError) in
            try insert.run(columns.indices.map { row.value(Int32($0)) })
            try body(row)
        }
    }

    private static func columns(of table: String, on connection: SQLiteConnection) throws(StoreError) -> [String] {
        var columns: [String] = []
        try connection.query("SELECT name FROM pragma_table_info(?)", [.text(table)]) { row throws(StoreError) in
            columns.append(row.text(0) ?? "")
        }
        return columns
    }

    /// Copies entries with their search index, and recomputes the roll-ups of the calls.
    private func copyItems(_ chosen: String) throws(StoreError) {
        let columns = try Self.columns(of: "net_item", on: source)
        func index(_ name: String) -> Int32 { Int32(columns.firstIndex(of: name) ?? 0) }
        let (id, url, message) = (index("id"), index("url"), index("message"))
        let totals = RollUps(columns: columns)
        let search = try target.prepare("INSERT INTO net_search (rowid, url, message) VALUES (?, ?, ?)")
        try rows(of: "net_item", "id \(chosen)") { row throws(StoreError) in
            totals.add(row)
            guard row.text(url) != nil || row.text(message) != nil else { return }
            search.set(1, row.integer(id))
            search.set(2, row.text(url))
            search.set(3, row.text(message))
            try search.run()
        }
        let hours = try HourStatement(on: target)
        for (run, totals) in totals.runs { try hours.add(totals, run: run) }
    }

    /// Copies each body used by a copied capture, with its new use count.
    private func copyBodies() throws(StoreError) {
        let used = """
            SELECT body, count(*) FROM (SELECT request_body AS body FROM net_capture UNION ALL
                SELECT response_body FROM net_capture) WHERE body IS NOT NULL GROUP BY body ORDER BY body
            """
        let insert = try target.prepare(
            "INSERT INTO net_body (id, hash, uses, size, is_compressed, data) VALUES (?, ?, ?, ?, ?, ?)")
        try target.query(used) { use throws(StoreError) in
            guard let id = use.integer(0), let uses = use.integer(1) else { return }
            let sql = "SELECT hash, size, is_compressed, data FROM net_body WHERE id = ?"
            try source.rows(sql, [.integer(id)]) { row throws(StoreError) in
                try insert.run([.integer(id), row.value(0), .integer(uses), row.value(1), row.value(2), row.value(3)])
            }
        }
    }

    private func copyNames() throws(StoreError) {
        let insert = try target.prepare("INSERT INTO net_name (id, text) VALUES (?, ?)")
        try target.query(StoredNames.used) { use throws(StoreError) in
            guard let id = use.integer(0) else { return }
            try source.rows("SELECT text FROM net_name WHERE id = ?", [.integer(id)]) { row throws(StoreError) in
                try insert.run([.integer(id), row.value(0)])
            }
        }
    }
}
