internal import NetCore

/// Reads and writes what a job has besides its row in the list: its attempts, its place in the roll-ups, and the note
/// that its row was changed.
final class JobStatement {
    /// A stored job.
    struct Stored {
        let id: Int64
        let part: JobMerge.Part
    }

    private static let attemptColumns = [
        "item", "number", "run", "call", "started_at", "ended_at", "error", "phase", "message",
    ]

    private let names: NameTable
    private let find, attempts, deleteAttempts, insertAttempt, change, forget, search: SQLiteStatement
    private let hours: JobHourStatement

    init(on connection: SQLiteConnection, names: NameTable) throws(StoreError) {
        self.names = names
        let text = { (column: String) in "(SELECT text FROM net_name WHERE id = i.\(column))" }
        find = try connection.prepare(
            """
            SELECT id, run, started_at, duration_us, outcome, \(text("name")), url, \(text("error")), \(text("phase")),
                message, attempts, request_bytes, response_bytes, detail, changed_at
            FROM net_item AS i WHERE uid = ? AND kind = 3
            """)
        attempts = try connection.prepare(
            """
            SELECT call, started_at, ended_at, \(text("error")), \(text("phase")), message, run
            FROM net_job_attempt AS i WHERE item = ? ORDER BY number
            """)
        deleteAttempts = try connection.prepare("DELETE FROM net_job_attempt WHERE item = ?")
        let marks = Self.attemptColumns.map { _ in "?" }.joined(separator: ", ")
        insertAttempt = try connection.prepare(
            "INSERT INTO net_job_attempt (\(Self.attemptColumns.joined(separator: ", "))) VALUES (\(marks))")
        // The number grows with each change, so that a reader finds the entries that changed since it last read.
        change = try connection.prepare("INSERT OR REPLACE INTO net_change (item) VALUES (?)")
        forget = try connection.prepare(
            "INSERT INTO net_search (net_search, rowid, url, message) VALUES ('delete', ?, ?, ?)")
        search = try connection.prepare("INSERT INTO net_search (rowid, url, message) VALUES (?, ?, ?)")
        hours = try JobHourStatement(on: connection)
    }

    /// Returns the stored entry of a job; nil if there is none.
    func find(_ key: ItemKey) throws(StoreError) -> Stored? {
        var found: Stored?
        find.set(1, key.uid)
        try find.rows { row throws(StoreError) in
            let draft = ItemDraft(key, startedAt: row.integer(2) ?? 0)
            (draft.run, draft.duration) = (row.integer(1), row.integer(3))
            draft.outcome = row.int(4).flatMap(StoredItem.Outcome.init(rawValue:))
            (draft.name, draft.url, draft.detail) = (row.text(5), row.text(6), row.text(13))
            if let code = row.text(7) {
                draft.failure = PendingEvent.Failure(
                    StoredFailure(code: code, phase: row.text(8) ?? "", message: row.text(9) ?? ""))
            } else {
                draft.message = row.text(9)
            }
            draft.attemptCount = row.int(10) ?? 0
            (draft.requestBytes, draft.responseBytes) = (row.integer(11), row.integer(12))
            var part = JobMerge.Part(draft, run: row.integer(1) ?? 0)
            // Rows of earlier versions don't contain the time of the last activity: an end was one.
            part.last = row.integer(14) ?? (draft.outcome == .cutOff ? draft.startedAt : part.last)
            found = Stored(id: row.integer(0) ?? 0, part: part)
        }
        guard let found else { return nil }
        var part = found.part
        part.attempts = try attempts(of: found.id)
        return Stored(id: found.id, part: part)
    }

    private func attempts(of item: Int64) throws(StoreError) -> [JobAttempt] {
        var found: [JobAttempt] = []
        attempts.set(1, item)
        try attempts.rows { row throws(StoreError) in
            var attempt = JobAttempt(call: row.id(0)?.description ?? "", start: row.integer(1) ?? 0)
            attempt.end = row.integer(2)
            (attempt.error, attempt.phase, attempt.message) = (row.text(3), row.text(4), row.text(5))
            attempt.run = row.integer(6)
            found.append(attempt)
        }
        return found
    }

    /// Writes what belongs to a new row.
    func inserted(_ part: JobMerge.Part, id: Int64, run: Int64, host: Int64?) throws(StoreError) {
        try write(part.attempts, item: id)
        try hours.add(part.draft, run: run, host: host)
    }

    /// Writes what belongs to a row that was changed.
    func changed(_ old: Stored, to part: JobMerge.Part, run: Int64) throws(StoreError) {
        deleteAttempts.set(1, old.id)
        try deleteAttempts.run()
        try write(part.attempts, item: old.id)
        let (before, after) = (old.part.draft, part.draft)
        try hours.subtract(before, run: before.run ?? 0, host: try host(of: before))
        try hours.add(after, run: run, host: try host(of: after))
        try index(before, with: forget, id: old.id)
        try index(after, with: search, id: old.id)
        change.set(1, old.id)
        try change.run()
    }

    private func host(of draft: ItemDraft) throws(StoreError) -> Int64? {
        try names.id(draft.url.flatMap { StoredURL.host(of: $0) })
    }

    private func index(_ draft: ItemDraft, with statement: SQLiteStatement, id: Int64) throws(StoreError) {
        let message = draft.failure?.message ?? draft.message
        guard draft.url != nil || message != nil else { return }
        statement.set(1, id)
        statement.set(2, draft.url)
        statement.set(3, message)
        try statement.run()
    }

    private func write(_ attempts: [JobAttempt], item: Int64) throws(StoreError) {
        for (number, attempt) in zip(1..., attempts) {
            insertAttempt.set(1, item)
            insertAttempt.set(2, number)
            insertAttempt.set(3, attempt.run)
            insertAttempt.set(4, nil as Int64?)
            if let call = CallID(text: attempt.call) { insertAttempt.set(4, call) }
            insertAttempt.set(5, attempt.start)
            insertAttempt.set(6, attempt.end)
            insertAttempt.set(7, try names.id(attempt.error))
            insertAttempt.set(8, try names.id(attempt.phase))
            insertAttempt.set(9, attempt.message)
            try insertAttempt.run()
        }
    }
}
