internal import NetCore

extension StoredItem {
    /// Returns the entries under way, newest first. Entries left by a process that is no longer running count as cut
    /// off.
    static func underWay(
        _ rest: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(StoreError) -> [(item: StoredItem, attempts: [AttemptRow])] {
        let name = { (column: String) in "(SELECT text FROM net_name WHERE id = i.\(column))" }
        let columns = [
            "i.uid", "i.kind", "i.run", "i.started_at", name("method"), name("operation"), name("name"), name("tags"),
            name("host"), "i.url", "i.attempts", "i.status", "i.request_bytes", "i.response_bytes", "i.owner",
            "i.state",
            "r.pid", "r.pid_started", "r.machine",
        ].joined(separator: ", ")
        var found: [(StoredItem, [AttemptRow])] = []
        try connection.query(
            "SELECT \(columns) FROM net_open AS i LEFT JOIN net_run AS r ON r.id = i.run\(rest)", values
        ) { row throws(StoreError) in
            guard let uid = row.id(0), let kind = row.int(1).flatMap(Kind.init(rawValue:)) else {
                throw row.unexpected("an entry under way without ID or kind")
            }
            var item = StoredItem(
                id: 0, uid: uid, kind: kind, run: row.integer(2) ?? 0, startedAt: StoredTime.date(row.integer(3) ?? 0))
            let state = row.text(15).flatMap(OpenState.init(text:))
            item.take(row, state)
            let isAlive = Machine.isAlive(
                pid: row.integer(16) ?? 0, started: row.integer(17), machine: row.text(18) ?? "")
            if isAlive == false { item.outcome = .cutOff }
            found.append((item, state?.attempts ?? []))
        }
        return found
    }

    private mutating func take(_ row: SQLiteRow, _ state: OpenState?) {
        (method, operation, name) = (row.text(4), row.text(5), row.text(6))
        tags = row.text(7).map(StoredTags.tags) ?? []
        (host, url) = (row.text(8), row.text(9))
        attempts = row.int(10) ?? 0
        status = row.int(11)
        (requestBytes, responseBytes) = (row.integer(12), row.integer(13))
        owner = row.id(14)
        retries = state?.retries ?? 0
        detail = state?.detail
        (cache, cacheReason) = (state?.cache, state?.cacheReason)
        guard let last = state?.attempts?.last else { return }
        (isReused, version, remoteAddress) = (last.isReused, last.version, last.remote)
    }
}
