import NetCore
import Testing

@testable import NetStore

/// The columns that an entry and its attempts are written to, and the values read from them.
@Suite struct ItemStatementTests {
    private static let names: Set<String> = [
        "method", "operation", "name", "tags", "host", "error", "phase", "cache", "cache_reason", "request_type",
        "response_type", "version", "remote", "retry_reason",
    ]
    private let folder: TemporaryFolder
    private let connection: SQLiteConnection

    init() throws {
        folder = try TemporaryFolder()
        connection = try SQLiteConnection(withTablesAt: folder.file())
    }

    @discardableResult
    private func write(_ drafts: [ItemDraft], run: Int64 = 9) throws -> HourTotals {
        let statement = try ItemStatement(on: connection, names: NameTable(on: connection))
        var totals = HourTotals()
        try statement.write(drafts, run: run, to: &totals)
        return totals
    }

    private func item() throws -> [String: String] {
        try connection.stored("net_item", ItemStatement.columns, names: Self.names)[0]
    }

    @Test func eachValueOfACallHasItsColumn() throws {
        let totals = try write([.full(attempts: [.full(1), .full(2)])])
        #expect(
            try item() == [
                "uid": Events.id(1).hex, "kind": "1", "run": "9", "started_at": "\(ItemDraft.fullStart)",
                "duration_us": "2000002", "outcome": "3", "status": "503", "method": "PUT", "operation": "putItem",
                "name": "the name", "tags": #"["one","two"]"#, "host": "api.example.com:8443",
                "url": "https://api.example.com:8443/items?page=2", "error": "timeout", "phase": "waiting",
                "message": "too late", "attempts": "7", "retries": "6", "cache": "revalidate",
                "cache_reason": "stale", "request_bytes": "101", "response_bytes": "102", "request_type": "text/a",
                "response_type": "text/b", "attempt_start_us": "300", "attempt_us": "13", "queued_us": "14",
                "lookup_us": "15", "connect_us": "16", "secure_us": "17", "waiting_us": "18", "download_us": "19",
                "sending_us": "22",
                "version": "1.1", "is_reused": "1", "remote": "127.0.0.1:30", "trace": "010203040506070801",
                "owner": Events.id(500).hex, "level": "4", "detail": "the detail",
            ])
        #expect(totals.totals.values.map(\.calls) == [1])
        #expect(try StoredItem.find(id: 1, on: connection) == .full(id: 1, run: 9))
        #expect(try StoredItem.find(id: 2, on: connection) == nil)
    }

    @Test func eachValueOfAnAttemptHasItsColumn() throws {
        try write([.full(attempts: [.full(1), .full(2)])])
        let rows = try connection.stored("net_attempt", AttemptStatement.columns, names: Self.names)
        let expected = [
            "item": "1", "number": "2", "started_us": "300", "ended_us": "400", "method": "PATCH",
            "url": "https://other.example/x", "status": "502", "error": "dns", "phase": "resolving",
            "message": "no such host", "request_bytes": "11", "response_bytes": "12", "attempt_us": "13",
            "queued_us": "14", "lookup_us": "15", "connect_us": "16", "secure_us": "17", "waiting_us": "18",
            "download_us": "19", "version": "2", "is_reused": "1", "remote": "127.0.0.1:20",
            "trace": "010203040506070801", "retry_reason": "because", "retry_delay_us": "21", "sending_us": "22",
        ]
        try #require(rows.count == 2)
        #expect(rows[1] == expected)
        let item = try #require(try StoredItem.find(id: 1, on: connection))
        #expect(try StoredAttempt.all(of: item, on: connection) == [.full(1), .full(2)])
    }

    @Test func unknownValuesAreStoredAsNull() throws {
        let bare = ItemDraft(ItemKey(Events.id(2), .job), startedAt: 5)
        try write([bare])
        #expect(try item() == ["uid": Events.id(2).hex, "kind": "3", "run": "9", "started_at": "5"])
        let expected = StoredItem(id: 1, uid: Events.id(2), kind: .job, run: 9, startedAt: StoredTime.date(5))
        #expect(try StoredItem.find(id: 1, on: connection) == expected)
    }

    @Test func theOnlyAttemptStandsInTheRowUnlessItDiffersFromTheCall() throws {
        var plain = AttemptRow(number: 1, start: 0, end: 2)
        plain.total = 13
        var moved = plain
        moved.url = "https://other.example/x"
        var asked = plain
        asked.method = "HEAD"
        var repeated = plain
        repeated.retryDelay = 5
        let drafts = [plain, moved, asked, repeated].enumerated().map { ItemDraft.full($0 + 1, attempts: [$1]) }
        try write(drafts)
        #expect(try connection.texts("SELECT item FROM net_attempt ORDER BY item") == ["2", "3", "4"])
        #expect(try connection.texts("SELECT attempt_start_us FROM net_item") == [nil, nil, nil, nil])
        let item = try #require(try StoredItem.find(id: 1, on: connection))
        let attempts = try StoredAttempt.all(of: item, on: connection)
        try #require(attempts.map(\.start) == [.zero])
        #expect(attempts.map(\.number) == [1])
        // The row's values for the end of the call are those of the only attempt.
        #expect(attempts[0].failure == item.failure)
        #expect(attempts[0].status == 503)
        #expect(attempts[0].method == "PUT")
        #expect(attempts[0].requestBytes == 101)
        #expect(attempts[0].responseBytes == 102)
        #expect(attempts[0].duration == .microseconds(13))
        #expect(attempts[0].remoteAddress == "127.0.0.1:30")
        #expect(attempts[0].version == "1.1")
        #expect(attempts[0].isReused == true)
        #expect(attempts[0].retryReason == nil)
    }

    @Test func theTimesOfTheOnlyAttemptAreThoseOfTheRow() throws {
        var row = AttemptRow(number: 1, start: 300, end: 400)
        (row.total, row.queued, row.lookup, row.connect) = (13, 14, 15, 16)
        (row.secure, row.sending, row.waiting, row.download) = (17, 22, 18, 19)
        row.trace = [1, 2, 3, 4, 5, 6, 7, 8, 1]
        try write([.full(attempts: [row])])
        let item = try #require(try StoredItem.find(id: 1, on: connection))
        let attempt = try #require(try StoredAttempt.all(of: item, on: connection).first)
        #expect(attempt.start == .microseconds(300))
        #expect(attempt.phases == StoredAttempt.full(1).phases)
        #expect(attempt.trace == StoredAttempt.full(1).trace)
        #expect(attempt.trace != nil)
    }

    @Test func aCallWithoutAttemptsHasNone() throws {
        let draft = ItemDraft.full(attempts: [])
        draft.attemptCount = 0
        try write([draft])
        let item = try #require(try StoredItem.find(id: 1, on: connection))
        #expect(item.attempts == 0)
        #expect(try StoredAttempt.all(of: item, on: connection).isEmpty)
        #expect(try connection.texts("SELECT attempts FROM net_item") == [nil])
    }

    @Test func anEntryIsWrittenOnceAndCounted() throws {
        try write([])
        #expect(try connection.integer("SELECT items FROM net_total") == 0)
        let totals = try write([.full(1, attempts: []), .full(2, attempts: []), .full(1, attempts: [.full(1)])])
        #expect(try connection.integer("SELECT items FROM net_total") == 2)
        #expect(try connection.integer("SELECT count(*) FROM net_attempt") == 0)
        #expect(totals.totals.values.map(\.calls) == [2])
        try write([.full(3, attempts: [])])
        #expect(try connection.integer("SELECT items FROM net_total") == 3)
    }

    @Test func onlyCallsWithAnEndOfTheirOwnAreRolledUp() throws {
        func draft(_ kind: StoredItem.Kind, _ outcome: StoredItem.Outcome?) -> ItemDraft {
            let draft = ItemDraft(ItemKey(Events.id(1), kind), startedAt: 0)
            draft.outcome = outcome
            return draft
        }
        #expect(try write([draft(.call, .cutOff)]).totals.isEmpty)
        try connection.execute("DELETE FROM net_item")
        #expect(try write([draft(.socket, .completed), draft(.job, .completed), draft(.log, nil)]).totals.isEmpty)
        #expect(try write([draft(.call, .cancelled)]).totals.values.map(\.cancelled) == [1])
    }

    @Test func theWordsOfURLAndMessageAreFound() throws {
        let line = ItemDraft(ItemKey(Events.id(1), .log), startedAt: 0)
        line.message = "alpha"
        let call = ItemDraft(ItemKey(Events.id(2), .call), startedAt: 0)
        call.url = "https://beta/"
        let failed = ItemDraft(ItemKey(Events.id(3), .call), startedAt: 0)
        failed.failure = PendingEvent.Failure(NetError(.timeout, phase: .waiting, message: "gamma"))
        let silent = ItemDraft(ItemKey(Events.id(4), .job), startedAt: 0)
        try write([line, call, failed, silent])
        for (word, id) in [("message : alpha", "1"), ("url : beta", "2"), ("message : gamma", "3")] {
            let sql = "SELECT rowid FROM net_search WHERE net_search MATCH '\(word)'"
            #expect(try connection.texts(sql) == [id], "\(word)")
        }
        #expect(try StoredItem.search("\"gamma\"", limit: 5, before: nil, on: connection).map(\.id) == [3])
        let item = try #require(try StoredItem.find(id: 3, on: connection))
        #expect(item.message == nil)
        #expect(item.failure?.message == "gamma")
        #expect(try StoredItem.find(id: 1, on: connection)?.message == "alpha")
    }

    @Test func aDraftOfAnotherRunKeepsIt() throws {
        let draft = ItemDraft.full(attempts: [])
        draft.run = 3
        try write([draft])
        #expect(try StoredItem.find(id: 1, on: connection)?.run == 3)
    }

    @Test func aRowOfAnotherProgramIsAnErrorAndNotATrap() throws {
        try write([.full(attempts: [])])
        try connection.execute("PRAGMA ignore_check_constraints = ON; UPDATE net_item SET kind = 9")
        let error = #expect(throws: StoreError.self) { try StoredItem.find(id: 1, on: connection) }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("unknown kind") == true)
        try connection.execute("UPDATE net_item SET kind = 1, uid = x'01'")
        #expect(throws: StoreError.self) { try StoredItem.find(id: 1, on: connection) }
        try connection.execute("UPDATE net_item SET uid = zeroblob(16), level = 7, outcome = 6")
        let item = try #require(try StoredItem.find(id: 1, on: connection))
        #expect(item.level == nil)
        #expect(item.outcome == nil)
        for (number, name) in StoredItem.levels.enumerated() {
            try connection.execute("UPDATE net_item SET level = \(number)")
            #expect(try StoredItem.find(id: 1, on: connection)?.level == name)
        }
    }
}
