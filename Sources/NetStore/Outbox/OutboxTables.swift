internal import HTTPTypes
internal import NetCore
internal import NetCrypto

/// Reads and writes an outbox's file, on the thread of its connection.
final class OutboxTables {
    /// The result of adding an item.
    enum Addition: Sendable {
        case added(OutboxItem.ID)
        /// The outbox has reached its maximum number of items or bytes.
        case full(items: Int64, bytes: Int64)
    }

    /// A job of an item, and the sequence number of its last activity.
    struct JobPosition: Sendable {
        var job: CallID
        var sequence: Int
    }

    let connection: SQLiteConnection
    /// The column with an item's user; null in a file that an earlier version has written, and that is only read.
    let owner: String

    private init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        let columns = "SELECT count(*) FROM pragma_table_info('outbox_item') WHERE name = 'owner'"
        owner = try connection.integer(columns) == 1 ? "owner" : "NULL"
    }

    /// Opens the file for writing, creates or migrates its tables, and makes each commit wait for the disk.
    static func openForWriting(_ path: String, _ configuration: Outbox.Configuration) throws(StoreError) -> OutboxTables
    {
        let connection = try StoreFile.openForWriting(
            path, busyTimeout: configuration.busyTimeout, createsFile: configuration.createsFile,
            open: configuration.open)
        try OutboxSchema.checkOwner(connection)
        if !configuration.createsFile { try OutboxSchema.migrator.check(connection) }
        try connection.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
        #if canImport(Darwin)
        // On Darwin, fsync doesn't flush the disk's write cache.
        try connection.execute("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
        #endif
        try OutboxSchema.migrator.migrate(connection)
        try connection.writeAhead()
        try connection.execute("PRAGMA journal_size_limit = 8388608")
        return try OutboxTables(connection)
    }

    /// Opens the file for reading only.
    static func openForReading(_ path: String, _ configuration: Outbox.Configuration) throws(StoreError) -> OutboxTables
    {
        let connection = try StoreFile.openForReading(
            path, busyTimeout: configuration.busyTimeout, open: configuration.open)
        try OutboxSchema.checkOwner(connection)
        try OutboxSchema.migrator.check(connection)
        return try OutboxTables(connection)
    }

    /// Commits only a new revision.
    func touch() throws(StoreError) {
        try connection.transaction { () throws(StoreError) in _ = try nextRevision() }
    }

    // MARK: Adding

    /// Adds an item as queued.
    ///
    /// - Parameter lifetime: The microseconds after which the item expires; nil for never.
    func add(
        _ draft: OutboxDraft, orderKey: String?, key: String, job: CallID, now: Int64, lifetime: Int64?,
        _ configuration: Outbox.Configuration
    ) throws(StoreError) -> Addition {
        let (items, bytes) = try totals()
        let size = Int64(draft.size)
        guard items < max(1, configuration.maximumItems), bytes + size <= max(1, configuration.maximumTotalBytes) else {
            return .full(items: items, bytes: bytes)
        }
        let revision = try nextRevision()
        try connection.run("UPDATE outbox_total SET items = items + 1, bytes = bytes + ?", [.integer(size)])
        try connection.run(
            """
            INSERT INTO outbox_item (revision, state, order_key, method, target, is_absolute, headers, body, body_bytes,
                size, accepted_statuses, name, operation, tags, sends_credentials, idempotency_key, job, activities,
                accepted_at, changed_at, due_at, expires_at, lifetime, owner)
            VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(revision), .optional(orderKey), .text(draft.method.rawValue), .text(draft.target),
                .integer(draft.isAbsolute ? 1 : 0), .text(OutboxText.headers(draft.headers)),
                draft.body.map { .blob([UInt8]($0)) } ?? .null, .integer(Int64(draft.body?.count ?? 0)), .integer(size),
                .text(draft.accepted.text), .optional(draft.metadata.name), .optional(draft.metadata.operationID),
                .text(OutboxText.list(draft.metadata.tags)),
                .integer(draft.sendsCredentialsToOtherOrigins ? 1 : 0), .text(key), .blob(job.bytes), .integer(now),
                .integer(now), .integer(now), .optional(lifetime.map { now.addingOrMax($0) }), .optional(lifetime),
                .optional(draft.owner?.text),
            ])
        return .added(connection.lastInsertedRow)
    }

    /// Returns the number and size of the unfinished items.
    func totals() throws(StoreError) -> (items: Int64, bytes: Int64) {
        var result: (Int64, Int64) = (0, 0)
        try connection.rows("SELECT items, bytes FROM outbox_total", []) { row throws(StoreError) in
            result = (row.integer(0) ?? 0, row.integer(1) ?? 0)
        }
        return result
    }

    func nextRevision() throws(StoreError) -> Int64 {
        try connection.run("UPDATE outbox_total SET revision = revision + 1")
        var revision: Int64 = 0
        try connection.rows("SELECT revision FROM outbox_total", []) { row throws(StoreError) in
            revision = row.integer(0) ?? 0
        }
        return revision
    }

    // MARK: Reading

    /// Returns items in the order of their numbers.
    func items(
        _ states: Set<OutboxItem.State>, after id: OutboxItem.ID, limit: Int, _ redaction: RedactionPolicy
    ) throws(StoreError) -> [OutboxItem] {
        let list = states.map { "\($0.rawValue)" }.sorted().joined(separator: ", ")
        var items: [OutboxItem] = []
        let sql =
            "SELECT \(OutboxItem.columns), \(owner) FROM outbox_item WHERE state IN (\(list)) AND id > ? ORDER BY id LIMIT ?"
        try connection.rows(sql, [.integer(id), .integer(Int64(max(0, limit)))]) { row throws(StoreError) in
            items.append(try OutboxItem(row, redaction))
        }
        return items
    }

    /// Returns the item; nil if it doesn't exist.
    func item(_ id: OutboxItem.ID, _ redaction: RedactionPolicy) throws(StoreError) -> OutboxItem? {
        var item: OutboxItem?
        try connection.rows("SELECT \(OutboxItem.columns), \(owner) FROM outbox_item WHERE id = ?", [.integer(id)]) {
            row throws(StoreError) in item = try OutboxItem(row, redaction)
        }
        return item
    }

    /// Returns the items changed since a revision, and the last revision.
    ///
    /// No item waits longer than requested: if the wall clock was set back in the meantime, its wait restarts now.
    func changes(after revision: Int64, now: Int64) throws(StoreError) -> (
        entries: [OutboxQueue.Entry], revision: Int64
    ) {
        var entries: [OutboxQueue.Entry] = []
        var last = revision
        try connection.rows(
            """
            SELECT revision, id, order_key, state, due_at, expires_at, changed_at, \(owner) FROM outbox_item WHERE revision > ?
            ORDER BY revision
            """, [.integer(revision)]
        ) { row throws(StoreError) in
            guard let state = row.int(3).flatMap(OutboxItem.State.init(rawValue:)) else {
                throw row.unexpected("an unknown state")
            }
            last = row.integer(0) ?? last
            let (due, changed) = (row.integer(4) ?? 0, row.integer(6) ?? 0)
            let wait = max(0, due.subtractingReportingOverflow(changed).partialValue)
            entries.append(
                .init(
                    id: row.integer(1) ?? 0, orderKey: row.text(2), state: state,
                    due: min(due, now.addingOrMax(wait)), expiresAt: row.integer(5),
                    owner: try row.owner(7)))
        }
        return (entries, last)
    }

    /// Returns true if a sender has work, now or later: an item that isn't finished, parked, or behind a parked one.
    func hasWork(parkedItemsBlock: Bool) throws(StoreError) -> Bool {
        let isFree =
            parkedItemsBlock
            ? """
            AND (i.order_key IS NULL OR NOT EXISTS (
                SELECT 1 FROM outbox_item AS p WHERE p.state = 4 AND p.order_key = i.order_key AND p.id < i.id))
            """ : ""
        var isThere = false
        try connection.rows("SELECT 1 FROM outbox_item AS i WHERE i.state IN (1, 2, 3) \(isFree) LIMIT 1", []) {
            _ throws(StoreError) in isThere = true
        }
        return isThere
    }
}

extension SQLiteRow {
    /// The user of an item; nil for an item of any sender.
    func owner(_ column: Int32) throws(StoreError) -> SealedNames? {
        guard let text = text(column) else { return nil }
        guard let owner = SealedNames(text: text) else { throw unexpected("an invalid user") }
        return owner
    }
}

extension Int64 {
    /// Returns the sum, or `Int64.max` on overflow.
    func addingOrMax(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
