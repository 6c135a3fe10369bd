extension StoreTables {
    /// Version 3: jobs that several processes carry out, and the paths of files that were sent. The roll-ups are filled
    /// from the jobs that are stored.
    ///
    /// `net_change` has one row for each entry that was changed after it had been inserted; the number grows with each
    /// change.
    static let jobs =
        """
        ALTER TABLE net_item ADD COLUMN changed_at INTEGER;
        ALTER TABLE net_capture ADD COLUMN request_file TEXT;
        CREATE TABLE net_job_attempt (
            item INTEGER NOT NULL,
            number INTEGER NOT NULL,
            run INTEGER,
            call BLOB,
            started_at INTEGER NOT NULL,
            ended_at INTEGER,
            error INTEGER,
            phase INTEGER,
            message TEXT,
            PRIMARY KEY (item, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE net_job_hour (
            hour INTEGER NOT NULL,
            host INTEGER NOT NULL,
            run INTEGER NOT NULL,
            jobs INTEGER NOT NULL,
            completed INTEGER NOT NULL,
            rejected INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            cancelled INTEGER NOT NULL,
            PRIMARY KEY (hour, host, run)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE net_repeat (
            run INTEGER PRIMARY KEY,
            entries INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE net_change (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            item INTEGER NOT NULL UNIQUE
        ) STRICT;

        """ + JobHourStatement.fill

    /// Version 4: how long sending took. It was a part of `waiting_us` before, and stays that for attempts that are stored.
    static let sending =
        """
        ALTER TABLE net_item ADD COLUMN sending_us INTEGER;
        ALTER TABLE net_attempt ADD COLUMN sending_us INTEGER;
        """
}

extension SQLiteConnection {
    /// True if the file has the tables of version 3. A reader also reads files of earlier versions, and a writer may
    /// migrate the file at any time.
    func hasVersion3() throws(StoreError) -> Bool {
        var isKnown = false
        try rows("SELECT 1 FROM sqlite_schema WHERE name = 'net_change'", []) { _ throws(StoreError) in isKnown = true }
        return isKnown
    }

    /// True if the file has the columns of version 4.
    func hasVersion4() throws(StoreError) -> Bool {
        var isKnown = false
        try rows("SELECT 1 FROM net_schema WHERE version = 4", []) { _ throws(StoreError) in isKnown = true }
        return isKnown
    }
}
