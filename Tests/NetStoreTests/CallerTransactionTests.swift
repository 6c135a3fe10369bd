import CSQLite
import Foundation
import Testing

@testable import NetStore

/// Migrations within a transaction of the app that shares the database.
struct CallerTransactionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT app"])
    func theTablesAreThereOnceTheAppCommits(beginning: String) async throws {
        let app = try AppDatabase.open(folder.file())
        defer { AppDatabase.close(app) }
        try AppDatabase.execute("\(beginning); CREATE TABLE mine (x); INSERT INTO mine VALUES (7)", on: app)
        try ActivityStore.migrate(app)
        #expect(sqlite3_get_autocommit(app) == 0, "the transaction of the app is still open")
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM sqlite_schema") == "0")
        try AppDatabase.execute(beginning == "SAVEPOINT app" ? "RELEASE app" : "COMMIT", on: app)
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(1))
        #expect(try await store.count() == 1)
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT x FROM mine") == "7")
    }

    @Test func theAppMayRollEverythingBack() throws {
        let app = try AppDatabase.open(folder.file())
        defer { AppDatabase.close(app) }
        try AppDatabase.execute("BEGIN; CREATE TABLE mine (x)", on: app)
        try ActivityStore.migrate(app)
        try AppDatabase.execute("ROLLBACK", on: app)
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM sqlite_schema") == "0")
        try ActivityStore.migrate(app)
        #expect(try Command.sqlite(folder.file(), "SELECT max(version) FROM net_schema") == "4")
    }

    @Test(arguments: [true, false]) func aStepThatFailsIsUndoneAndTheErrorNamesTheFile(isInTransaction: Bool) throws {
        let app = try AppDatabase.open(folder.file())
        defer { AppDatabase.close(app) }
        try AppDatabase.execute("CREATE TABLE net_change (x)", on: app)
        if isInTransaction { try AppDatabase.execute("BEGIN; CREATE TABLE mine (x)", on: app) }
        let error = try #require(throws: StoreError.self) { try ActivityStore.migrate(app) }
        #expect(error.path.hasSuffix(folder.file().split(separator: "/").last.map(String.init) ?? "?"))
        #expect(error.message.contains("net_change"))
        #expect(error.message.hasPrefix("could not read or write the database"))
        if isInTransaction {
            #expect(sqlite3_get_autocommit(app) == 0)
            try AppDatabase.execute("INSERT INTO mine VALUES (1); COMMIT", on: app)
            #expect(try Command.sqlite(folder.file(), "SELECT x FROM mine") == "1")
        }
        // The steps before it are there, and nothing of the step itself.
        #expect(try Command.sqlite(folder.file(), "SELECT max(version) FROM net_schema") == "2")
        let columns = "SELECT count(*) FROM pragma_table_info('net_item') WHERE name = 'changed_at'"
        #expect(try Command.sqlite(folder.file(), columns) == "0")
    }
}
