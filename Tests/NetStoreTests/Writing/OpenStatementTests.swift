import NetCore
import Testing

@testable import NetStore

/// The row of an unfinished entry, and its state after its process has ended.
@Suite struct OpenStatementTests {
    private let folder: TemporaryFolder
    private let connection: SQLiteConnection
    private let statement: OpenStatement

    init() throws {
        folder = try TemporaryFolder()
        connection = try SQLiteConnection(withTablesAt: folder.file())
        statement = try OpenStatement(on: connection, names: NameTable(on: connection))
    }

    private func run(machine: String, pid: Int64 = 1, isEnded: Bool = false) throws {
        try connection.run(
            "INSERT INTO net_run (process, pid, machine, started_at, ended_at) VALUES ('p', ?, ?, 0, ?)",
            [.integer(pid), .text(machine), isEnded ? .integer(1) : .null])
    }

    /// The machine of a process whose state can't be determined.
    private var elsewhere: String { Machine.name + "0" }

    private func underWay() throws -> [(item: StoredItem, attempts: [AttemptRow])] {
        try StoredItem.underWay(" ORDER BY i.started_at", [], on: connection)
    }

    @Test func eachValueHasItsColumn() throws {
        try statement.write(.full(attempts: [.full(1)]), run: 9)
        let names: Set<String> = ["method", "operation", "name", "tags", "host"]
        var row = try connection.stored("net_open", OpenStatement.columns, names: names)[0]
        let state = try #require(row.removeValue(forKey: "state").flatMap(OpenState.init(text:)))
        #expect(
            row == [
                "uid": Events.id(1).hex, "kind": "1", "run": "9", "started_at": "\(ItemDraft.fullStart)",
                "method": "PUT", "operation": "putItem", "name": "the name", "tags": #"["one","two"]"#,
                "host": "api.example.com:8443", "url": "https://api.example.com:8443/items?page=2", "attempts": "7",
                "status": "503", "request_bytes": "101", "response_bytes": "102", "total_bytes": "103",
                "owner": Events.id(500).hex,
            ])
        #expect(state.attempts == [.full(1)])
        #expect(state.retries == 6)
        #expect(state.detail == "the detail")
        #expect(state.cache == "revalidate")
        #expect(state.cacheReason == "stale")
    }

    @Test func eachValueIsReadFromItsColumn() throws {
        try run(machine: elsewhere)
        try statement.write(.full(attempts: [.full(1)]), run: 1)
        let (item, attempts) = try #require(try underWay().first)
        var expected = StoredItem.full(id: 0, run: 1)
        // These are known only for the row of a finished entry.
        (expected.outcome, expected.failure, expected.duration, expected.level) = (nil, nil, nil, nil)
        (expected.requestType, expected.responseType) = (nil, nil)
        // And these belong to the last attempt.
        (expected.version, expected.remoteAddress) = ("2", "127.0.0.1:20")
        #expect(item == expected)
        #expect(attempts.map { StoredAttempt($0, of: item) } == [.full(1)])
        var own = AttemptRow(number: 1, start: nil, end: 0)
        own.error = "dns"
        let attempt = StoredAttempt(own, of: item)
        #expect(attempt.method == "PUT")
        #expect(attempt.url == item.url)
        #expect(attempt.start == nil)
        #expect(attempt.failure == StoredFailure(code: "dns", phase: "", message: ""))
    }

    @Test func unknownValuesAreStoredAsNull() throws {
        let draft = ItemDraft(ItemKey(Events.id(2), .socket), startedAt: 5)
        try statement.write(draft, run: 1)
        let row = try connection.stored("net_open", OpenStatement.columns)
        #expect(row == [["uid": Events.id(2).hex, "kind": "2", "run": "1", "started_at": "5"]])
        let item = StoredItem(id: 0, uid: Events.id(2), kind: .socket, run: 1, startedAt: StoredTime.date(5))
        try run(machine: elsewhere)
        #expect(try underWay().map(\.item) == [item])
    }

    @Test func aStateHoldsWhatItHasTo() throws {
        let draft = ItemDraft(ItemKey(Events.id(1), .call), startedAt: 0)
        #expect(OpenState(draft).text == nil)
        draft.retries = 1
        #expect(OpenState(draft).text == nil, "a retry has an attempt before it")
        draft.detail = "d"
        #expect(OpenState(draft).text == #"{"detail":"d","retries":1}"#)
        (draft.detail, draft.retries, draft.cache) = (nil, 0, .init(.hit, .fresh))
        #expect(OpenState(draft).text == #"{"cache":"hit","cacheReason":"fresh"}"#)
        draft.cache = nil
        draft.attempts = [AttemptRow(number: 1, start: nil, end: 3)]
        #expect(OpenState(draft).text == #"{"attempts":[{"end":3,"number":1}]}"#)
    }

    @Test func aRowIsWrittenAnewAndDeletedByItsKey() throws {
        let call = ItemDraft(ItemKey(Events.id(1), .call), startedAt: 1)
        let socket = ItemDraft(ItemKey(Events.id(1), .socket), startedAt: 2)
        let other = ItemDraft(ItemKey(Events.id(2), .call), startedAt: 3)
        for draft in [call, socket, other] { try statement.write(draft, run: 1) }
        call.status = 100
        try statement.write(call, run: 1)
        #expect(try underWay().map(\.item.status) == [100, nil, nil])
        try statement.delete(call.key)
        #expect(try underWay().map(\.item.startedAt) == [StoredTime.date(2), StoredTime.date(3)])
    }

    @Test func unfinishedEntriesOfADeadRunAreReadAsCutOff() throws {
        try run(machine: "another boot/1")
        try run(machine: elsewhere)
        for number in 1...2 {
            let draft = ItemDraft(ItemKey(Events.id(number), .call), startedAt: Int64(number))
            try statement.write(draft, run: Int64(number))
        }
        #expect(try underWay().map(\.item.outcome) == [.cutOff, nil])
    }

    @Test func entriesRecoveredFromADeadRunKeepAllKnownValues() throws {
        try run(machine: "another boot/1")
        try run(machine: elsewhere)
        try run(machine: "another boot/1", isEnded: true)
        try statement.write(.full(attempts: [.full(1), .full(2)]), run: 1)
        try statement.write(.full(2, attempts: []), run: 2)
        let broken = ItemDraft.full(4, attempts: [])
        broken.startedAt += 1
        try statement.write(broken, run: 1)
        try connection.run("UPDATE net_open SET kind = 9 WHERE uid = ?", [.blob(Events.id(4).bytes)])
        try recover()
        var expected = StoredItem.full(id: 1, run: 1)
        (expected.outcome, expected.failure, expected.duration, expected.level) = (.cutOff, nil, nil, nil)
        (expected.requestType, expected.responseType) = (nil, nil)
        (expected.version, expected.remoteAddress) = ("2", "127.0.0.1:20")
        #expect(try StoredItem.all("", [], on: connection) == [expected])
        let item = try #require(try StoredItem.find(id: 1, on: connection))
        #expect(try StoredAttempt.all(of: item, on: connection) == [.full(1), .full(2)])
        #expect(try connection.texts("SELECT was_cut_off FROM net_run ORDER BY id") == ["1", "0", "0"])
        #expect(try connection.integer("SELECT count(*) FROM net_hour") == 0)
        try connection.execute("DELETE FROM net_open WHERE kind = 9")
        #expect(try underWay().map(\.item.uid) == [Events.id(2)])
        try recover()
        #expect(try connection.integer("SELECT count(*) FROM net_item") == 1)
    }

    private func recover() throws {
        let items = try ItemStatement(on: connection, names: NameTable(on: connection))
        try CrashRecovery(connection: connection).run(items, statement)
    }

    @Test func ofASimpleRowOnlyItsColumnsAreTaken() throws {
        try run(machine: "another boot/1")
        let draft = ItemDraft(ItemKey(Events.id(3), .job), startedAt: 8)
        draft.attemptCount = 4
        try statement.write(draft, run: 1)
        try recover()
        let item = try #require(try StoredItem.find(id: 1, on: connection))
        #expect(item.kind == .job)
        #expect(item.attempts == 4)
        #expect(item.retries == 0)
        #expect(item.tags == [])
        #expect(item.cache == nil)
        #expect(item.detail == nil)
        #expect(item.owner == nil)
    }
}
