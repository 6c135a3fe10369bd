/// The tables of a store. A step that has been released is never changed: a change is a new step.
enum StoreSchema {
    /// All steps, oldest first.
    static let migrations = [
        Migration(name: "calls, attempts, events", sql: calls + attempts + events),
        Migration(name: "writer sessions", sql: sessions),
        Migration(name: "views for people", sql: views),
        Migration(name: "events of caches", sql: cacheEvents),
    ]

    static let migrator = Migrator(migrations: migrations)

    private static let calls = """
        CREATE TABLE net_call (
            id TEXT PRIMARY KEY NOT NULL,
            method TEXT NOT NULL,
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            path TEXT NOT NULL,
            operation TEXT,
            name TEXT,
            tags TEXT NOT NULL DEFAULT '[]',
            started_at INTEGER NOT NULL,
            duration_us INTEGER,
            outcome TEXT CHECK (outcome IN ('completed', 'rejected', 'failed', 'cancelled')),
            status INTEGER,
            error_code TEXT,
            error_phase TEXT,
            error_message TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            request_bytes INTEGER,
            response_bytes INTEGER
        ) STRICT;
        CREATE INDEX net_call_by_time ON net_call (started_at DESC, id DESC);
        CREATE INDEX net_call_by_operation ON net_call (operation, started_at DESC);
        CREATE INDEX net_call_by_outcome ON net_call (outcome, started_at DESC);
        CREATE INDEX net_call_by_host ON net_call (host, status, started_at DESC);
        CREATE INDEX net_call_by_duration ON net_call (duration_us DESC);

        """

    private static let attempts = """
        CREATE TABLE net_attempt (
            call TEXT NOT NULL REFERENCES net_call (id) ON DELETE CASCADE
                DEFERRABLE INITIALLY DEFERRED,
            sequence INTEGER NOT NULL,
            number INTEGER NOT NULL,
            status INTEGER,
            error_code TEXT,
            error_phase TEXT,
            error_message TEXT,
            resolved_us INTEGER,
            connected_us INTEGER,
            secured_us INTEGER,
            request_sent_us INTEGER,
            first_byte_us INTEGER,
            total_us INTEGER,
            request_bytes INTEGER,
            response_bytes INTEGER,
            version TEXT,
            is_reused INTEGER CHECK (is_reused IN (0, 1)),
            remote TEXT,
            PRIMARY KEY (call, sequence)
        ) STRICT, WITHOUT ROWID;

        """

    private static let events = """
        CREATE TABLE net_event (
            call TEXT NOT NULL REFERENCES net_call (id) ON DELETE CASCADE
                DEFERRABLE INITIALLY DEFERRED,
            sequence INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('started', 'attemptEnded', 'retrying', 'responded', 'ended')),
            occurred_at INTEGER NOT NULL,
            elapsed_us INTEGER NOT NULL,
            title TEXT NOT NULL,
            detail TEXT,
            retry_attempt INTEGER,
            retry_delay_us INTEGER,
            PRIMARY KEY (call, sequence)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX net_event_by_time ON net_event (occurred_at DESC);

        """

    private static let sessions = """
        CREATE TABLE net_session (
            id INTEGER PRIMARY KEY,
            opened_at INTEGER NOT NULL,
            closed_at INTEGER,
            written INTEGER NOT NULL DEFAULT 0,
            dropped INTEGER NOT NULL DEFAULT 0,
            failed INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        """

    private static let views = """
        CREATE VIEW net_recent AS
            SELECT strftime('%Y-%m-%d %H:%M:%f', started_at / 1e6, 'unixepoch') AS time, id,
                coalesce(outcome, 'running') AS outcome, status, method,
                duration_us / 1e3 AS milliseconds, attempts, operation, url, error_code, error_message
            FROM net_call ORDER BY started_at DESC, id DESC;
        CREATE VIEW net_recent_event AS
            SELECT strftime('%Y-%m-%d %H:%M:%f', occurred_at / 1e6, 'unixepoch') AS time, call, sequence, kind,
                elapsed_us / 1e3 AS milliseconds, title, detail, retry_attempt, retry_delay_us / 1e3 AS retry_delay_ms
            FROM net_event ORDER BY occurred_at DESC, call DESC, sequence DESC;
        """

    /// A check cannot be changed: the table is made anew, and what looks at it.
    private static let cacheEvents = """
        DROP VIEW net_recent_event;
        DROP INDEX net_event_by_time;
        ALTER TABLE net_event RENAME TO net_event_before;
        CREATE TABLE net_event (
            call TEXT NOT NULL REFERENCES net_call (id) ON DELETE CASCADE
                DEFERRABLE INITIALLY DEFERRED,
            sequence INTEGER NOT NULL,
            kind TEXT NOT NULL
                CHECK (kind IN ('started', 'attemptEnded', 'retrying', 'cache', 'responded', 'ended')),
            occurred_at INTEGER NOT NULL,
            elapsed_us INTEGER NOT NULL,
            title TEXT NOT NULL,
            detail TEXT,
            retry_attempt INTEGER,
            retry_delay_us INTEGER,
            PRIMARY KEY (call, sequence)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO net_event SELECT call, sequence, kind, occurred_at, elapsed_us, title, detail, retry_attempt,
            retry_delay_us FROM net_event_before;
        DROP TABLE net_event_before;
        CREATE INDEX net_event_by_time ON net_event (occurred_at DESC);
        CREATE VIEW net_recent_event AS
            SELECT strftime('%Y-%m-%d %H:%M:%f', occurred_at / 1e6, 'unixepoch') AS time, call, sequence, kind,
                elapsed_us / 1e3 AS milliseconds, title, detail, retry_attempt, retry_delay_us / 1e3 AS retry_delay_ms
            FROM net_event ORDER BY occurred_at DESC, call DESC, sequence DESC;
        """
}
