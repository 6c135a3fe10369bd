import Foundation
import NetCore
import NetTesting
import Testing

@testable import NetStore

@Suite struct RetentionTests {
    private let folder: TemporaryFolder
    private let clock = TestClock(date: Events.start)

    init() throws { folder = try TemporaryFolder() }

    private func store(_ retention: ActivityStore.Retention) throws -> ActivityStore {
        try ActivityStore(
            path: folder.file(),
            configuration: .init(
                // Pruned only on request of the tests.
                retention: retention, pruneInterval: .seconds(1 << 40), clock: clock.netClock))
    }

    private func numbers(_ store: ActivityStore) async throws -> [Int] {
        try await store.items(limit: 1000).map { Int($0.startedAt.timeIntervalSince(Events.start).rounded()) }
    }

    @Test func entriesOlderThanTheAgeLimitAreDeleted() async throws {
        let store = try store(.init(age: .seconds(100), entries: nil, bytes: nil))
        try await store.write(Array((0..<200).map { Events.call($0) }.joined()))
        await clock.advance(by: .seconds(250))
        #expect(try await store.prune() == 150)
        #expect(try await numbers(store) == (150..<200).reversed())
        #expect(try await store.search(words: "items 149").isEmpty)
        #expect(try await store.search(words: "items 150").count == 1)
        #expect(try await store.prune() == 0)
        try await store.close()
        let check = "PRAGMA integrity_check; INSERT INTO net_search (net_search) VALUES ('integrity-check')"
        #expect(try Command.run("/usr/bin/env", ["sqlite3", folder.file(), check]).output == "ok\n")
    }

    @Test func pinnedEntriesAreSpared() async throws {
        let store = try store(.init(age: nil, entries: 10, bytes: nil))
        try await store.write(Array((0..<100).map { Events.call($0) }.joined()))
        #expect(try await store.pin(5))
        #expect(try await store.comment("look", on: 5))
        #expect(try await store.pin(1000) == false)
        #expect(try await store.prune() == 90)
        #expect(try await numbers(store) == (91..<100).reversed() + [4])
        let pinned = try #require(try await store.item(id: 5)).item
        #expect(pinned.isPinned)
        #expect(pinned.comment == "look")
        try await store.unpin(5)
        #expect(try await store.prune() == 0)
        try await store.write(Events.call(100))
        #expect(try await store.prune() == 1)
        #expect(try await numbers(store) == (91..<101).reversed())
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_note") == "0")
        try await store.close()
    }

    @Test func expiredEntriesAreDeletedWithTheirBodiesAndAttempts() async throws {
        let store = try store(.init(age: .seconds(5), entries: nil, bytes: nil))
        let body = CaptureContent.Body(bytes: Bytes(Array("shared".utf8)), size: 6, isCut: false, type: "text/plain")
        for number in [1, 100] {
            for event in Events.call(number).prefix(2) { store.record(event) }
            store.record(Events.event(number, 3, .retrying(attempt: 2, after: .zero, reason: "503")))
            store.record(PendingCapture(Events.id(number), number: 1, status: 503, request: body, response: body))
            store.record(Events.event(number, 4, .ended(.cancelled)))
        }
        for event in Events.socket(2) { store.record(event) }
        try await store.flush()
        #expect(try Command.sqlite(folder.file(), "SELECT uses FROM net_body") == "4")
        await clock.advance(by: .seconds(50))
        #expect(try await store.prune() == 1)
        let counts =
            "SELECT (SELECT uses FROM net_body), (SELECT count(*) FROM net_capture), (SELECT count(*) FROM net_attempt)"
        #expect(try Command.sqlite(folder.file(), counts) == "2|1|1")
        await clock.advance(by: .seconds(100))
        try await store.prune()
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_body") == "0")
        try await store.close()
    }

    @Test func aFileThatIsTooLargeShrinks() async throws {
        let store = try store(.init(age: nil, entries: nil, bytes: 1 << 20))
        for start in stride(from: 0, to: 20_000, by: 4000) {
            try await store.write(Array((start..<start + 4000).map { Events.call($0) }.joined()))
        }
        #expect(try await store.prune() > 10_000)
        try await store.close()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file())
        let size = try #require(attributes[.size] as? Int)
        #expect(size < 3 << 20, "freed pages are given back, not only used again")
    }

    @Test func anAppsTablesAreNoReasonToDelete() async throws {
        try Command.changeWithSQLite(
            folder.file(),
            "CREATE TABLE mine (x); INSERT INTO mine SELECT zeroblob(2000000)")
        let store = try store(.init(age: nil, entries: nil, bytes: 1 << 20))
        try await store.write(Events.call(1))
        #expect(try await store.prune() == 0)
        try await store.close()
    }

    @Test func rollUpsLiveLonger() async throws {
        let store = try store(.init(age: .seconds(100), entries: nil, bytes: nil, rollUpAge: .seconds(86_400)))
        try await store.write(Events.call(1), Events.call(7200))
        await clock.advance(by: .seconds(20_000))
        try await store.prune()
        #expect(try await store.count() == 0)
        #expect(try await store.statistics(by: .hour).count == 2)
        await clock.advance(by: .seconds(86_400 - 20_000 + 3700))
        try await store.prune()
        #expect(try await store.statistics(by: .hour).map(\.calls) == [1])
        try await store.close()
    }

    @Test func aSliceEndsAfterItsTime() throws {
        let connection = try fullDatabase()
        var time = Duration.zero
        let pruner = try pruner(on: connection) {
            time += .milliseconds(4)
            return time
        }
        #expect(try pruner.tidy(now: .zero) == .seconds(10), "it isn't time yet")
        #expect(try pruner.tidy(now: .seconds(10)) == .zero, "there is more to do")
        let left = try connection.integer("SELECT count(*) FROM net_item") ?? 0
        #expect(left < 4000)
        #expect(left >= 4000 - 4 * Int64(Pruner.step))
        var slices = 1
        while try pruner.tidy(now: .seconds(10)) == .zero { slices += 1 }
        #expect(slices > 3)
        #expect(try connection.integer("SELECT count(*) FROM net_item") == 0)
    }

    @Test func aSliceEndsAfterItsStepWhileSomebodyWaits() throws {
        let connection = try fullDatabase()
        let pruner = try pruner(on: connection) { .zero }
        let pause = try pruner.tidy(now: .seconds(10), isAwaited: { true })
        #expect(pause == .zero, "there is more to do")
        #expect(try connection.integer("SELECT count(*) FROM net_item") == 4000 - Int64(Pruner.step))
    }

    private var nothingKept: ActivityStore.Configuration {
        ActivityStore.Configuration(retention: .init(age: nil, entries: 0, bytes: nil), clock: clock.netClock)
    }

    /// Returns a database of 4,000 calls.
    private func fullDatabase() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(at: folder.file())
        try StoreSchema.migrator.migrate(connection)
        let writer = try ItemWriter(on: connection, configuration: nothingKept)
        let entries = (0..<4000).flatMap { Events.call($0) }.map { PendingEntry.call(PendingEvent($0)) }
        let batch = writer.decide(entries[...], writesAllOpen: true)
        #expect(writer.commit(batch, counts: WriterStatistics()).error == nil)
        writer.finish(WriterStatistics())
        return connection
    }

    private func pruner(on connection: SQLiteConnection, cpu: @escaping () -> Duration) throws -> Pruner {
        try Pruner(
            on: connection, bodies: try BodyStatement(on: connection, maximumBytes: 100), configuration: nothingKept,
            cpu: cpu)
    }
}
