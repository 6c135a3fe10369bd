import Foundation
import Synchronization
import Testing

@testable import NetStore

struct MigrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func connect() throws -> SQLiteConnection { try SQLiteConnection(at: folder.file()) }

    @Test func stepsRunInOrderAndOnlyOnce() throws {
        let steps = [
            Migration(name: "one", sql: "CREATE TABLE a (x); INSERT INTO a VALUES (1)"),
            Migration(name: "two", sql: "INSERT INTO a SELECT x + 1 FROM a"),
        ]
        let connection = try connect()
        try Migrator(migrations: [steps[0]]).migrate(connection)
        try Migrator(migrations: steps).migrate(connection)
        try Migrator(migrations: steps).migrate(connection)
        #expect(try connection.integer("SELECT sum(x) * 10 + count(*) FROM a") == 32)
    }

    @Test func aStepThatFailsLeavesNothingBehind() throws {
        let steps = [
            Migration(name: "good", sql: "CREATE TABLE a (x)"),
            Migration(name: "bad", sql: "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)"),
        ]
        let connection = try connect()
        let error = try #require(throws: StoreError.self) { try Migrator(migrations: steps).migrate(connection) }
        #expect(error.message.contains("nowhere"))
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name IN ('a', 'b')") == 1)
        #expect(try connection.integer("SELECT max(version) FROM net_schema") == 1)
    }

    @Test func aNewerFileIsRefusedAndLeftAlone() async throws {
        try await ActivityStore(path: folder.file()).close()
        try Command.changeWithSQLite(folder.file(), "INSERT INTO net_schema (version, name) VALUES (99, 'later')")
        let before = try Command.sqlite(folder.file(), ".dump")
        let error = try #require(throws: StoreError.self) { _ = try ActivityStore(path: folder.file()) }
        #expect(error.code == .newerSchema)
        #expect(error.message.contains("99"))
        let reading = try #require(throws: StoreError.self) { _ = try ActivityReader(path: folder.file()) }
        #expect(reading.code == .newerSchema)
        #expect(try Command.sqlite(folder.file(), ".dump") == before)
    }

    @Test func anAppsOwnTablesAndVersionStay() async throws {
        try Command.changeWithSQLite(
            folder.file(),
            "PRAGMA user_version = 41; CREATE TABLE call (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO call VALUES (1, 'mine')"
        )
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(1))
        #expect(try await store.count() == 1)
        try Command.changeWithSQLite(folder.file(), "PRAGMA busy_timeout = 5000; INSERT INTO call VALUES (2, 'more')")
        try await store.deleteAll()
        try await store.close()
        #expect(
            try Command.sqlite(folder.file(), "PRAGMA user_version; SELECT group_concat(note) FROM call")
                == "41\nmine,more")
        let foreign =
            "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'net\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'"
        #expect(try Command.sqlite(folder.file(), foreign) == "1", "every name of ours begins with net_")
    }

    @Test func tablesAreStrict() async throws {
        try await ActivityStore(path: folder.file()).close()
        let loose =
            "SELECT group_concat(name) FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name LIKE 'net%'"
        #expect(try Command.sqlite(folder.file(), loose) == "")
        #expect(try Command.sqlite(folder.file(), "PRAGMA journal_mode") == "wal")
    }

    @Test func severalStoresMayMigrateAtOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { [path = folder.file()] in try await ActivityStore(path: path).close() }
            }
            try await group.waitForAll()
        }
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_run") == "6")
    }

    @Test func aReaderReadsEveryVersionThatItKnows() throws {
        let later = Migration(name: "later", sql: "CREATE TABLE net_later (x)")
        let connection = try connect()
        try StoreSchema.migrator.migrate(connection)
        try Migrator(migrations: StoreSchema.migrations + [later]).check(connection)
        try Migrator(migrations: StoreSchema.migrations + [later]).migrate(connection)
        let error = try #require(throws: StoreError.self) { try StoreSchema.migrator.check(connection) }
        #expect(error.code == .newerSchema)
    }

    @Test func migrationsRunOnAnAppsOwnConnection() async throws {
        let app = try AppDatabase.open(folder.file())
        defer { AppDatabase.close(app) }
        try AppDatabase.execute("CREATE TABLE mine (x)", on: app)
        try ActivityStore.migrate(app)
        try AppDatabase.execute("INSERT INTO mine SELECT count(*) FROM net_schema", on: app)
        #expect(try Command.sqlite(folder.file(), "SELECT x FROM mine") == "\(StoreSchema.migrations.count)")
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(1))
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_item") == "1")
        try await store.close()
    }

    @Test func anAppMayOpenTheConnections() async throws {
        let opened = Mutex<[Bool]>([])
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        let configuration = ActivityStore.Configuration(
            retention: .none,
            open: { path, isReadOnly in
                opened.withLock { $0.append(isReadOnly) }
                return try AppDatabase.open(path, isReadOnly: isReadOnly)
            })
        let store = try ActivityStore(path: folder.file(), configuration: configuration)
        try await store.write(Events.call(1))
        #expect(try await store.count() == 1)
        try await store.close()
        #expect(opened.withLock { $0 } == [false, true])
        let refusing = ActivityStore.Configuration(open: { _, _ in throw CommandError(text: "no key") })
        let error = try #require(throws: StoreError.self) {
            _ = try ActivityStore(path: folder.file(), configuration: refusing)
        }
        #expect(error.message.contains("no key"))
    }

    /// The steps of a later library: each rewrites all entries, into a table with another structure.
    private static let laterSteps = [
        Migration(
            name: "entries count their words",
            sql: """
                ALTER TABLE net_item ADD COLUMN words INTEGER;
                UPDATE net_item SET words = length(url) - length(replace(url, '/', ''));
                """),
        Migration(
            name: "words in a table of their own",
            sql: """
                CREATE TABLE net_words (item INTEGER PRIMARY KEY, words INTEGER NOT NULL) STRICT;
                INSERT INTO net_words SELECT id, words FROM net_item;
                ALTER TABLE net_item DROP COLUMN words;
                CREATE INDEX net_words_by_words ON net_words (words);
                """),
    ]

    @Test(.timeLimit(.minutes(5))) func aMigrationIsWholeHoweverOftenItIsKilled() async throws {
        let file = folder.file()
        let store = try ActivityStore(at: file)
        try await store.write(Array((0..<5000).map { Events.call($0) }.joined()))
        try await store.close()
        let entries = try Command.sqlite(file, "SELECT count(*), sum(duration_us), min(uid), max(uid) FROM net_item")
        var random = SeededNumbers(7)
        var versions = Set<String>()
        let first = StoreSchema.migrations.count
        let done = "\(first + 2) 0 2"
        for round in 1...20 {
            // While the process starts, in a step, between the two, or after them.
            try await Self.migrate(file, killedAfter: Int.random(in: 0..<40_000 * (1 + round / 4), using: &random))
            let state = try Command.sqlite(
                file,
                """
                SELECT (SELECT max(version) FROM net_schema) || ' ' ||
                    (SELECT count(*) FROM pragma_table_info('net_item') WHERE name = 'words') || ' ' ||
                    (SELECT count(*) FROM sqlite_schema WHERE name LIKE 'net_words%')
                """)
            let isWhole = ["\(first) 0 0", "\(first + 1) 1 0", done].contains(state)
            #expect(isWhole, "half a step is there in round \(round): \(state)")
            versions.insert(state)
            #expect(try Command.sqlite(file, "PRAGMA integrity_check") == "ok")
            if state == done { try Self.undo(file) }
        }
        #expect(versions.count > 1, "no kill came between two steps: \(versions)")
        try await Self.migrate(file, killedAfter: nil)
        #expect(
            try Command.sqlite(file, "SELECT count(*), sum(duration_us), min(uid), max(uid) FROM net_item") == entries)
        #expect(try Command.sqlite(file, "SELECT count(*), min(words), max(words) FROM net_words") == "5000|4|4")
        #expect(try Command.sqlite(file, "PRAGMA integrity_check") == "ok")
    }

    /// Runs the migration in a process that is killed after the given number of microseconds, unless it is done before.
    private static func migrate(_ file: String, killedAfter delay: Int?) async throws {
        await #expect(processExitsWith: delay == nil ? .success : .signal(SIGKILL)) {
            [file = file as String, delay = delay as Int?] in
            let killer = Thread {
                guard let delay else { return }
                usleep(UInt32(delay))
                kill(getpid(), SIGKILL)
            }
            killer.start()
            let connection = try StoreFile.openForWriting(file, configuration: .init())
            try Migrator(migrations: StoreSchema.migrations + MigrationTests.laterSteps).migrate(connection)
            connection.close()
            while delay != nil { usleep(1000) }
        }
    }

    /// Reverts the later steps, so that the next process has to perform them again.
    private static func undo(_ file: String) throws {
        try Command.changeWithSQLite(
            file,
            """
            PRAGMA busy_timeout = 5000; DROP TABLE net_words;
            DELETE FROM net_schema WHERE version > \(StoreSchema.migrations.count)
            """)
    }
}
