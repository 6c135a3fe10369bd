internal import NetCore

/// Turns queued entries into rows and commits them. Used on the writer thread.
final class ItemWriter {
    /// The outcome of a commit.
    struct Outcome {
        /// The number of rows that the database refused.
        var refused = 0
        /// The number of entries that were already stored and changed nothing.
        var alreadyStored = 0
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
            let known = try transact(batch, counts)
            committed(batch)
            return Outcome(alreadyStored: known)
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
        _ = try transact(batch, counts)
        committed(batch)
    }

    private func committed(_ batch: Batch) {
        assembly.wereStored(batch.opened)
        lastCommit = configuration.clock.now()
    }

    private func commitPieces(of batch: Batch, counts: WriterStatistics) -> Outcome {
        var (outcome, counts) = (Outcome(), counts)
        // Pieces committed before an error aren't retried.
        if pieces.isEmpty { pieces = batch.pieces.reversed() }
        while let piece = pieces.last {
            do throws(StoreError) {
                let known = try transact(piece, counts)
                outcome.alreadyStored += known
                counts.alreadyStored += known
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

    /// Writes a batch; returns the number of its entries that were already stored and changed nothing.
    private func transact(_ batch: Batch, _ counts: WriterStatistics) throws(StoreError) -> Int {
        guard let statements else { throw StoreError.closed(connection.path) }
        do throws(StoreError) {
            return try connection.transaction { () throws(StoreError) in
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
                var counts = counts
                counts.alreadyStored += totals.alreadyStored
                try statements.run.write(counts)
                return totals.alreadyStored
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
            let deletion = ActivityDeletion(connection: connection, run: run)
            try deletion.deleteAll()
            try connection.execute("DELETE FROM net_artifact")
        }
        startOver()
    }

    /// Deletes all entries, except pinned ones if they are spared; returns the number of deleted entries.
    func deleteActivity(sparingPinned isSparing: Bool) throws(StoreError) -> Int {
        let deleted = try connection.transaction { () throws(StoreError) in
            let deletion = ActivityDeletion(connection: connection, run: run)
            let before = try connection.integer("SELECT count(*) FROM net_item") ?? 0
            let pinned = "SELECT count(*) FROM net_note JOIN net_item ON id = item WHERE is_pinned = 1"
            let kept = isSparing ? try connection.integer(pinned) ?? 0 : 0
            if kept == 0 { try deletion.deleteAll() } else { try deletion.deleteUnpinned() }
            return Int(before - kept)
        }
        startOver()
        return deleted
    }

    private func startOver() {
        assembly.removeAll()
        captures.removeAll()
        names.forget()
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
    /// safe. Returns the number of entries that were already stored and changed nothing.
    @discardableResult
    func finish(_ counts: WriterStatistics) -> Int {
        var known = 0
        let now = StoredTime.microseconds(of: configuration.clock.date())
        do throws(StoreError) {
            var rest = Batch(items: assembly.cutOffAll(now: now))
            for item in rest.items {
                for capture in captures.ended(item) { keep(capture, of: item, in: &rest) }
            }
            known = try transact(rest, counts)
            if let run = statements?.run {
                try connection.transaction { () throws(StoreError) in try run.write(endedAt: now) }
            }
        } catch {
            // The rows of entries under way stay; the next process that opens the file marks them as cut off.
        }
        statements = nil
        pruner = nil
        connection.checkpoint()
        return known
    }
}

extension StoreError {
    /// The error for using a closed store.
    static func closed(_ path: String) -> StoreError {
        StoreError(.closed, message: "the store is closed. Open it again to use it", path: path)
    }
}
