/// Deletes all entries of a store with everything that belongs to them, but not the artifacts. Must be used inside a
/// transaction.
struct ActivityDeletion {
    let connection: SQLiteConnection
    /// The current run, which stays.
    let run: Int64

    /// Deletes all entries, names and earlier runs.
    func deleteAll() throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM net_item; DELETE FROM net_attempt; DELETE FROM net_open; DELETE FROM net_capture;
            DELETE FROM net_body; DELETE FROM net_message; DELETE FROM net_hour; DELETE FROM net_note;
            DELETE FROM net_name; DELETE FROM net_job_attempt; DELETE FROM net_job_hour; DELETE FROM net_change;
            UPDATE net_total SET items = 0, deletions = deletions + 1;
            INSERT INTO net_search (net_search) VALUES ('delete-all');
            """)
        try connection.run("DELETE FROM net_run WHERE id <> ?", [.integer(run)])
        try connection.run("DELETE FROM net_repeat WHERE run <> ?", [.integer(run)])
    }

    /// Deletes all entries that aren't pinned. Roll-ups then count only the pinned ones.
    func deleteUnpinned() throws(StoreError) {
        let pinned = "(SELECT item FROM net_note WHERE is_pinned = 1)"
        try connection.execute(
            """
            DELETE FROM net_item WHERE id NOT IN \(pinned);
            DELETE FROM net_attempt WHERE item NOT IN \(pinned);
            DELETE FROM net_job_attempt WHERE item NOT IN \(pinned);
            DELETE FROM net_change WHERE item NOT IN \(pinned);
            DELETE FROM net_note WHERE is_pinned <> 1 OR item NOT IN (SELECT id FROM net_item);
            DELETE FROM net_open; DELETE FROM net_hour; DELETE FROM net_job_hour;
            DELETE FROM net_capture WHERE call NOT IN (SELECT uid FROM net_item WHERE kind = 1);
            DELETE FROM net_message WHERE socket NOT IN (SELECT uid FROM net_item WHERE kind = 2);
            UPDATE net_body SET uses = (SELECT count(*) FROM net_capture WHERE request_body = net_body.id)
                + (SELECT count(*) FROM net_capture WHERE response_body = net_body.id);
            DELETE FROM net_body WHERE uses = 0;
            UPDATE net_total SET items = (SELECT count(*) FROM net_item), deletions = deletions + 1;
            INSERT INTO net_search (net_search) VALUES ('delete-all');
            INSERT INTO net_search (rowid, url, message) SELECT id, url, message FROM net_item
                WHERE url IS NOT NULL OR message IS NOT NULL;
            \(JobHourStatement.fill)
            """)
        try fillHours()
        try connection.execute("DELETE FROM net_name WHERE id NOT IN (\(StoredNames.used))")
        try connection.run(
            """
            DELETE FROM net_run WHERE id <> ? AND id NOT IN (SELECT run FROM net_item)
                AND id NOT IN (SELECT run FROM net_job_attempt WHERE run IS NOT NULL)
            """, [.integer(run)])
        try connection.execute("DELETE FROM net_repeat WHERE run NOT IN (SELECT id FROM net_run)")
    }

    private func fillHours() throws(StoreError) {
        let totals = RollUps(columns: RollUps.names)
        let sql = "SELECT \(RollUps.names.joined(separator: ", ")) FROM net_item WHERE kind = 1"
        try connection.query(sql) { row throws(StoreError) in totals.add(row) }
        let hours = try HourStatement(on: connection)
        for (run, totals) in totals.runs { try hours.add(totals, run: run) }
    }
}
