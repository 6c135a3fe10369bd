internal import NetCore

/// Inserts finished entries, with their attempts and search index.
final class ItemStatement {
    static let columns = [
        "uid", "kind", "run", "started_at", "duration_us", "outcome", "status", "method", "operation", "name", "tags",
        "host", "url", "error", "phase", "message", "attempts", "retries", "cache", "cache_reason", "request_bytes",
        "response_bytes", "request_type", "response_type", "attempt_start_us", "attempt_us", "queued_us", "lookup_us",
        "connect_us", "secure_us", "waiting_us", "download_us", "version", "is_reused", "remote", "trace", "owner",
        "level", "detail",
    ]

    private let connection: SQLiteConnection
    private let names: NameTable
    private let insert, search, total: SQLiteStatement
    private let attempts: AttemptStatement

    init(on connection: SQLiteConnection, names: NameTable) throws(StoreError) {
        self.connection = connection
        self.names = names
        let marks = Self.columns.map { _ in "?" }.joined(separator: ", ")
        // An entry that another store has already written stays unchanged.
        insert = try connection.prepare(
            """
            INSERT INTO net_item (\(Self.columns.joined(separator: ", "))) VALUES (\(marks))
            ON CONFLICT (uid, kind) DO NOTHING
            """)
        search = try connection.prepare("INSERT INTO net_search (rowid, url, message) VALUES (?, ?, ?)")
        attempts = try AttemptStatement(on: connection, names: names)
        total = try connection.prepare("UPDATE net_total SET items = items + ?")
    }

    /// Inserts entries and adds them to the roll-ups.
    func write(_ drafts: [ItemDraft], run: Int64, to totals: inout HourTotals) throws(StoreError) {
        guard !drafts.isEmpty else { return }
        var count = 0
        for draft in drafts where try write(draft, run: run, to: &totals) != nil { count += 1 }
        try add(count)
    }

    /// Increases the number of entries.
    func add(_ count: Int) throws(StoreError) {
        total.set(1, count)
        try total.run()
    }

    /// Inserts an entry without counting it: call ``add(_:)`` for that. Returns its number; nil if it's already stored.
    func write(_ draft: ItemDraft, run: Int64, to totals: inout HourTotals) throws(StoreError) -> Int64? {
        let operation = try names.id(draft.operation)
        let host = try names.id(draft.url.flatMap { StoredURL.host(of: $0) })
        let message = draft.failure?.message ?? draft.message
        try bind(draft, run: draft.run ?? run, operation: operation, host: host, message: message)
        try insert.run()
        guard connection.changes > 0 else { return nil }
        let id = connection.lastInsertedRow
        if draft.url != nil || message != nil {
            search.set(1, id)
            search.set(2, draft.url)
            search.set(3, message)
            try search.run()
        }
        if draft.attempts.count > 1 || draft.attempts.first?.fitsInline == false {
            try attempts.write(draft.attempts, item: id)
        }
        if draft.key.kind == .call, draft.outcome != .cutOff { totals.add(draft, operation: operation, host: host) }
        return id
    }

    private func bind(
        _ draft: ItemDraft, run: Int64, operation: Int64?, host: Int64?, message: String?
    ) throws(StoreError) {
        insert.set(1, draft.key.uid)
        insert.set(2, Int64(draft.key.kind.rawValue))
        insert.set(3, run)
        insert.set(4, draft.startedAt)
        insert.set(5, draft.duration)
        insert.set(6, draft.outcome?.rawValue)
        insert.set(7, draft.status)
        insert.set(8, try names.id(draft.method))
        insert.set(9, operation)
        insert.set(10, try names.id(draft.name))
        insert.set(11, draft.tags.isEmpty ? nil : try names.id(StoredTags.text(draft.tags)))
        insert.set(12, host)
        insert.set(13, draft.url)
        insert.set(14, try names.id(draft.failure?.code))
        insert.set(15, try names.id(draft.failure?.phase))
        insert.set(16, message)
        insert.set(17, draft.attemptCount == 0 ? nil : draft.attemptCount)
        insert.set(18, draft.retries == 0 ? nil : draft.retries)
        insert.set(19, try names.id(draft.cache?.action.rawValue))
        insert.set(20, try names.id(draft.cache?.reason.rawValue))
        insert.set(21, draft.requestBytes)
        insert.set(22, draft.responseBytes)
        insert.set(23, try names.id(draft.requestType))
        insert.set(24, try names.id(draft.responseType))
        bind(draft.attempts.last)
        insert.set(33, try names.id(draft.version))
        insert.set(34, draft.isReused)
        insert.set(35, try names.id(draft.remote))
        if let trace = draft.attempts.last?.trace {
            trace.withUnsafeBytes { insert.set(36, $0) }
        } else {
            insert.set(36, nil as Int64?)
        }
        if let owner = draft.owner { insert.set(37, owner) } else { insert.set(37, nil as Int64?) }
        insert.set(38, draft.level)
        insert.set(39, draft.detail)
    }

    /// Binds the times of the last attempt.
    private func bind(_ attempt: AttemptRow?) {
        insert.set(25, attempt?.start == 0 ? nil : attempt?.start)
        insert.set(26, attempt?.total)
        insert.set(27, attempt?.queued)
        insert.set(28, attempt?.lookup)
        insert.set(29, attempt?.connect)
        insert.set(30, attempt?.secure)
        insert.set(31, attempt?.waiting)
        insert.set(32, attempt?.download)
    }
}
