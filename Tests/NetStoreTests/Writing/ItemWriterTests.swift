import Foundation
import NetCore
import NetTesting
import Testing

@testable import NetStore

/// Batches, housekeeping and the end of a writer, on a connection of the test.
@Suite struct ItemWriterTests {
    private let folder: TemporaryFolder
    private let connection: SQLiteConnection
    private let clock = TestClock(date: Events.start)

    init() throws {
        folder = try TemporaryFolder()
        connection = try SQLiteConnection(withTablesAt: folder.file())
    }

    private func writer(_ change: (inout ActivityStore.Configuration) -> Void = { _ in }) throws -> ItemWriter {
        var configuration = ActivityStore.Configuration(retention: .none, version: "1.2", clock: clock.netClock)
        change(&configuration)
        return try ItemWriter(on: connection, configuration: configuration)
    }

    private func entries(_ events: [ActivityEvent]) -> [PendingEntry] { events.map { .call(PendingEvent($0)) } }

    private func capture(_ number: Int, type: String = "text/x") -> PendingEntry {
        let body = CaptureContent.Body(bytes: Bytes("body".utf8), size: 4, isCut: false, type: type)
        return .capture(PendingCapture(Events.id(number), number: 1, status: 200, response: body))
    }

    private func decide(_ writer: ItemWriter, _ entries: [PendingEntry], all: Bool = false) -> Batch {
        writer.decide(entries[...], writesAllOpen: all)
    }

    @discardableResult
    private func write(_ writer: ItemWriter, _ entries: [PendingEntry], all: Bool = false) -> ItemWriter.Outcome {
        writer.commit(decide(writer, entries, all: all), counts: WriterStatistics())
    }

    private func counts(_ tables: String...) throws -> [Int64?] {
        try tables.map { try connection.integer("SELECT count(*) FROM \($0)") }
    }

    // MARK: Batches

    @Test func aBatchHasWhatEndsWhatIsCapturedAndWhatIsUnderWay() throws {
        let writer = try writer()
        #expect(Batch().isEmpty)
        #expect(!Batch(count: 1).isEmpty)
        let message = PendingMessage(Events.id(4), number: 1, occurredAt: 0, isSent: true, kind: .text, size: 1)
        let batch = decide(
            writer, entries(Events.call(1) + Events.call(2).prefix(1)) + [capture(2), .message(message)], all: true)
        #expect(batch.count == 6)
        #expect(!batch.isEmpty)
        #expect(batch.items.map(\.key.uid) == [Events.id(1)])
        #expect(batch.captures.map(\.call) == [Events.id(2)])
        #expect(batch.messages.map(\.message.socket) == [Events.id(4)])
        try #require(batch.opened.map(\.key.uid) == [Events.id(2)])
        #expect(batch.opened[0].responseType == "text/x")
        let pieces = batch.pieces
        #expect(pieces.map(\.items.count) == [1, 0, 0, 0])
        #expect(pieces.map(\.captures.count) == [0, 1, 0, 0])
        #expect(pieces.map(\.messages.count) == [0, 0, 1, 0])
        #expect(pieces.map(\.opened.count) == [0, 0, 0, 1])
        #expect(pieces.allSatisfy { !$0.isEmpty && $0.count == 0 })
    }

    @Test func onlyWhatHasOutlivedABatchIsWrittenAsUnderWay() throws {
        let writer = try writer()
        let events = entries(Events.call(1))
        write(writer, [events[0]])
        #expect(try counts("net_open") == [0])
        write(writer, [])
        #expect(try counts("net_open") == [1])
        write(writer, [events[2]])
        #expect(try counts("net_open", "net_item") == [0, 1])
    }

    @Test func theCountsAreWrittenWithEachBatch() throws {
        let writer = try writer()
        let statistics = WriterStatistics(
            written: 10, dropped: .init(calls: 11, sockets: 12, jobs: 13, logs: 14, captures: 15, messages: 16),
            failed: 17)
        _ = writer.commit(decide(writer, entries(Events.call(1))), counts: statistics)
        let columns = try connection.texts("SELECT name FROM pragma_table_info('net_run')").compactMap { $0 }
        var row = try connection.stored("net_run", columns)[0]
        for name in ["pid", "pid_started", "machine", "process"] { #expect(row.removeValue(forKey: name) != nil) }
        let start = "\(StoredTime.microseconds(of: Events.start))"
        let expected = [
            "id": "1", "version": "1.2", "started_at": start, "written": "10", "failed": "17",
            "dropped_calls": "11", "dropped_sockets": "12", "dropped_jobs": "13", "dropped_logs": "14",
            "dropped_captures": "15", "dropped_messages": "16", "flushes": "0", "was_cut_off": "0",
        ]
        #expect(row == expected)
        let run = try #require(try StoredRun.all("", [], on: connection).first)
        #expect(run.id == 1)
        #expect(run.processID == Int(getpid()))
        #expect(run.version == "1.2")
        #expect(run.state == .running)
        #expect(run.startedAt == Events.start)
        #expect(run.endedAt == nil)
        #expect(run.process == Machine.program)
        #expect(run.statistics == statistics)
        #expect(!run.process.isEmpty)
        #expect(!run.process.contains("/"))
    }

    @Test func aRefusedRowIsCountedAndTheOthersHaveTheirNames() throws {
        let writer = try writer()
        try connection.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON net_item WHEN new.url LIKE '%/items/2?%'
            BEGIN SELECT raise(ABORT, 'not this one'); END
            """)
        let calls = (1...3).flatMap { Events.call($0, operation: "operation \($0)") }
        let outcome = write(writer, entries(calls) + entries([Events.call(9)[0]]), all: true)
        #expect(outcome.error == nil)
        #expect(outcome.refused == 1)
        #expect(outcome.rowError?.code == .invalidRow)
        let items = try StoredItem.all(" ORDER BY i.id", [], on: connection)
        #expect(items.map(\.operation) == ["operation 1", "operation 3"])
        #expect(items.map(\.method) == ["GET", "GET"])
        #expect(try counts("net_open") == [1])
        // Data committed piece by piece is stored like any batch.
        #expect(try writer.tidy(WriterStatistics(), isAwaited: { false }) == .seconds(10))
    }

    @Test func anErrorAmongPiecesIsTriedAgainFromThere() throws {
        let writer = try writer()
        try connection.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON net_item WHEN new.url LIKE '%/items/1?%'
            BEGIN SELECT raise(ABORT, 'not this one'); END;
            """)
        // The database rejects the first row, and has no room for the third.
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        try connection.execute("PRAGMA max_page_count = \(pages + 20)")
        let long = "https://long.example/" + String(repeating: "a", count: 400_000)
        let calls = Events.call(1) + Events.call(2) + Events.call(3, url: long)
        let batch = decide(writer, entries(calls))
        let first = writer.commit(batch, counts: WriterStatistics())
        #expect(first.error?.code == .full)
        #expect(first.refused == 1)
        #expect(first.rowError?.code == .invalidRow)
        #expect(try counts("net_item") == [1])
        try connection.execute("PRAGMA max_page_count = 100000")
        let second = writer.commit(batch, counts: WriterStatistics())
        #expect(second.error == nil)
        #expect(second.refused == 0)
        #expect(try counts("net_item") == [2])
        #expect(try connection.integer("SELECT items FROM net_total") == 2)
    }

    @Test func anErrorOfTheFileRefusesNoRow() throws {
        let writer = try writer()
        let other = try SQLiteConnection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try connection.execute("PRAGMA busy_timeout = 0")
        try other.execute("BEGIN IMMEDIATE")
        let batch = decide(writer, entries(Events.call(1)))
        let outcome = writer.commit(batch, counts: WriterStatistics())
        #expect(outcome.error?.code == .locked)
        #expect(outcome.refused == 0)
        #expect(outcome.rowError == nil)
        try other.execute("COMMIT")
        #expect(writer.commit(batch, counts: WriterStatistics()).error == nil)
        #expect(try counts("net_item") == [1])
    }

    // MARK: Captures

    @Test func aRuleHoldsCapturesUntilTheEnd() throws {
        let writer = try writer { $0.capture.rule = .troubles(slowerThan: .seconds(5), andOneIn: 0) }
        let lost = NetError(.connectionLost, phase: .receiving, message: "gone")
        let calls = [Events.call(1), Events.call(2, outcome: .failed(lost))]
        for (number, call) in zip(1..., calls) {
            write(writer, entries(Array(call.prefix(1))) + [capture(number)])
            #expect(try counts("net_capture") == [0])
            write(writer, entries(Array(call.dropFirst())))
        }
        #expect(try connection.texts("SELECT hex(call) FROM net_capture") == [Events.id(2).hex])
        let items = try StoredItem.all(" ORDER BY i.id", [], on: connection)
        #expect(items.map(\.responseType) == [nil, "text/x"])
        // For a call that has already ended, there is no decision any more.
        write(writer, [capture(1)])
        #expect(try counts("net_capture") == [2])
    }

    @Test func atTheEndCapturesOfWhatIsUnderWayAreKept() throws {
        let writer = try writer { $0.capture.rule = .troubles(slowerThan: .seconds(5), andOneIn: 0) }
        write(writer, entries([Events.call(1)[0]]) + [capture(1)])
        writer.finish(WriterStatistics(written: 5))
        let items = try StoredItem.all("", [], on: connection)
        #expect(items.map(\.outcome) == [.cutOff])
        #expect(items.map(\.responseType) == ["text/x"])
        #expect(try counts("net_capture", "net_open") == [1, 0])
        #expect(try connection.integer("SELECT ended_at FROM net_run") == StoredTime.microseconds(of: Events.start))
        #expect(try connection.integer("SELECT written FROM net_run") == 5)
        #expect(try StoredRun.all("", [], on: connection).map(\.state) == [.ended])
    }

    // MARK: Housekeeping

    @Test func unfinishedEntriesAreWrittenAfterAPause() async throws {
        let writer = try writer()
        func tidy() throws -> Duration { try writer.tidy(WriterStatistics(), isAwaited: { false }) }
        #expect(try tidy() == .seconds(10))
        write(writer, entries([Events.call(1)[0]]))
        #expect(try tidy() == .milliseconds(50))
        await clock.advance(by: .milliseconds(49))
        #expect(try tidy() == .milliseconds(1))
        #expect(try counts("net_open") == [0])
        await clock.advance(by: .milliseconds(1))
        #expect(try tidy() == .milliseconds(9950), "the look at old entries is due next")
        #expect(try counts("net_open") == [1])
        try writer.writeOpen(WriterStatistics(written: 3))
        #expect(try connection.integer("SELECT written FROM net_run") == 0, "nothing has changed")
    }

    @Test func aShortIntervalOfLooksShortensThePause() throws {
        let writer = try writer { $0.pruneInterval = .milliseconds(20) }
        write(writer, entries([Events.call(1)[0]]))
        #expect(try writer.tidy(WriterStatistics(), isAwaited: { false }) == .milliseconds(20))
    }

    @Test func deletingForgetsWhatIsHeldAndUnderWay() throws {
        let writer = try writer { $0.capture.rule = .troubles(slowerThan: .seconds(5), andOneIn: 0) }
        try connection.run("INSERT INTO net_run (process, pid, machine, started_at) VALUES ('old', 1, 'x/1', 0)")
        write(
            writer, entries(Events.call(1, operation: "one")) + entries([Events.call(2)[0]]) + [capture(2)], all: true)
        try connection.execute(
            """
            INSERT INTO net_artifact (kind, name, body, created_at) VALUES ('a', 'b', x'00', 0);
            INSERT INTO net_note (item, is_pinned, changed_at) VALUES (1, 1, 0);
            INSERT INTO net_attempt (item, number) VALUES (1, 1);
            INSERT INTO net_body (hash, uses, size, is_compressed, data) VALUES (x'00', 1, 1, 0, x'00');
            INSERT INTO net_capture (call, number) VALUES (zeroblob(16), 1);
            INSERT INTO net_message (socket, number, at, is_sent, kind, size) VALUES (zeroblob(16), 1, 0, 0, 1, 0);
            """)
        let tables = [
            "net_item", "net_attempt", "net_open", "net_capture", "net_body", "net_message", "net_hour",
            "net_artifact", "net_note", "net_name",
        ]
        let full = try tables.map { try connection.integer("SELECT count(*) FROM \($0)") ?? 0 }
        #expect(full.allSatisfy { $0 > 0 })
        try writer.deleteAll()
        #expect(try tables.map { try connection.integer("SELECT count(*) FROM \($0)") } == tables.map { _ in 0 })
        #expect(try connection.texts("SELECT id FROM net_run") == ["1"])
        #expect(try connection.texts("SELECT items || ' ' || deletions FROM net_total") == ["0 1"])
        #expect(try connection.texts("SELECT rowid FROM net_search WHERE net_search MATCH 'items'").isEmpty)
        try writer.writeOpen(WriterStatistics())
        #expect(try counts("net_open") == [0])
        let lost = NetError(.connectionLost, phase: .receiving, message: "gone")
        write(writer, entries([Events.call(2, operation: "one", outcome: .failed(lost))[2]]))
        #expect(try counts("net_item", "net_capture") == [1, 0])
        #expect(try StoredItem.all("", [], on: connection).map(\.operation) == ["one"])
    }

    @Test func aFlushToTheDiskIsCounted() throws {
        let writer = try writer()
        try writer.flushToDisk()
        try writer.flushToDisk()
        #expect(try connection.integer("SELECT flushes FROM net_run") == 2)
        #expect(try connection.integer("PRAGMA synchronous") == 1, "the next commits are quick again")
    }

    @Test func aFinishedWriterWritesNoMore() throws {
        let writer = try writer { $0.retention = .init(age: nil, entries: 0, bytes: nil) }
        write(writer, entries(Events.call(1)))
        #expect(try writer.prune() == 1)
        write(writer, entries(Events.call(2)))
        writer.finish(WriterStatistics())
        #expect(try writer.prune() == 0)
        #expect(write(writer, entries(Events.call(3))).error?.code == .closed)
        let error = #expect(throws: StoreError.self) { try writer.flushToDisk() }
        #expect(error?.code == .closed)
        #expect(error?.path == folder.file())
    }

    @Test func aRunBeginsWithWhatDeadOnesHaveLeft() throws {
        try connection.run("INSERT INTO net_run (process, pid, machine, started_at) VALUES ('old', 1, 'boot/1', 0)")
        let names = try NameTable(on: connection)
        let open = try OpenStatement(on: connection, names: names)
        let left = ItemDraft(ItemKey(Events.id(1), .call), startedAt: 0)
        (left.url, left.operation) = ("https://left.example/", "left")
        try open.write(left, run: 1)
        let writer = try writer()
        #expect(writer.run == 2)
        let items = try StoredItem.all("", [], on: connection)
        #expect(items.map(\.run) == [1])
        #expect(items.map(\.operation) == ["left"])
        #expect(items.map(\.outcome) == [.cutOff])
        #expect(try StoredRun.all(" ORDER BY id", [], on: connection).map(\.state) == [.cutOff, .running])
    }

    // MARK: Names

    @Test func aNameHasOneNumber() throws {
        let names = try NameTable(on: connection)
        #expect(try names.id(nil) == nil)
        #expect(try names.id("a") == 1)
        #expect(try names.id("b") == 2)
        #expect(try names.id("a") == 1)
        #expect(try names.id("") == 3)
        let other = try NameTable(on: connection)
        #expect(try other.id("b") == 2)
        #expect(try other.id("c") == 4)
        #expect(try connection.texts("SELECT text FROM net_name ORDER BY id") == ["a", "b", "", "c"])
    }

    @Test func numbersOfNamesThatAreGoneAreForgotten() throws {
        let names = try NameTable(on: connection)
        try names.begin()
        #expect(try names.id("a") == 1)
        try connection.execute("UPDATE net_name SET id = 5")
        try names.begin()
        #expect(try names.id("a") == 1, "what is known isn't looked up")
        try connection.execute("UPDATE net_total SET deletions = deletions + 1")
        try names.begin()
        #expect(try names.id("a") == 5)
        try connection.execute("UPDATE net_name SET id = 6")
        names.forget()
        #expect(try names.id("a") == 6)
    }
}
