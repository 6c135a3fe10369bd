internal import NetCore

/// Turns queued entries into rows and commits them. Used on the writer thread.
final class ItemWriter {
    /// The outcome of a commit.
    struct Outcome {
        /// The number of rows that the database refused.
        var refused = 0
        /// The error of the last refused row.
        var rowError: StoreError?
        /// The reason why nothing was committed; the batch is retried.
        var error: StoreError?
    }

    /// The prepared statements that write rows.
    struct Statements {
        let items: ItemStatement
        let captures: CaptureStatement
        let open: OpenStatement
        let hours: HourStatement
        let run: RunStatement
    }

    let connection: SQLiteConnection
    let configuration: ActivityStore.Configuration
    let run: Int64
    let names: NameTable
    /// Nil once the writer has finished, since statements keep the connection open.
    private(set) var statements: Statements?
    private var pruner: Pruner?
    private var assembly = ItemAssembly()
    private var captures: HeldCaptures
    private var lastCommit: Duration
    /// The remaining pieces of a batch that is written row by row.
    private var pieces: [Batch] = []

    /// Marks the entries under way of dead runs as cut off, and begins a run.
    init(on connection: SQLiteConnection, configuration: ActivityStore.Configuration) throws(StoreError) {
        self.connection = connection
        self.configuration = configuration
        captures = HeldCaptures(configuration.capture.rule)
        let names = try NameTable(on: connection)
        self.names = names
        let items = try ItemStatement(on: connection, names: names)
        let open = try OpenStatement(on: connection, names: names)
        try connection.transaction { () throws(StoreError) in
            try names.begin()
            try CrashRecovery(connection: connection).run(items, open)
        }
        let now = StoredTime.microseconds(of: configuration.clock.date())
        let begun = try RunStatement(on: connection, version: configuration.version, now: now)
        run = begun.id
        let bodies = try BodyStatement(on: connection, maximumBytes: configuration.maximumBodyBytes)
        let writing = try CaptureStatement(
            on: connection, names: names, bodies: bodies, maximumMessages: configuration.maximumMessages)
        statements = Statements(
            items: items, captures: writing, open: open, hours: try HourStatement(on: connection), run: begun)
        pruner = try Pruner(on: connection, bodies: bodies, configuration: configuration)
        lastCommit = configuration.clock.now()
    }

    // MARK: Batches

    /// Decides the rows of a batch. Each entry must be passed only once.
    func decide(_ entries: ArraySlice<PendingEntry>, writesAllOpen: Bool) -> Batch {
        assembly.beginBatch()
        var batch = Batch(count: entries.count)
        batch.items.reserveCapacity(entries.count / 2)
        for entry in entries {
            if let item = assembly.add(entry) {
                batch.items.append(item)
                for capture in captures.ended(item) { keep(capture, of: item, in: &batch) }
            }
            switch entry {
            case .capture(let capture):
                let isUnderWay = assembly.contains(ItemKey(capture.call, .call))
                if captures.hold(capture, isUnderWay: isUnderWay) { continue }
                let row = capture.row()
                assembly.describe(row)
                batch.captures.append(row)
            case .message(let message): batch.messages.append(message.row())
            case .call, .socket, .job, .log, .lost: break
            }
        }
        batch.opened = assembly.opened(all: writesAllOpen)
        return batch
    }

    private func keep(_ capture: PendingCapture, of item: ItemDraft, in batch: inout Batch) {
        let row = capture.row()
        item.describe(row)
        batch.captures.append(row)
    }

    /// Commits a batch. A row that the database refuses doesn't affect the other rows.
    func commit(_ batch: Batch, counts: WriterStatistics) -> Outcome {
        guard pieces.isEmpty else { return commitPieces(of: batch, counts: counts) }
        do throws(StoreError) {
            try transact(batch, counts)
            committed(batch)
            return Outcome()
        } catch {
            guard error.isAboutTheRow else { return Outcome(error: error) }
            return commitPieces(of: batch, counts: counts)
        }
    }

    /// Writes the rows of all changed entries under way.
    func writeOpen(_ counts: WriterStatistics) throws(StoreError) {
        let opened = assembly.opened(all: true)
        guard !opened.isEmpty else { return }
        let batch = Batch(opened: opened)
        try transact(batch, counts)
        committed(batch)
    }

    private func committed(_ batch: Batch) {
        assembly.wereStored(batch.opened)
        lastCommit = configuration.clock.now()
    }

    private func commitPieces(of batch: Batch, counts: WriterStatistics) -> Outcome {
        var outcome = Outcome()
        // Pieces committed before an error aren't retried.
        if pieces.isEmpty { pieces = batch.pieces.reversed() }
        while let piece = pieces.last {
            do throws(StoreError) {
                try transact(piece, counts)
            } catch {
                guard error.isAboutTheRow else {
                    outcome.error = error
                    return outcome
                }
                outcome.refused += 1
                outcome.rowError = error
            }
            pieces.removeLast()
        }
        committed(batch)
        return outcome
    }

    private func transact(_ batch: Batch, _ counts: WriterStatistics) throws(StoreError) {
        guard let statements else { throw StoreError.closed(connection.path) }
        do throws(StoreError) {
            try connection.transaction { () throws(StoreError) in
                try names.begin()
                var totals = HourTotals()
                try statements.items.write(batch.items, run: run, to: &totals)
                for draft in batch.items where draft.isStored { try statements.open.delete(draft.key) }
                for capture in batch.captures {
                    try statements.captures.write(capture, isUnderWay: assembly.contains(ItemKey(capture.call, .call)))
                }
                for row in batch.messages {
                    let key = ItemKey(row.message.socket, .socket)
                    try statements.captures.write(row, isUnderWay: assembly.contains(key))
                }
                for draft in batch.opened { try statements.open.write(draft, run: run) }
                try statements.hours.add(totals, run: run)
                try statements.run.write(counts)
            }
        } catch {
            names.forget()
            throw error
        }
    }

    // MARK: Housekeeping

    /// Does maintenance that is due, for at most one slice of time. Returns the time until more is due; zero if there
    /// is more to do now.
    ///
    /// Errors need no special handling: the same rows remain due, and a failing disk makes the next batch fail as well.
    func tidy(_ counts: WriterStatistics, isAwaited: () -> Bool) throws(StoreError) -> Duration {
        let now = configuration.clock.now()
        var pause = configuration.pruneInterval
        if !assembly.changed.isEmpty {
            let due = lastCommit + configuration.batchDelay - now
            if due <= .zero { try writeOpen(counts) } else { pause = min(pause, due) }
        }
        guard let pruner else { return pause }
        return min(pause, try pruner.tidy(now: now, isAwaited: isAwaited))
    }

    /// Deletes entries beyond the retention limits, and returns the number of deleted entries.
    func prune() throws(StoreError) -> Int {
        try pruner?.pruneAll() ?? 0
    }

    /// Deletes everything except the current run.
    func deleteAll() throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            try connection.execute(
                """
                DELETE FROM net_item; DELETE FROM net_attempt; DELETE FROM net_open; DELETE FROM net_capture;
                DELETE FROM net_body; DELETE FROM net_message; DELETE FROM net_hour; DELETE FROM net_artifact;
                DELETE FROM net_note; DELETE FROM net_name;
                UPDATE net_total SET items = 0, deletions = deletions + 1;
                INSERT INTO net_search (net_search) VALUES ('delete-all');
                """)
            try connection.run("DELETE FROM net_run WHERE id <> ?", [.integer(run)])
        }
        assembly.removeAll()
        captures.removeAll()
        pruner?.startOver()
    }

    /// Makes all earlier commits survive a crash of the machine by committing with a flush of the log.
    func flushToDisk() throws(StoreError) {
        guard let run = statements?.run else { throw StoreError.closed(connection.path) }
        try connection.execute("PRAGMA synchronous = FULL")
        defer { try? connection.execute("PRAGMA synchronous = NORMAL") }
        try connection.transaction { () throws(StoreError) in try run.writeFlush() }
    }

    /// Ends the run: entries under way count as cut off. Truncates the log if possible; committed entries are already
    /// safe.
    func finish(_ counts: WriterStatistics) {
        let now = StoredTime.microseconds(of: configuration.clock.date())
        do throws(StoreError) {
            var rest = Batch(items: assembly.cutOffAll(now: now))
            for item in rest.items {
                for capture in captures.ended(item) { keep(capture, of: item, in: &rest) }
            }
            try transact(rest, counts)
            if let run = statements?.run {
                try connection.transaction { () throws(StoreError) in try run.write(endedAt: now) }
            }
        } catch {
            // The rows of entries under way stay; the next process that opens the file marks them as cut off.
        }
        statements = nil
        pruner = nil
        connection.checkpoint()
    }
}

extension StoreError {
    /// The error for using a closed store.
    static func closed(_ path: String) -> StoreError {
        StoreError(.closed, message: "the store is closed. Open it again to use it", path: path)
    }
}
