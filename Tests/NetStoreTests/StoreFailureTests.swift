import Foundation
import NetCore
import Testing

@testable import NetStore

struct StoreFailureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func impatient(
        queue: Int = 65_536, bytes: Int64 = 1 << 30, batch: Int = 500
    ) -> ActivityStore.Configuration {
        ActivityStore.Configuration(
            maximumQueuedEvents: queue, batchSize: batch, busyTimeout: .milliseconds(20), maximumFileBytes: bytes,
            firstRetryDelay: .milliseconds(1), longestRetryDelay: .milliseconds(5))
    }

    /// Holds the database's write lock until it is let go.
    private func lock(_ file: String) throws -> SQLiteConnection {
        let other = try SQLiteConnection(path: file, access: .readWrite, busyTimeout: .seconds(5))
        try other.execute("BEGIN IMMEDIATE")
        return other
    }

    @Test func aFullQueueDropsAndCounts() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient(queue: 30))
        let other = try lock(folder.file())
        for number in 0..<20 { for event in Events.call(number) { store.record(event) } }
        #expect(store.statistics.dropped == 30 && store.statistics.queued == 30)
        try other.execute("COMMIT")
        try await store.flush()
        #expect(store.statistics.written == 30 && store.statistics.dropped == 30 && store.statistics.queued == 0)
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT written, dropped FROM net_session") == "30|30")
    }

    @Test func aLockedDatabaseIsTriedAgainUntilItIsFree() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient())
        let other = try lock(folder.file())
        for event in Events.call(1) { store.record(event) }
        let error = await #expect(throws: StoreError.self) { try await store.flush() }
        #expect(error?.code == .locked)
        #expect(store.statistics.failedWrites > 0 && store.statistics.lastError?.code == .locked)
        #expect(store.statistics.queued == 3 && store.statistics.written == 0)
        try other.execute("COMMIT")
        try await store.flush()
        #expect(store.statistics.written == 3 && store.statistics.failed == 0)
        try await store.close()
    }

    @Test(.timeLimit(.minutes(1))) func aFullDiskFailsNoCallAndLosesNothingOnceThereIsRoom() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient(bytes: 160 << 10))
        var number = 0
        while store.statistics.lastError == nil {
            for event in Events.call(number) { store.record(event) }
            number += 1
            try? await store.flush()
        }
        #expect(store.statistics.lastError?.code == .full)
        #expect(store.statistics.queued > 0 && store.statistics.failed == 0 && store.statistics.dropped == 0)
        try Command.changeWithSQLite(
            folder.file(), "PRAGMA busy_timeout = 5000; DELETE FROM net_event; DELETE FROM net_attempt")
        try await store.flush()
        #expect(store.statistics.queued == 0 && store.statistics.written == number * 3)
        try await store.close()
    }

    @Test func closingWhileWritingFailsSaysWhatWasLost() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient())
        let other = try lock(folder.file())
        for event in Events.call(1) { store.record(event) }
        let error = await #expect(throws: StoreError.self) { try await store.close() }
        #expect(error?.code == .locked)
        #expect(store.statistics.failed == 3 && store.statistics.queued == 0)
        try other.execute("COMMIT")
    }

    @Test func aRowTheDatabaseRefusesDoesNotTakeItsNeighboursWithIt() async throws {
        let store = try ActivityStore(path: folder.file())
        try Command.changeWithSQLite(
            folder.file(),
            """
            CREATE TRIGGER refuse BEFORE INSERT ON net_event WHEN new.title LIKE '%/items/5?%'
            BEGIN SELECT raise(ABORT, 'not this one'); END
            """)
        for number in 0..<10 { for event in Events.call(number) { store.record(event) } }
        try await store.flush()
        #expect(store.statistics.written == 29 && store.statistics.failed == 1)
        #expect(store.statistics.lastError?.code == .invalidRow)
        #expect(store.statistics.lastError?.message.contains("not this one") == true)
        #expect(try await store.recentEvents(limit: 100).count == 29)
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT written, failed FROM net_session") == "29|1")
    }

    @Test func aCancelledFlushEndsAtOnceAndTheEventsAreWritten() async throws {
        let patient = ActivityStore.Configuration(busyTimeout: .seconds(60))
        let store = try ActivityStore(path: folder.file(), configuration: patient)
        let other = try lock(folder.file())
        for event in Events.call(1) { store.record(event) }
        let task = Task { try await store.flush() }
        task.cancel()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try other.execute("COMMIT")
        try await store.flush()
        #expect(try await store.count() == 1)
        try await store.close()
    }

    @Test func whatWasFlushedSurvivesAKilledProcess() async throws {
        let file = folder.file()
        await #expect(processExitsWith: .signal(SIGKILL)) { [file = file as String] in
            let store = try ActivityStore(path: file)
            for number in 0..<1000 { for event in Events.call(number) { store.record(event) } }
            try await store.flush()
            for number in 1000..<5000 { for event in Events.call(number) { store.record(event) } }
            kill(getpid(), SIGKILL)
        }
        let store = try ActivityStore(path: file)
        #expect(try await store.count() >= 1000)
        let sessions = try await store.sessions()
        #expect(sessions.count == 2 && sessions[1].closedAt == nil && sessions[1].written >= 3000)
        try await store.close()
        #expect(try Command.sqlite(file, "PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
        // A batch is all or nothing: no call has more events than its session counted.
        let agreement = "SELECT (SELECT count(*) FROM net_event) = (SELECT sum(written) FROM net_session)"
        #expect(try Command.sqlite(file, agreement) == "1")
    }
}
