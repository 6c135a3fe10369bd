internal import NetCore

/// The tables of an outbox. A released migration step is never changed: a change is a new step.
enum OutboxSchema {
    static let migrator = Migrator(
        migrations: [Migration(name: "items", sql: items), Migration(name: "owner", sql: owner)],
        table: "outbox_schema",
        missing:
            "the database isn't an outbox (it has no outbox_schema table). Name the file that an Outbox has written")

    /// States are raw values of `OutboxItem.State`; times are microseconds since 1970. `revision` increases with each
    /// change, so that a sender finds the changes. `outbox_total` has one row: the last revision, and the number and
    /// size of the unfinished items.
    private static let items = """
        CREATE TABLE outbox_item (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            revision INTEGER NOT NULL,
            state INTEGER NOT NULL,
            order_key TEXT,
            method TEXT NOT NULL,
            target TEXT NOT NULL,
            is_absolute INTEGER NOT NULL,
            headers TEXT NOT NULL,
            body BLOB,
            body_bytes INTEGER NOT NULL,
            size INTEGER NOT NULL,
            accepted_statuses TEXT NOT NULL,
            name TEXT,
            operation TEXT,
            tags TEXT NOT NULL,
            sends_credentials INTEGER NOT NULL,
            idempotency_key TEXT NOT NULL,
            job BLOB NOT NULL,
            activities INTEGER NOT NULL,
            accepted_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            expires_at INTEGER,
            lifetime INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            refusals INTEGER NOT NULL DEFAULT 0,
            park_reason TEXT,
            status INTEGER,
            response_headers TEXT,
            response_body BLOB,
            response_is_cut INTEGER,
            error_code TEXT,
            error_message TEXT
        ) STRICT;
        CREATE INDEX outbox_item_revision ON outbox_item (revision);
        CREATE INDEX outbox_item_state ON outbox_item (state, id);
        CREATE INDEX outbox_item_parked ON outbox_item (order_key, id) WHERE state = 4;
        CREATE INDEX outbox_item_finished ON outbox_item (revision) WHERE state >= 5;
        CREATE TABLE outbox_total (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            revision INTEGER NOT NULL,
            items INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;
        INSERT INTO outbox_total (id, revision, items, bytes) VALUES (1, 0, 0, 0);
        """

    /// The keyed hash of the names of an item's user; null for an item of any sender.
    private static let owner = "ALTER TABLE outbox_item ADD COLUMN owner TEXT"

    /// Throws `.notAStore` if the file has tables but isn't an outbox; a file without tables is accepted. Called before
    /// any change to the file.
    static func checkOwner(_ connection: SQLiteConnection) throws(StoreError) {
        var tables: [String] = []
        try connection.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { row throws(StoreError) in
            if let name = row.text(0), !name.hasPrefix("sqlite_") { tables.append(name) }
        }
        if tables.isEmpty || tables.contains("outbox_schema") { return }
        let owner = tables.contains("net_schema") ? "is an activity store" : "has tables of another program"
        throw StoreError(
            .notAStore, message: "the database \(owner). An outbox needs its own file; name another one",
            path: connection.path)
    }
}
