import Foundation
import NetCore
import Testing

@testable import NetStore

/// Files of version 2, in which a job has one part.
@Suite(.timeLimit(.minutes(5)))
struct JobMigrationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let connection = try SQLiteConnection(at: folder.file())
        try Migrator(migrations: Array(StoreSchema.migrations.prefix(2))).migrate(connection)
        let start = StoredTime.microseconds(of: Events.start)
        let uid = { (number: Int) in "x'\(Events.id(number).hex)'" }
        try connection.execute(
            """
            PRAGMA journal_mode = WAL;
            INSERT INTO net_name (id, text) VALUES (1, 'files.example.com'), (2, 'unknown'), (3, 'film.mp4');
            INSERT INTO net_run (process, pid, machine, started_at, ended_at) VALUES ('old', 1, 'm/1', 0, 1);
            INSERT INTO net_item (uid, kind, run, started_at, duration_us, outcome, name, host, url, error, message, attempts)
            VALUES (\(uid(1)), 3, 1, \(start), 9000000, 5, 3, 1, 'https://files.example.com/film.mp4', NULL, NULL, 2),
                (\(uid(2)), 3, 1, \(start), 9000000, 3, 3, 1, 'https://files.example.com/two.mp4', 2, 'gave up', 3),
                (\(uid(3)), 3, 1, \(start), 9000000, 1, 3, 1, 'https://files.example.com/three.mp4', NULL, NULL, 1);
            INSERT INTO net_search (rowid, url, message) SELECT id, url, message FROM net_item;
            UPDATE net_total SET items = 3;
            """)
        connection.close()
    }

    @Test func aReaderReadsThemAsTheyAre() async throws {
        let reader = try ActivityReader(path: folder.file())
        #expect(try await reader.items().map(\.outcome) == [.completed, .failed, .cutOff])
        let detail = try #require(try await reader.item(uid: Events.id(1), kind: .job))
        #expect(detail.attempts.isEmpty)
        #expect(detail.item.attempts == 2)
        #expect(try await reader.runs().map(\.process) == ["old"])
        for exact in [false, true] {
            let statistics = try #require(try await reader.statistics(by: .host, exact: exact).first)
            #expect(statistics.jobs == 2)
            #expect(statistics.failed == 1)
            #expect(statistics.completed == 1)
            #expect(statistics.calls == 0)
        }
        var tail = reader.tail(after: 0).makeAsyncIterator()
        guard case .item(let item)? = try await tail.next() else {
            Issue.record("no entry")
            return
        }
        #expect(item.id == 1)
        try await reader.writeSlice(to: folder.file("slice.sqlite"))
        let slice = try ActivityReader(path: folder.file("slice.sqlite"))
        #expect(try await slice.items().count == 3)
        #expect(try await slice.statistics(by: .host).map(\.jobs) == [2])
        await slice.close()
        await reader.close()
        #expect(try Command.sqlite(folder.file(), "SELECT max(version) FROM net_schema") == "2")
    }

    @Test func aStoreMigratesThemAndGoesOnWithTheirJobs() async throws {
        let store = try ActivityStore(at: folder.file())
        #expect(try await store.statistics(by: .host).map(\.jobs) == [2])
        #expect(try await store.statistics(by: .host) == store.statistics(by: .host, exact: true))
        for number in 1...2 {
            var job = JobSample(Events.id(number))
            try await store.write([
                job.activity(.running, at: 100, call: 10 + number), job.activity(.completed, at: 101),
            ])
        }
        let items = try await store.items()
        #expect(items.map(\.outcome) == [.completed, .completed, .completed])
        #expect(items.map(\.attempts) == [1, 4, 3])
        #expect(items.map(\.failure) == [nil, nil, nil])
        #expect(try await store.statistics(by: .host).map(\.completed) == [3])
        #expect(try await store.statistics(by: .host).map(\.failed) == [0])
        #expect(try await store.search(words: "gave up").isEmpty)
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT max(version) FROM net_schema") == "4")
        #expect(try Command.sqlite(folder.file(), "PRAGMA integrity_check") == "ok")
    }
}
