import Foundation
import NetCore
import Testing

@testable import NetStore

/// Files of version 3, in which sending is a part of waiting.
@Suite(.timeLimit(.minutes(5)))
struct SendingMigrationTests {
    private let folder: TemporaryFolder
    private let waited = TransferPhases(
        connect: .milliseconds(1), waiting: .milliseconds(2000), download: .milliseconds(5))

    init() throws {
        folder = try TemporaryFolder()
        let connection = try SQLiteConnection(at: folder.file())
        try Migrator(migrations: Array(StoreSchema.migrations.prefix(3))).migrate(connection)
        let start = StoredTime.microseconds(of: Events.start)
        let uid = { (number: Int) in "x'\(Events.id(number).hex)'" }
        try connection.execute(
            """
            PRAGMA journal_mode = WAL;
            INSERT INTO net_run (process, pid, machine, started_at, ended_at) VALUES ('old', 1, 'm/1', 0, 1);
            INSERT INTO net_item (uid, kind, run, started_at, duration_us, outcome, status, url, attempts, attempt_us,
                connect_us, waiting_us, download_us)
            VALUES (\(uid(1)), 1, 1, \(start), 2006000, 1, 200, 'https://a.test/1', 1, 2006000, 1000, 2000000, 5000),
                (\(uid(2)), 1, 1, \(start), 9000000, 1, 200, 'https://a.test/2', 2, NULL, NULL, NULL, NULL);
            INSERT INTO net_attempt (item, number, status, attempt_us, connect_us, waiting_us, download_us)
            VALUES (2, 1, 503, 2006000, 1000, 2000000, 5000), (2, 2, 200, 2006000, 1000, 2000000, 5000);
            UPDATE net_total SET items = 2;
            """)
        connection.close()
    }

    @Test func aReaderReadsThemAsTheyAre() async throws {
        let reader = try ActivityReader(path: folder.file())
        for (id, count) in [(Int64(1), 1), (2, 2)] {
            let detail = try #require(try await reader.item(id: id))
            #expect(detail.attempts.map(\.phases) == Array(repeating: waited, count: count))
        }
        try await reader.writeSlice(to: folder.file("slice.sqlite"))
        let slice = try ActivityReader(path: folder.file("slice.sqlite"))
        #expect(try await slice.item(id: 1)?.attempts.map(\.phases) == [waited])
        await slice.close()
        try await reader.writeHAR(to: folder.file("calls.har"))
        await reader.close()
        #expect(try Command.sqlite(folder.file(), "SELECT max(version) FROM net_schema") == "3")
        let har = try String(contentsOfFile: folder.file("calls.har"), encoding: .utf8)
        #expect(har.contains(#""wait""#))
    }

    @Test func aStoreMigratesThemAndWritesTheTimeOfSending() async throws {
        let store = try ActivityStore(at: folder.file())
        let detail = try #require(try await store.item(id: 1))
        #expect(detail.attempts.map(\.phases) == [waited])
        var metrics = TransferMetrics(total: .milliseconds(40), requestBytes: 3, responseBytes: 9, version: "2")
        (metrics.requestStarted, metrics.requestSent) = (.milliseconds(1), .milliseconds(31))
        metrics.firstByte = .milliseconds(35)
        let kinds: [ActivityEvent.Kind] = [
            .started(requestBytes: 3), .attemptEnded(.init(number: 1, status: 201, metrics: metrics)),
            .ended(.completed(status: 201, responseBytes: 9)),
        ]
        for (index, kind) in kinds.enumerated() { store.record(Events.event(7, index + 1, kind)) }
        try await store.flush()
        let added = try #require(try await store.item(uid: Events.id(7)))
        #expect(added.attempts.first?.phases == metrics.phases)
        #expect(metrics.phases.sending == .milliseconds(30))
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT max(version) FROM net_schema") == "4")
        #expect(try Command.sqlite(folder.file(), "PRAGMA integrity_check") == "ok")
    }
}
