/// The statements of the first version of the tables; `docs/store-schema.md` describes each column.
///
/// A row of `net_item` is written when the call, WebSocket or job has ended; entries under way are in `net_open`. Only
/// the row of a job is changed afterwards, if another process goes on with the job.
/// Texts shared by many rows (methods, operations, hosts, error codes, media types) are stored once in `net_name`. All
/// times are in microseconds, dates since 1970.
enum StoreTables {
    static let all = names + total + runs + items + attempts + open + captures + messages + hours + keeping + search

    private static let names = """
        CREATE TABLE net_name (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL UNIQUE
        ) STRICT;

        """

    /// The number of entries, kept in a single row: counting a million takes longer than writing a batch.
    private static let total = """
        CREATE TABLE net_total (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            items INTEGER NOT NULL,
            deletions INTEGER NOT NULL
        ) STRICT;
        INSERT INTO net_total (id, items, deletions) VALUES (1, 0, 0);

        """

    private static let runs = """
        CREATE TABLE net_run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            process TEXT NOT NULL,
            pid INTEGER NOT NULL,
            pid_started INTEGER,
            machine TEXT NOT NULL,
            version TEXT,
            started_at INTEGER NOT NULL,
            ended_at INTEGER,
            written INTEGER NOT NULL DEFAULT 0,
            failed INTEGER NOT NULL DEFAULT 0,
            dropped_calls INTEGER NOT NULL DEFAULT 0,
            dropped_sockets INTEGER NOT NULL DEFAULT 0,
            dropped_jobs INTEGER NOT NULL DEFAULT 0,
            dropped_logs INTEGER NOT NULL DEFAULT 0,
            dropped_captures INTEGER NOT NULL DEFAULT 0,
            dropped_messages INTEGER NOT NULL DEFAULT 0,
            flushes INTEGER NOT NULL DEFAULT 0,
            was_cut_off INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        """

    /// `id` increases in commit order; gaps result only from deletions.
    private static let items = """
        CREATE TABLE net_item (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uid BLOB NOT NULL CHECK (length(uid) = 16),
            kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
            run INTEGER NOT NULL,
            started_at INTEGER NOT NULL,
            duration_us INTEGER,
            outcome INTEGER,
            status INTEGER,
            method INTEGER,
            operation INTEGER,
            name INTEGER,
            tags INTEGER,
            host INTEGER,
            url TEXT,
            error INTEGER,
            phase INTEGER,
            message TEXT,
            attempts INTEGER,
            retries INTEGER,
            cache INTEGER,
            cache_reason INTEGER,
            request_bytes INTEGER,
            response_bytes INTEGER,
            request_type INTEGER,
            response_type INTEGER,
            attempt_start_us INTEGER,
            attempt_us INTEGER,
            queued_us INTEGER,
            lookup_us INTEGER,
            connect_us INTEGER,
            secure_us INTEGER,
            waiting_us INTEGER,
            download_us INTEGER,
            version INTEGER,
            is_reused INTEGER,
            remote INTEGER,
            trace BLOB,
            owner BLOB,
            level INTEGER,
            detail TEXT
        ) STRICT;
        CREATE UNIQUE INDEX net_item_by_uid ON net_item (uid, kind);
        CREATE INDEX net_item_by_time ON net_item (started_at);
        CREATE INDEX net_item_by_operation ON net_item (operation);
        CREATE INDEX net_item_by_host ON net_item (host);
        CREATE INDEX net_item_by_status ON net_item (status) WHERE status >= 400;
        CREATE INDEX net_item_by_outcome ON net_item (outcome) WHERE outcome >= 2;
        CREATE INDEX net_item_by_duration ON net_item (duration_us) WHERE duration_us >= 500000;
        CREATE INDEX net_item_by_owner ON net_item (owner) WHERE owner IS NOT NULL;

        """

    /// The attempts of calls with several; a single attempt is stored in its call's row.
    private static let attempts = """
        CREATE TABLE net_attempt (
            item INTEGER NOT NULL,
            number INTEGER NOT NULL,
            started_us INTEGER,
            ended_us INTEGER,
            method INTEGER,
            url TEXT,
            status INTEGER,
            error INTEGER,
            phase INTEGER,
            message TEXT,
            request_bytes INTEGER,
            response_bytes INTEGER,
            attempt_us INTEGER,
            queued_us INTEGER,
            lookup_us INTEGER,
            connect_us INTEGER,
            secure_us INTEGER,
            waiting_us INTEGER,
            download_us INTEGER,
            version INTEGER,
            is_reused INTEGER,
            remote INTEGER,
            trace BLOB,
            retry_reason INTEGER,
            retry_delay_us INTEGER,
            PRIMARY KEY (item, number)
        ) STRICT, WITHOUT ROWID;

        """

    private static let open = """
        CREATE TABLE net_open (
            uid BLOB NOT NULL CHECK (length(uid) = 16),
            kind INTEGER NOT NULL,
            run INTEGER NOT NULL,
            started_at INTEGER NOT NULL,
            method INTEGER,
            operation INTEGER,
            name INTEGER,
            tags INTEGER,
            host INTEGER,
            url TEXT,
            attempts INTEGER,
            status INTEGER,
            request_bytes INTEGER,
            response_bytes INTEGER,
            total_bytes INTEGER,
            owner BLOB,
            state TEXT,
            PRIMARY KEY (uid, kind)
        ) STRICT, WITHOUT ROWID;

        """

    /// Captured headers and bodies. A body is stored once, however many times it was sent.
    private static let captures = """
        CREATE TABLE net_body (
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,
            uses INTEGER NOT NULL,
            size INTEGER NOT NULL,
            is_compressed INTEGER NOT NULL,
            data BLOB NOT NULL
        ) STRICT;
        CREATE TABLE net_capture (
            call BLOB NOT NULL CHECK (length(call) = 16),
            number INTEGER NOT NULL,
            status INTEGER,
            request_fields TEXT,
            request_body INTEGER,
            request_size INTEGER,
            request_is_cut INTEGER,
            response_fields TEXT,
            response_body INTEGER,
            response_size INTEGER,
            response_is_cut INTEGER,
            trailers TEXT,
            pieces TEXT,
            PRIMARY KEY (call, number)
        ) STRICT, WITHOUT ROWID;

        """

    private static let messages = """
        CREATE TABLE net_message (
            socket BLOB NOT NULL CHECK (length(socket) = 16),
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            is_sent INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            size INTEGER NOT NULL,
            text TEXT,
            data BLOB,
            is_cut INTEGER,
            PRIMARY KEY (socket, number)
        ) STRICT, WITHOUT ROWID;

        """

    /// Totals of calls per hour, kept longer than the calls.
    private static let hours = """
        CREATE TABLE net_hour (
            hour INTEGER NOT NULL,
            operation INTEGER NOT NULL,
            host INTEGER NOT NULL,
            run INTEGER NOT NULL,
            bucket INTEGER NOT NULL,
            calls INTEGER NOT NULL,
            completed INTEGER NOT NULL,
            rejected INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            cancelled INTEGER NOT NULL,
            retried INTEGER NOT NULL,
            reused INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            request_bytes INTEGER NOT NULL,
            response_bytes INTEGER NOT NULL,
            PRIMARY KEY (hour, operation, host, run, bucket)
        ) STRICT, WITHOUT ROWID;

        """

    private static let keeping = """
        CREATE TABLE net_artifact (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            summary TEXT,
            content_type TEXT,
            body BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            item INTEGER
        ) STRICT;
        CREATE INDEX net_artifact_by_kind ON net_artifact (kind, created_at);
        CREATE TABLE net_note (
            item INTEGER PRIMARY KEY,
            is_pinned INTEGER NOT NULL,
            comment TEXT,
            changed_at INTEGER NOT NULL
        ) STRICT;

        """

    /// The words of URLs and messages.
    private static let search = """
        CREATE VIRTUAL TABLE net_search USING fts5 (url, message, content = '', columnsize = 0);

        """

    /// Version 2: the position up to which entries have been sent to a collector, by the name of the export.
    static let cursors = """
        CREATE TABLE net_cursor (
            name TEXT PRIMARY KEY,
            position INTEGER NOT NULL,
            deletions INTEGER NOT NULL,
            moved_at INTEGER NOT NULL,
            sent INTEGER NOT NULL,
            rejected INTEGER NOT NULL,
            missed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        """
}
