import Foundation
import NetCore
import Testing

@testable import NetStore

@Suite struct StoreFailureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func impatient(
        queue: Int = 65_536, bytes: Int64 = 1 << 30, batch: Int = 500
    ) -> ActivityStore.Configuration {
        ActivityStore.Configuration(
            maximumQueuedEvents: queue, batchSize: batch, busyTimeout: .milliseconds(20), maximumFileBytes: bytes,
            firstRetryDelay: .milliseconds(1), longestRetryDelay: .milliseconds(5), retention: .none)
    }

    /// Holds the database's write lock until it is released.
    private func lock(_ file: String) throws -> SQLiteConnection {
        let other = try SQLiteConnection(path: file, access: .readWrite, busyTimeout: .seconds(5))
        try other.execute("BEGIN IMMEDIATE")
        return other
    }

    @Test func aFullQueueDropsAndCounts() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient(queue: 30))
        let other = try lock(folder.file())
        for number in 0..<20 { for event in Events.call(number) { store.record(event) } }
        #expect(store.statistics.dropped == .init(calls: 30))
        try other.execute("COMMIT")
        try await store.flush()
        #expect(store.statistics.dropped.total == 30)
        #expect(store.statistics.queued == 0)
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT dropped_calls, dropped_logs FROM net_run") == "30|0")
        #expect(try Command.sqlite(folder.file(), "SELECT count(*), sum(outcome = 1) FROM net_item") == "10|10")
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_open") == "0")
    }

    @Test func ofACallWhoseEndWasDroppedNothingIsUnderWay() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient(queue: 2))
        let other = try lock(folder.file())
        for event in Events.call(1) { store.record(event) }
        #expect(store.statistics.dropped == .init(calls: 1))
        try other.execute("COMMIT")
        try await store.flush()
        #expect(try await store.itemsUnderWay().isEmpty)
        #expect(try await store.items().map(\.outcome) == [.cutOff])
        try await store.close()
    }

    @Test func aLockedDatabaseIsTriedAgainUntilItIsFree() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient())
        let other = try lock(folder.file())
        for event in Events.call(1) { store.record(event) }
        let error = await #expect(throws: StoreError.self) { try await store.flush() }
        #expect(error?.code == .locked)
        #expect(store.statistics.failedWrites > 0)
        #expect(store.statistics.lastError?.code == .locked)
        #expect(store.statistics.queued == 3)
        #expect(store.statistics.written == 0)
        try other.execute("COMMIT")
        try await store.flush()
        #expect(store.statistics.written == 3)
        #expect(store.statistics.failed == 0)
        try await store.close()
    }

    @Test(.timeLimit(.minutes(5))) func aFullDiskFailsNoCallAndLosesNothingOnceThereIsRoom() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient(bytes: 160 << 10))
        var number = 0
        while store.statistics.lastError == nil {
            for event in Events.call(number) { store.record(event) }
            number += 1
            try? await store.flush()
        }
        #expect(store.statistics.lastError?.code == .full)
        let size = try Command.sqlite(
            folder.file(), "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        #expect(try #require(Int64(size)) <= 160 << 10)
        #expect(store.statistics.queued > 0)
        #expect(store.statistics.failed == 0)
        #expect(store.statistics.dropped.total == 0)
        try Command.changeWithSQLite(
            folder.file(),
            "PRAGMA busy_timeout = 5000; DELETE FROM net_item; INSERT INTO net_search (net_search) VALUES ('delete-all')"
        )
        try await store.flush()
        #expect(store.statistics.queued == 0)
        #expect(store.statistics.written == number * 3)
        try await store.close()
    }

    @Test func closingWhileWritingFailsSaysWhatWasLost() async throws {
        let store = try ActivityStore(path: folder.file(), configuration: impatient())
        let other = try lock(folder.file())
        for event in Events.call(1) { store.record(event) }
        let error = await #expect(throws: StoreError.self) { try await store.close() }
        #expect(error?.code == .locked)
        #expect(error?.message.contains(". 3 queued entries were not written: lost, and counted as failed") == true)
        #expect(store.statistics.failed == 3)
        #expect(store.statistics.queued == 0)
        try other.execute("COMMIT")
    }

    /// In real time, because SQLite waits in it.
    @Test func closingALockedFileTakesOneBusyTimeout() async throws {
        let configuration = ActivityStore.Configuration(busyTimeout: .seconds(3), retention: .none)
        let store = try ActivityStore(path: folder.file(), configuration: configuration)
        let other = try lock(folder.file())
        for event in Events.call(1) { store.record(event) }
        // The first attempt begins before the end.
        while store.statistics.queued < 3 { await Task.yield() }
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        let error = await #expect(throws: StoreError.self) { try await store.close() }
        #expect(error?.code == .locked)
        // The attempt under way, the last one, the end of the run and the checkpoint would take four times as long.
        #expect(ContinuousClock.now - start < .seconds(7))
        try other.execute("COMMIT")
    }

    /// Without the limit, this takes ten minutes.
    @Test(.timeLimit(.minutes(1))) func aStoreThatIsClosedDoesNotWaitBeyondItsTime() async throws {
        let configuration = ActivityStore.Configuration(
            batchDelay: .seconds(600), busyTimeout: .seconds(600), retention: .none)
        let store = try ActivityStore(path: folder.file(), configuration: configuration)
        let other = try lock(folder.file())
        for event in Events.call(1) { store.record(event) }
        let error = await #expect(throws: StoreError.self) { try await store.writer.close(waitingUntil: .now) }
        #expect(error?.code == .locked)
        #expect(store.statistics.failed == 3)
        try other.execute("COMMIT")
        try await store.close()
    }

    @Test func aRowTheDatabaseRefusesDoesNotTakeItsNeighboursWithIt() async throws {
        let store = try ActivityStore(at: folder.file())
        try Command.changeWithSQLite(
            folder.file(),
            """
            CREATE TRIGGER refuse BEFORE INSERT ON net_item WHEN new.url LIKE '%/items/5?%'
            BEGIN SELECT raise(ABORT, 'not this one'); END
            """)
        for number in 0..<10 { for event in Events.call(number) { store.record(event) } }
        try await store.flush()
        #expect(store.statistics.written == 29)
        #expect(store.statistics.failed == 1)
        #expect(store.statistics.lastError?.code == .invalidRow)
        #expect(store.statistics.lastError?.message.contains("not this one") == true)
        #expect(try await store.items().count == 9)
        #expect(try await store.statistics().map(\.calls) == [9])
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT written, failed FROM net_run") == "29|1")
    }

    @Test func aCancelledFlushEndsAtOnceAndTheEventsAreWritten() async throws {
        let patient = ActivityStore.Configuration(busyTimeout: .seconds(60), retention: .none)
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

    @Test func flushedEntriesSurviveAKilledProcess() async throws {
        let file = folder.file()
        await #expect(processExitsWith: .signal(SIGKILL)) { [file = file as String] in
            let store = try ActivityStore(at: file)
            for number in 0..<1000 { for event in Events.call(number) { store.record(event) } }
            try await store.write(Array(Events.call(9000).prefix(2)))
            for number in 1000..<5000 { for event in Events.call(number) { store.record(event) } }
            kill(getpid(), SIGKILL)
        }
        let reader = try ActivityReader(path: file)
        let open = try await reader.itemsUnderWay().filter { $0.uid == Events.id(9000) }
        #expect(open.map(\.outcome) == [.cutOff], "a reader says so before anybody writes")
        #expect(try await reader.runs().map(\.state) == [.cutOff])
        await reader.close()
        let store = try ActivityStore(at: file)
        #expect(try await store.count() >= 1001)
        let cutOff = try #require(try await store.item(uid: Events.id(9000)))
        #expect(cutOff.item.outcome == .cutOff)
        #expect(cutOff.item.run == 1)
        #expect(cutOff.attempts.map(\.status) == [200])
        #expect(try await store.itemsUnderWay().isEmpty)
        let runs = try await store.runs()
        try #require(runs.map(\.state) == [.running, .cutOff])
        #expect(runs[1].statistics.written >= 3002)
        try await store.close()
        #expect(try Command.sqlite(file, "PRAGMA integrity_check") == "ok")
        // A batch is all or nothing: no more was written than its run counted.
        let agreement = "SELECT (SELECT sum(calls) FROM net_hour) = (SELECT count(*) FROM net_item WHERE outcome = 1)"
        #expect(try Command.sqlite(file, agreement) == "1")
        let holes = "SELECT max(id) = count(*) FROM net_item"
        #expect(try Command.sqlite(file, holes) == "1")
    }
}
