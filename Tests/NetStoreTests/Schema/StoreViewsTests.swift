import NetCore
import Testing

@testable import NetStore

/// The views of an entry, and the supported versions of the tables.
@Suite struct StoreViewsTests {
    private let folder: TemporaryFolder
    private let connection: SQLiteConnection

    init() throws {
        folder = try TemporaryFolder()
        connection = try SQLiteConnection(withTablesAt: folder.file())
        let items = try ItemStatement(on: connection, names: NameTable(on: connection))
        var totals = HourTotals()
        var quiet = AttemptRow.full(2)
        quiet.retryDelay = nil
        try items.write([.full(attempts: [.full(1), quiet])], run: 1, to: &totals)
    }

    private func row(_ view: String) throws -> [String: String] {
        let columns = try connection.texts("SELECT name FROM pragma_table_info('\(view)')").compactMap { $0 }
        return try connection.stored(view, columns)[0]
    }

    @Test func theListShowsAllThatPeopleAskFor() throws {
        try connection.execute(
            "INSERT INTO net_note (item, is_pinned, comment, changed_at) VALUES (1, 1, 'look', 0)")
        #expect(
            try row("net_list") == [
                "id": "1", "time": "2026-01-01 00:00:00.250", "kind": "call", "outcome": "failed", "status": "503",
                "method": "PUT", "milliseconds": "2000.002", "attempts": "7", "retries": "6", "operation": "putItem",
                "host": "api.example.com:8443", "url": "https://api.example.com:8443/items?page=2",
                "error": "timeout", "message": "too late", "cache": "revalidate", "cache_reason": "stale",
                "request_bytes": "101", "response_bytes": "102", "level": "warning", "detail": "the detail",
                "run": "1", "uid": Events.id(1).description, "owner": Events.id(500).description, "is_pinned": "1",
                "comment": "look",
            ])
    }

    @Test func theRecordOfAnEntryHasItsLastRetry() throws {
        #expect(
            try row("net_record") == [
                "id": "1", "requestID": Events.id(1).description, "source": "http", "kind": "failed",
                "title": "the name", "detail": "the detail", "method": "PUT",
                "url": "https://api.example.com:8443/items?page=2", "statusCode": "503", "durationMs": "2000.002",
                "retryAttempt": "2", "retryDelayMs": "0.021", "errorSummary": "timeout: too late",
                "occurredAt": "2026-01-01 00:00:02.250", "rawValue": "call.failed",
            ])
    }

    @Test func unfinishedEntriesAreShownWithTheirProcess() throws {
        try connection.run(
            "INSERT INTO net_run (process, pid, machine, started_at) VALUES ('shop', 77, 'm', 0)")
        let open = try OpenStatement(on: connection, names: NameTable(on: connection))
        try open.write(.full(2, attempts: []), run: 1)
        #expect(
            try row("net_under_way") == [
                "time": "2026-01-01 00:00:00.250", "kind": "call", "method": "PUT", "status": "503",
                "attempts": "7", "operation": "putItem", "host": "api.example.com:8443",
                "url": "https://api.example.com:8443/items?page=2", "run": "1", "process": "shop", "pid": "77",
                "uid": Events.id(2).description,
            ])
    }

    @Test func eachNumberHasItsWord() throws {
        let words = ["completed", "rejected", "failed", "cancelled", "cutOff"]
        for (number, word) in zip(1..., words) {
            try connection.execute("UPDATE net_item SET outcome = \(number)")
            #expect(try row("net_list")["outcome"] == word)
        }
        try connection.execute("UPDATE net_item SET outcome = NULL, owner = NULL")
        for (number, word) in zip(0..., StoredItem.levels) {
            try connection.execute("UPDATE net_item SET level = \(number)")
            #expect(try row("net_list")["level"] == word)
            #expect(try row("net_record")["kind"] == word)
        }
        let kinds = [("call", "http"), ("socket", "websocket"), ("job", "job"), ("log", "log")]
        for (number, (kind, source)) in zip(1..., kinds) {
            try connection.execute("UPDATE net_item SET kind = \(number)")
            #expect(try row("net_list")["kind"] == kind)
            #expect(try row("net_record")["source"] == source)
            #expect(try row("net_record")["rawValue"] == kind)
            #expect(try row("net_list")["owner"] == nil)
        }
    }

    // MARK: Versions

    @Test func onlyWholeAndKnownVersionsAreRead() throws {
        let one = Migrator(migrations: [Migration(name: "a", sql: "CREATE TABLE a (x)")])
        let two = Migrator(migrations: one.migrations + [Migration(name: "b", sql: "CREATE TABLE b (x)")])
        let empty = try SQLiteConnection(at: folder.file("other"))
        let error = #expect(throws: StoreError.self) { try one.check(empty) }
        #expect(error?.code == .notAStore)
        #expect(error?.path == folder.file("other"))
        try empty.execute("CREATE TABLE net_schema (version INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        #expect(throws: StoreError.self) { try one.check(empty) }
        try one.migrate(empty)
        #expect(try empty.texts("SELECT version || name FROM net_schema") == ["1a"])
        try one.check(empty)
        try two.check(empty)
        try two.migrate(empty)
        #expect(try empty.texts("SELECT version || name FROM net_schema ORDER BY version") == ["1a", "2b"])
        let newer = #expect(throws: StoreError.self) { try one.migrate(empty) }
        #expect(newer?.code == .newerSchema)
        #expect(newer?.message.hasPrefix("the tables have version 2, this library knows up to 1. ") == true)
        try empty.execute("DELETE FROM net_schema; INSERT INTO net_schema VALUES (-1, 'x')")
        #expect(throws: StoreError.self) { try two.check(empty) }
    }

    @Test func migratingAnUpToDateSchemaWritesNothing() throws {
        try connection.execute("PRAGMA query_only = ON")
        #expect(throws: Never.self) { try StoreSchema.migrator.migrate(connection) }
    }
}
