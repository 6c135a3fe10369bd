internal import NetCore

/// Finds the runs of this machine whose process ended without closing its store, and turns their entries under way into
/// entries that were cut off.
struct CrashRecovery {
    let connection: SQLiteConnection

    /// Must be called inside a transaction, so that only one of two processes that open the file recovers a run.
    func run(_ items: ItemStatement, _ open: OpenStatement) throws(StoreError) {
        for run in try deadRuns() {
            var totals = HourTotals()
            let drafts = try drafts(of: run)
            try items.write(drafts, run: run, to: &totals)
            for draft in drafts { try open.delete(draft.key) }
            // Calls that were cut off have no duration to add to the roll-ups.
            try connection.run("UPDATE net_run SET was_cut_off = 1 WHERE id = ?", [.integer(run)])
            guard totals.alreadyStored > 0 else { continue }
            try connection.run(
                """
                INSERT INTO net_repeat (run, entries) VALUES (?, ?)
                ON CONFLICT (run) DO UPDATE SET entries = entries + excluded.entries
                """, [.integer(run), .integer(Int64(totals.alreadyStored))])
        }
    }

    private func deadRuns() throws(StoreError) -> [Int64] {
        var dead: [Int64] = []
        try connection.query(
            "SELECT id, pid, pid_started, machine FROM net_run WHERE ended_at IS NULL AND was_cut_off = 0 ORDER BY id"
        ) { row throws(StoreError) in
            let isAlive = Machine.isAlive(
                pid: row.integer(1) ?? 0, started: row.integer(2), machine: row.text(3) ?? "")
            if isAlive == false, let id = row.integer(0) { dead.append(id) }
        }
        return dead
    }

    private func drafts(of run: Int64) throws(StoreError) -> [ItemDraft] {
        let name = { (column: String) in "(SELECT text FROM net_name WHERE id = o.\(column))" }
        let sql = """
            SELECT uid, kind, started_at, \(name("method")), \(name("operation")), \(name("name")), \(name("tags")), url,
                attempts, status, request_bytes, response_bytes, owner, state
            FROM net_open AS o WHERE run = ? ORDER BY started_at, uid
            """
        var drafts: [ItemDraft] = []
        try connection.query(sql, [.integer(run)]) { row throws(StoreError) in
            guard let uid = row.id(0), let kind = row.int(1).flatMap(StoredItem.Kind.init(rawValue:)) else { return }
            let draft = ItemDraft(ItemKey(uid, kind), startedAt: row.integer(2) ?? 0)
            draft.run = run
            draft.outcome = .cutOff
            (draft.method, draft.operation, draft.name, draft.url) = (
                row.text(3), row.text(4), row.text(5), row.text(7)
            )
            draft.tags = row.text(6).map(StoredTags.tags) ?? []
            let state = row.text(13).flatMap(OpenState.init(text:))
            for attempt in state?.attempts ?? [] { draft.add(attempt) }
            draft.attemptCount = row.int(8) ?? draft.attemptCount
            draft.status = row.int(9)
            (draft.requestBytes, draft.responseBytes) = (row.integer(10), row.integer(11))
            draft.owner = row.id(12)
            draft.detail = state?.detail
            draft.job = state?.job
            draft.retries = state?.retries ?? 0
            if let action = state?.cache.flatMap(ActivityEvent.CacheDecision.Action.init(rawValue:)),
                let reason = state?.cacheReason.flatMap(ActivityEvent.CacheDecision.Reason.init(rawValue:))
            {
                draft.cache = ActivityEvent.CacheDecision(action, reason)
            }
            draft.hasEnded = true
            drafts.append(draft)
        }
        return drafts
    }
}
