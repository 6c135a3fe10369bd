internal import NetCore

extension StoredItem {
    /// The columns that ``init(_:)`` reads, of `net_item AS i`.
    static let columns: String = {
        let name = { (column: String) in "(SELECT text FROM net_name WHERE id = i.\(column))" }
        let note = "FROM net_note AS n WHERE n.item = i.id"
        return [
            "i.id", "i.uid", "i.kind", "i.run", "i.started_at", "i.duration_us", "i.outcome", "i.status",
            name("method"),
            name("operation"), name("name"), name("tags"), name("host"), "i.url", name("error"), name("phase"),
            "i.message", "i.attempts", "i.retries", name("cache"), name("cache_reason"), "i.request_bytes",
            "i.response_bytes", name("request_type"), name("response_type"), "i.is_reused", name("version"),
            name("remote"), "i.owner", "i.level", "i.detail", "(SELECT is_pinned \(note))", "(SELECT comment \(note))",
        ].joined(separator: ", ")
    }()

    static let levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

    /// Reads a row of ``columns``.
    init(_ row: SQLiteRow) throws(StoreError) {
        guard let id = row.integer(0), let uid = row.id(1) else {
            throw row.unexpected("an entry without an ID of 16 bytes")
        }
        guard let kind = row.int(2).flatMap(Kind.init(rawValue:)) else {
            throw row.unexpected("an entry of an unknown kind")
        }
        self.init(
            id: id, uid: uid, kind: kind, run: row.integer(3) ?? 0, startedAt: StoredTime.date(row.integer(4) ?? 0))
        duration = row.duration(5)
        outcome = row.int(6).flatMap(Outcome.init(rawValue:))
        status = row.int(7)
        (method, operation, name) = (row.text(8), row.text(9), row.text(10))
        tags = row.text(11).map(StoredTags.tags) ?? []
        (host, url) = (row.text(12), row.text(13))
        let text = row.text(16)
        if let code = row.text(14) {
            failure = StoredFailure(code: code, phase: row.text(15) ?? "", message: text ?? "")
        } else {
            message = text
        }
        (attempts, retries) = (row.int(17) ?? 0, row.int(18) ?? 0)
        (cache, cacheReason) = (row.text(19), row.text(20))
        (requestBytes, responseBytes) = (row.integer(21), row.integer(22))
        (requestType, responseType) = (row.text(23), row.text(24))
        isReused = row.bool(25)
        (version, remoteAddress) = (row.text(26), row.text(27))
        owner = row.id(28)
        level = row.int(29).flatMap { Self.levels.indices.contains($0) ? Self.levels[$0] : nil }
        detail = row.text(30)
        isPinned = row.bool(31) ?? false
        comment = row.text(32)
    }

    /// Returns the entries of a query over `net_item AS i`; `rest` follows `FROM net_item AS i`.
    static func all(
        _ rest: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(StoreError) -> [StoredItem] {
        var items: [StoredItem] = []
        try connection.query("SELECT \(columns) FROM net_item AS i\(rest)", values) { row throws(StoreError) in
            items.append(try StoredItem(row))
        }
        return items
    }
}
