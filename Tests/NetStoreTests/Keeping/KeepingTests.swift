import Foundation
import NetCore
import NetTesting
import Testing

@testable import NetStore

/// Artifacts and notes, the data that is deleted with an entry, and the time of deletion.
@Suite struct KeepingTests {
    private let folder: TemporaryFolder
    private let clock = TestClock(date: Events.start)

    init() throws { folder = try TemporaryFolder() }

    private func configuration(
        _ retention: ActivityStore.Retention = .none, interval: Duration = .seconds(1 << 40)
    ) -> ActivityStore.Configuration {
        .init(retention: retention, pruneInterval: interval, clock: clock.netClock)
    }

    private func pruner(
        _ connection: SQLiteConnection, _ retention: ActivityStore.Retention, cpu: @escaping () -> Duration = { .zero }
    ) throws -> Pruner {
        try Pruner(
            on: connection, bodies: BodyStatement(on: connection, maximumBytes: 100),
            configuration: configuration(retention, interval: .seconds(10)), cpu: cpu)
    }

    /// Returns a database of calls that began a second after each other and took one second.
    private func database(calls: Int, path: String? = nil) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(withTablesAt: path ?? folder.file())
        let items = try ItemStatement(on: connection, names: NameTable(on: connection))
        var totals = HourTotals()
        let drafts = (0..<calls).map { number in
            let draft = ItemDraft(ItemKey(Events.id(number), .call), startedAt: moment(number))
            (draft.duration, draft.outcome) = (1_000_000, .completed)
            draft.url = "https://api.example.com/items/\(number)"
            return draft
        }
        try connection.transaction { () throws(StoreError) in try items.write(drafts, run: 1, to: &totals) }
        return connection
    }

    private func moment(_ seconds: Int) -> Int64 {
        StoredTime.microseconds(of: Events.start) + Int64(seconds) * 1_000_000
    }

    private func kept(_ connection: SQLiteConnection) throws -> Int64? {
        try connection.integer("SELECT count(*) FROM net_item")
    }

    // MARK: Artifacts and notes

    @Test func eachValueOfAnArtifactHasItsColumn() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: configuration())
        let saved = try await store.save(
            .proofBundle, named: "name", body: Bytes([1, 2]), summary: "summary", contentType: "type", item: 3)
        let expected = StoredArtifact(
            id: 1, kind: .proofBundle, name: "name", summary: "summary", contentType: "type", createdAt: Events.start,
            item: 3, size: 2)
        #expect(saved == expected)
        let found = try #require(try await store.artifact(id: 1))
        #expect(found.artifact == expected)
        #expect(found.body == Bytes([1, 2]))
        let bare = try await store.save(.schemaSnapshot, named: "bare", body: Bytes())
        #expect(bare.summary == nil)
        #expect(bare.contentType == nil)
        #expect(bare.item == nil)
        #expect(bare.size == 0)
        #expect(try await store.artifact(id: 2)?.artifact == bare)
        try await store.save(.proofBundle, named: "third", body: Bytes())
        #expect(try await store.artifacts(limit: 2).map(\.id) == [3, 2])
        #expect(try await store.artifacts(.proofBundle, before: 3).map(\.id) == [1])
        #expect(try await store.artifacts(limit: 0).isEmpty)
        #expect(try await store.artifacts(limit: -1).isEmpty)
        try await store.deleteArtifact(id: 9)
        try await store.deleteArtifact(id: 2)
        #expect(try await store.artifacts().map(\.id) == [3, 1])
        try await store.close()
        let kinds = [StoredArtifact.Kind.cassette, .contractReport, .proofBundle, .schemaSnapshot]
        #expect(kinds.map(\.description) == ["cassette", "contractReport", "proofBundle", "schemaSnapshot"])
    }

    @Test func notesAreOfEntriesThatAreStored() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: configuration())
        try await store.write(Events.call(1), Events.call(2))
        func note(_ id: Int64) async throws -> [String] {
            let item = try #require(try await store.item(id: id)).item
            return [item.isPinned ? "pinned" : "free", item.comment ?? "none"]
        }
        #expect(try await store.comment("one", on: 1))
        #expect(try await store.pin(2))
        #expect(try await note(1) == ["free", "one"])
        #expect(try await note(2) == ["pinned", "none"])
        #expect(try await store.pin(1))
        #expect(try await store.unpin(2))
        #expect(try await note(1) == ["pinned", "one"])
        #expect(try await note(2) == ["free", "none"])
        await clock.advance(by: .seconds(1))
        #expect(try await store.comment(nil, on: 1))
        #expect(try await note(1) == ["pinned", "none"])
        for id in [Int64(0), 3] {
            #expect(try await store.pin(id) == false)
            #expect(try await store.unpin(id) == false)
            #expect(try await store.comment("x", on: id) == false)
        }
        try await store.close()
        let changes = try Command.sqlite(folder.file(), "SELECT item, changed_at FROM net_note")
        #expect(changes == "1|\(moment(1))\n2|\(moment(0))")
    }

    // MARK: Age and size

    @Test func anEntryGoesOnceItIsOlderThanItsAge() async throws {
        let connection = try database(calls: 3)
        let pruner = try pruner(connection, .init(age: .seconds(100), entries: nil, bytes: nil, rollUpAge: nil))
        await clock.advance(by: .seconds(101))
        #expect(try pruner.pruneAll() == 0, "the first one ended a hundred seconds ago")
        await clock.advance(by: .microseconds(1))
        #expect(try pruner.pruneAll() == 1)
        #expect(try kept(connection) == 2)
        #expect(try connection.integer("SELECT items FROM net_total") == 2)
        #expect(try connection.texts("SELECT rowid FROM net_search WHERE net_search MATCH 'items'") == ["2", "3"])
    }

    @Test func thereAreNoMoreEntriesThanTheLimit() throws {
        let connection = try database(calls: 600)
        #expect(try pruner(connection, .init(age: nil, entries: 600, bytes: nil)).pruneAll() == 0)
        #expect(try pruner(connection, .init(age: nil, entries: 599, bytes: nil)).pruneAll() == 1)
        #expect(try pruner(connection, .init(age: nil, entries: 10, bytes: nil)).pruneAll() == 589)
        #expect(try connection.integer("SELECT min(id) FROM net_item") == 591)
        #expect(try pruner(connection, .none).pruneAll() == 0)
    }

    @Test func aFileThatIsTooLargeLosesStepsOfItsOldestEntries() throws {
        let connection = try database(calls: 600)
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let used = pages * 4096
        #expect(try pruner(connection, .init(age: nil, entries: nil, bytes: used)).pruneAll() == 0)
        let pruner = try pruner(connection, .init(age: nil, entries: nil, bytes: used - 1), cpu: Self.running())
        #expect(try pruner.tidy(now: .seconds(10)) == .zero)
        #expect(try kept(connection) == 600 - Int64(Pruner.step))
        #expect(Pruner.step == 256)
        // Free pages don't count.
        #expect(try pruner.pruneAll() == 0)
    }

    @Test func inAnAppsDatabaseTheSizeSaysNothing() throws {
        let connection = try database(calls: 10)
        try connection.execute("CREATE TABLE mine (x)")
        #expect(try pruner(connection, .init(age: nil, entries: nil, bytes: 1)).pruneAll() == 0)
        try connection.execute("DROP TABLE mine")
        #expect(try pruner(connection, .init(age: nil, entries: nil, bytes: 1)).pruneAll() == 10)
    }

    @Test func deletingAnEntryDeletesItsBodiesNotesAndMessages() throws {
        let connection = try database(calls: 2)
        let bodies = try BodyStatement(on: connection, maximumBytes: 100)
        let captures = try CaptureStatement(
            on: connection, names: NameTable(on: connection), bodies: bodies, maximumMessages: 5)
        let body = CaptureContent.Body(bytes: Bytes("b".utf8), size: 1, isCut: false, type: nil)
        for (number, call) in [(1, 0), (2, 0), (1, 1)] {
            let row = CaptureRow(
                call: Events.id(call), number: number, content: CaptureContent(request: body, response: body))
            try captures.write(row, isUnderWay: true)
        }
        try connection.execute(
            """
            INSERT INTO net_attempt (item, number) VALUES (1, 1), (2, 1);
            INSERT INTO net_note (item, is_pinned, changed_at) VALUES (1, 0, 0), (2, 0, 0);
            UPDATE net_item SET attempts = 1;
            """)
        let socket = ItemDraft(ItemKey(Events.id(0), .socket), startedAt: 0)
        let line = ItemDraft(ItemKey(Events.id(7), .log), startedAt: 0)
        line.message = "words"
        var totals = HourTotals()
        let items = try ItemStatement(on: connection, names: NameTable(on: connection))
        try items.write([socket, line], run: 1, to: &totals)
        for number in [0, 1] {
            let message = PendingMessage(
                Events.id(number), number: 1, occurredAt: 0, isSent: true, kind: .text, size: 1)
            try captures.write(message.row(), isUnderWay: true)
        }
        func counts() throws -> [Int64?] {
            try ["net_capture", "net_attempt", "net_note", "net_message", "net_item"].map {
                try connection.integer("SELECT count(*) FROM \($0)")
            } + [try connection.integer("SELECT uses FROM net_body")]
        }
        let deletion = try ItemDeletion(on: connection, bodies: bodies)
        func delete(_ id: Int64) throws { try deletion.delete(deletion.candidates(after: id - 1, limit: 1)[...]) }
        #expect(try counts() == [3, 2, 2, 2, 4, 6])
        try delete(1)
        #expect(try counts() == [1, 1, 1, 2, 3, 2])
        #expect(try deletion.count() == 3)
        try delete(3)
        #expect(try counts() == [1, 1, 1, 1, 2, 2], "messages go with their WebSocket")
        #expect(try connection.texts("SELECT rowid FROM net_search WHERE net_search MATCH 'words'") == ["4"])
        try delete(4)
        #expect(try connection.texts("SELECT rowid FROM net_search WHERE net_search MATCH 'words'").isEmpty)
        #expect(try deletion.count() == 1)
        #expect(try connection.texts("SELECT socket FROM net_message").count == 1)
    }

    @Test func candidatesAreTheOldestThatAreNotPinned() throws {
        let connection = try database(calls: 5)
        try connection.execute(
            """
            INSERT INTO net_note (item, is_pinned, changed_at) VALUES (2, 1, 0), (3, 0, 0);
            UPDATE net_item SET attempts = id - 1
            """
        )
        let deletion = try ItemDeletion(on: connection, bodies: BodyStatement(on: connection, maximumBytes: 1))
        let found = try deletion.candidates(after: 0, limit: 3)
        try #require(found.map(\.id) == [1, 3, 4])
        #expect(found.map(\.uid) == [0, 2, 3].map { Events.id($0) })
        #expect(found.map(\.endedAt) == [1, 3, 4].map { moment($0) })
        #expect(found.map(\.kind) == [.call, .call, .call])
        try #require(found.map(\.hasAttempts) == [false, true, true])
        #expect(found[1].url == "https://api.example.com/items/2")
        #expect(try deletion.candidates(after: 3, limit: 9).map(\.id) == [4, 5])
    }

    // MARK: Time and space

    /// Returns a clock for a thread that has always used up a step's time.
    private static func running() -> () -> Duration {
        var time = Duration.zero
        return {
            time += Pruner.slice
            return time
        }
    }

    @Test func aLookIsDueAfterTheInterval() async throws {
        let connection = try database(calls: 3)
        let pruner = try pruner(connection, .init(age: nil, entries: 1, bytes: nil))
        #expect(try pruner.tidy(now: .seconds(4)) == .seconds(6))
        #expect(try pruner.tidy(now: .milliseconds(9999)) == .milliseconds(1))
        #expect(try kept(connection) == 3)
        #expect(try pruner.tidy(now: .seconds(10)) == .seconds(10))
        #expect(try kept(connection) == 1)
        #expect(try pruner.tidy(now: .seconds(12)) == .seconds(8))
    }

    @Test func aPinnedEntryThatIsLetGoIsFoundAtTheNextLook() throws {
        let connection = try database(calls: 3)
        try connection.execute("INSERT INTO net_note (item, is_pinned, changed_at) VALUES (1, 1, 0)")
        let pruner = try pruner(connection, .init(age: nil, entries: 0, bytes: nil))
        #expect(try pruner.tidy(now: .seconds(10)) == .seconds(10))
        #expect(try kept(connection) == 1)
        try connection.execute("UPDATE net_note SET is_pinned = 0")
        #expect(try pruner.tidy(now: .seconds(20)) == .seconds(10))
        #expect(try kept(connection) == 0)
    }

    @Test func aSliceHasAsManyStepsAsItsTime() throws {
        let connection = try database(calls: 3000)
        let pruner = try pruner(connection, .init(age: nil, entries: 0, bytes: nil), cpu: Self.running())
        #expect(Pruner.slice == .milliseconds(10))
        for step in 1...3 {
            #expect(try pruner.tidy(now: .seconds(10)) == .zero)
            #expect(try kept(connection) == 3000 - Int64(step * Pruner.step))
        }
        #expect(try pruner.pruneAll() == 3000 - 3 * Pruner.step)
    }

    @Test func rollUpsOfAnHourGoTogetherOnceTheyAreOld() async throws {
        let connection = try database(calls: 0)
        let hour = moment(0) / HourTotals.length
        for (number, run) in [(hour, 1), (hour, 2), (hour + 1, 1), (hour + 2, 1)] {
            try connection.run(
                "INSERT INTO net_hour VALUES (?, 0, 0, ?, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0)",
                [.integer(number), .integer(Int64(run))])
        }
        func hours() throws -> [Int64] {
            try connection.texts("SELECT hour FROM net_hour").compactMap { $0.flatMap(Int64.init) }
        }
        let pruner = try pruner(connection, .init(age: nil, entries: nil, bytes: nil, rollUpAge: .seconds(3600)))
        await clock.advance(by: .seconds(3600 * 2 - 1))
        _ = try pruner.pruneAll()
        #expect(try hours() == [hour, hour, hour + 1, hour + 2], "its end isn't an hour ago")
        await clock.advance(by: .seconds(1))
        _ = try pruner.pruneAll()
        #expect(try hours() == [hour + 1, hour + 2])
        await clock.advance(by: .seconds(36_000))
        _ = try pruner.pruneAll()
        #expect(try hours() == [])
    }

    @Test func manyFreePagesAreGivenBackAndFewStay() throws {
        let path = folder.file("vacuum")
        try Data().write(to: URL(fileURLWithPath: path))
        let empty = try SQLiteConnection(at: path)
        try empty.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
        empty.close()
        let connection = try database(calls: 10, path: path)
        func free() throws -> Int64 { try connection.integer("PRAGMA freelist_count") ?? 0 }
        func add(pages: Int) throws {
            try connection.run(
                "INSERT INTO net_artifact (kind, name, body, created_at) VALUES ('k', 'n', zeroblob(?), 0)",
                [.integer(Int64(pages) * 4092)])
            try connection.execute("DELETE FROM net_artifact")
        }
        let pruner = try pruner(connection, .none)
        try add(pages: 200)
        #expect(try pruner.pruneAll() == 0)
        #expect(try free() >= 200)
        try add(pages: 400)
        let before = try free()
        #expect(before > 256 + Int64(Pruner.vacuumStep))
        #expect(Pruner.vacuumStep == 64)
        _ = try pruner.pruneAll()
        let after = try free()
        #expect(after <= 256)
        #expect(after > 256 - 64)
        #expect((before - after).isMultiple(of: 64))
    }

    @Test func aLogThatHasGrownIsEmptied() throws {
        let connection = try database(calls: 1)
        try connection.execute("PRAGMA journal_mode = WAL")
        func size() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: folder.file() + "-wal")[.size] as? Int ?? 0
        }
        func write(_ bytes: Int64) throws {
            try connection.run(
                "INSERT INTO net_artifact (kind, name, body, created_at) VALUES ('k', 'n', zeroblob(?), 0)",
                [.integer(bytes)])
        }
        let pruner = try pruner(connection, .none)
        try write(7_500_000)
        #expect(try pruner.tidy(now: .seconds(10)) == .seconds(10))
        #expect(try size() > 7_000_000)
        try write(9_500_000)
        #expect(try size() > 8 << 20)
        #expect(try pruner.tidy(now: .seconds(20)) == .seconds(10))
        #expect(try size() == 0)
    }

    @Test func aThreadHasUsedTime() {
        let before = Pruner.threadTime()
        var numbers = SeededNumbers(1)
        while Pruner.threadTime() - before < .microseconds(100) { _ = numbers.next() }
        #expect(before > .zero)
        #expect(before < .seconds(3600))
        #expect(Pruner.threadTime() > before)
    }
}
