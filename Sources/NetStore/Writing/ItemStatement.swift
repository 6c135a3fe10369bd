internal import NetCore

/// Inserts finished entries, with their attempts and search index.
final class ItemStatement {
    static let columns = [
        "uid", "kind", "run", "started_at", "duration_us", "outcome", "status", "method", "operation", "name", "tags",
        "host", "url", "error", "phase", "message", "attempts", "retries", "cache", "cache_reason", "request_bytes",
        "response_bytes", "request_type", "response_type", "attempt_start_us", "attempt_us", "queued_us", "lookup_us",
        "connect_us", "secure_us", "waiting_us", "download_us", "version", "is_reused", "remote", "trace", "owner",
        "level", "detail", "changed_at", "sending_us",
    ]

    private let connection: SQLiteConnection
    private let names: NameTable
    private let insert, update, search, total: SQLiteStatement
    private let attempts: AttemptStatement
    private let jobs: JobStatement

    init(on connection: SQLiteConnection, names: NameTable) throws(StoreError) {
        self.connection = connection
        self.names = names
        let marks = Self.columns.map { _ in "?" }.joined(separator: ", ")
        // An entry that another store has already written stays unchanged, except for a job: see ``JobMerge``.
        insert = try connection.prepare(
            """
            INSERT INTO net_item (\(Self.columns.joined(separator: ", "))) VALUES (\(marks))
            ON CONFLICT (uid, kind) DO NOTHING
            """)
        let values = Self.columns.enumerated().dropFirst(2).map { "\($1) = ?\($0 + 1)" }
        update = try connection.prepare(
            "UPDATE net_item SET \(values.joined(separator: ", ")) WHERE uid = ?1 AND kind = ?2")
        search = try connection.prepare("INSERT INTO net_search (rowid, url, message) VALUES (?, ?, ?)")
        jobs = try JobStatement(on: connection, names: names)
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
    ///
    /// A stored job is changed if the draft goes on with it. Any other stored entry stays unchanged, and is counted.
    func write(_ draft: ItemDraft, run: Int64, to totals: inout HourTotals) throws(StoreError) -> Int64? {
        if draft.key.kind == .job, let stored = try jobs.find(draft.key) {
            try change(stored, with: draft, run: run, to: &totals)
            return nil
        }
        let (operation, host) = try bind(draft, run: draft.run ?? run, to: insert)
        try insert.run()
        guard connection.changes > 0 else {
            totals.alreadyStored += 1
            return nil
        }
        let id = connection.lastInsertedRow
        let message = draft.failure?.message ?? draft.message
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
        if draft.key.kind == .job {
            let run = draft.run ?? run
            try jobs.inserted(JobMerge.Part(draft, run: run), id: id, run: run, host: host)
        }
        return id
    }

    private func change(
        _ stored: JobStatement.Stored, with draft: ItemDraft, run: Int64, to totals: inout HourTotals
    ) throws(StoreError) {
        let new = JobMerge.Part(draft, run: draft.run ?? run)
        guard let changed = JobMerge(stored: stored.part, new: new).changed else {
            totals.alreadyStored += 1
            return
        }
        let run = changed.draft.run ?? run
        try bind(changed.draft, run: run, to: update, lastActivity: changed.last)
        try update.run()
        try jobs.changed(stored, to: changed, run: run)
    }

    /// Binds the values of a row; returns the numbers of its operation and its host.
    @discardableResult
    private func bind(
        _ draft: ItemDraft, run: Int64, to row: SQLiteStatement, lastActivity: Int64? = nil
    ) throws(StoreError) -> (operation: Int64?, host: Int64?) {
        let operation = try names.id(draft.operation)
        let host = try names.id(draft.url.flatMap { StoredURL.host(of: $0) })
        row.set(1, draft.key.uid)
        row.set(2, Int64(draft.key.kind.rawValue))
        row.set(3, run)
        row.set(4, draft.startedAt)
        row.set(5, draft.duration)
        row.set(6, draft.outcome?.rawValue)
        row.set(7, draft.status)
        row.set(8, try names.id(draft.method))
        row.set(9, operation)
        row.set(10, try names.id(draft.name))
        row.set(11, draft.tags.isEmpty ? nil : try names.id(StoredTags.text(draft.tags)))
        row.set(12, host)
        row.set(13, draft.url)
        row.set(14, try names.id(draft.failure?.code))
        row.set(15, try names.id(draft.failure?.phase))
        row.set(16, draft.failure?.message ?? draft.message)
        row.set(17, draft.attemptCount == 0 ? nil : draft.attemptCount)
        row.set(18, draft.retries == 0 ? nil : draft.retries)
        row.set(19, try names.id(draft.cache?.action.rawValue))
        row.set(20, try names.id(draft.cache?.reason.rawValue))
        row.set(21, draft.requestBytes)
        row.set(22, draft.responseBytes)
        row.set(23, try names.id(draft.requestType))
        row.set(24, try names.id(draft.responseType))
        bind(draft.attempts.last, to: row)
        row.set(33, try names.id(draft.version))
        row.set(34, draft.isReused)
        row.set(35, try names.id(draft.remote))
        if let trace = draft.attempts.last?.trace {
            trace.withUnsafeBytes { row.set(36, $0) }
        } else {
            row.set(36, nil as Int64?)
        }
        if let owner = draft.owner { row.set(37, owner) } else { row.set(37, nil as Int64?) }
        row.set(38, draft.level)
        row.set(39, draft.detail)
        row.set(40, lastActivity ?? draft.job?.last)
        return (operation, host)
    }

    /// Binds the times of the last attempt.
    private func bind(_ attempt: AttemptRow?, to row: SQLiteStatement) {
        row.set(25, attempt?.start == 0 ? nil : attempt?.start)
        row.set(26, attempt?.total)
        row.set(27, attempt?.queued)
        row.set(28, attempt?.lookup)
        row.set(29, attempt?.connect)
        row.set(30, attempt?.secure)
        row.set(31, attempt?.waiting)
        row.set(32, attempt?.download)
        row.set(41, attempt?.sending)
    }
}
