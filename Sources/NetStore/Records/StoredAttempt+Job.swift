internal import NetCore

extension StoredAttempt {
    /// Creates the attempt of a job.
    init(_ attempt: JobAttempt, number: Int, of job: StoredItem) {
        self.init(number: number)
        url = job.url
        let begin = StoredTime.microseconds(of: job.startedAt)
        start = StoredTime.duration(max(0, attempt.start.subtractingReportingOverflow(begin).partialValue))
        end = attempt.end.map { StoredTime.duration(max(0, $0.subtractingReportingOverflow(begin).partialValue)) }
        duration = attempt.end.map {
            StoredTime.duration(max(0, $0.subtractingReportingOverflow(attempt.start).partialValue))
        }
        failure = attempt.error.map {
            StoredFailure(code: $0, phase: attempt.phase ?? "", message: attempt.message ?? "")
        }
        run = attempt.run ?? job.run
    }

    /// Returns the attempts of a job by all processes. A job under way has those of its earlier processes too.
    static func all(ofJob job: StoredItem, on connection: SQLiteConnection) throws(StoreError) -> [StoredAttempt] {
        var all: [JobAttempt] = []
        if try connection.hasVersion3() {
            let text = { (column: String) in "(SELECT text FROM net_name WHERE id = a.\(column))" }
            let sql = """
                SELECT a.call, a.started_at, a.ended_at, \(text("error")), \(text("phase")), a.message, a.run
                FROM net_item AS i JOIN net_job_attempt AS a ON a.item = i.id
                WHERE i.uid = ? AND i.kind = 3 ORDER BY a.number
                """
            try connection.rows(sql, [.blob(job.uid.bytes)]) { row throws(StoreError) in
                var attempt = JobAttempt(call: row.id(0)?.description ?? "", start: row.integer(1) ?? 0)
                attempt.end = row.integer(2)
                (attempt.error, attempt.phase, attempt.message) = (row.text(3), row.text(4), row.text(5))
                attempt.run = row.integer(6)
                all.append(attempt)
            }
        }
        let isUnderWay = job.id == 0
        if isUnderWay {
            let known = Set(all.map(\.call))
            let sql = "SELECT state FROM net_open WHERE uid = ? AND kind = 3"
            try connection.rows(sql, [.blob(job.uid.bytes)]) { row throws(StoreError) in
                let state = row.text(0).flatMap(OpenState.init(text:))
                all += (state?.job?.attempts ?? []).filter { !known.contains($0.call) }
            }
        }
        return zip(1..., all).map { StoredAttempt($1, number: $0, of: job) }
    }
}
