/// One step of the schema, numbered from 1.
struct Migration: Sendable {
    /// The name, which is stored in the version table.
    let name: String
    /// The statements, run in one transaction.
    let sql: String
}

/// Migrates a database to the newest schema.
///
/// The version is stored in our own table, by default `net_schema`, instead of `PRAGMA user_version`: a store may share
/// a file with an app's own tables, and that pragma belongs to the app.
struct Migrator: Sendable {
    /// All steps, in order.
    let migrations: [Migration]
    /// The table that contains the version.
    var table = "net_schema"
    /// The error message for a file without that table.
    var missing =
        "the database holds no stored activity (it has no net_schema table). "
        + "Name the file that an ActivityStore has written"

    /// Runs the missing steps, each in a separate transaction. Throws for a newer schema without changing it.
    func migrate(_ connection: SQLiteConnection) throws(StoreError) {
        let isUpToDate = try version(of: connection) == migrations.count
        if isUpToDate { return }
        try connection.transaction { () throws(StoreError) in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS \(table) (
                    version INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                ) STRICT
                """)
        }
        while try runNext(on: connection) {}
    }

    /// Throws unless the schema is readable: any version up to the newest that this library knows.
    func check(_ connection: SQLiteConnection) throws(StoreError) {
        guard let version = try version(of: connection), version > 0 else {
            throw StoreError(.notAStore, message: missing, path: connection.path)
        }
    }

    /// Runs one step; returns false if none is left. Reads the version inside the transaction, since another process
    /// may be migrating at the same time.
    private func runNext(on connection: SQLiteConnection) throws(StoreError) -> Bool {
        try connection.transaction { () throws(StoreError) -> Bool in
            let version = try version(of: connection) ?? 0
            guard version < migrations.count else { return false }
            let step = migrations[version]
            try connection.execute(step.sql)
            try connection.run(
                "INSERT INTO \(table) (version, name) VALUES (?, ?)",
                [.integer(Int64(version + 1)), .text(step.name)])
            return true
        }
    }

    /// Returns the version; nil if the table doesn't exist.
    private func version(of connection: SQLiteConnection) throws(StoreError) -> Int? {
        let table = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(self.table)'"
        guard try connection.integer(table) == 1 else { return nil }
        let version = Int(try connection.integer("SELECT max(version) FROM \(self.table)") ?? 0)
        guard version >= 0, version <= migrations.count else {
            throw StoreError(
                .newerSchema,
                message: "the tables have version \(version), this library knows up to \(migrations.count). "
                    + "Use the newer library, or another file", path: connection.path)
        }
        return version
    }
}
