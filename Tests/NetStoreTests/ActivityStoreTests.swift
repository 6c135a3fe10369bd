import Foundation
import NetCore
import Testing

@testable import NetStore

struct ActivityStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func tenThousandEventsAreReadByTheSQLiteProgram() async throws {
        let store = try ActivityStore(path: folder.file())
        for number in 0..<3334 { for event in Events.call(number) { store.record(event) } }
        try await store.flush()
        #expect(store.statistics == WriterStatistics(written: 10_002))
        #expect(try await store.count() == 3334)
        let sql =
            "SELECT (SELECT count(*) FROM net_call), count(*), count(DISTINCT call || '/' || sequence) FROM net_event"
        #expect(try Command.sqlite(folder.file(), sql) == "3334|10002|10002")
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_attempt") == "3334")
        #expect(try Command.sqlite(folder.file(), "SELECT sum(outcome = 'completed') FROM net_call") == "3334")
        try await store.close()
        #expect(!FileManager.default.fileExists(atPath: folder.file() + "-wal"), "closing empties the log")
        #expect(try Command.sqlite(folder.file(), sql) == "3334|10002|10002")
        #expect(try Command.sqlite(folder.file(), "PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
    }

    @Test func aCallIsStoredWithItsAttemptsAndEventsInOrder() async throws {
        let store = try ActivityStore(path: folder.file())
        let error = NetError(.timeout, phase: .waiting, message: "no first byte within 5 s")
        var metrics = TransferMetrics(total: .milliseconds(40), requestBytes: 3, responseBytes: 9, version: "2")
        metrics.resolved = .milliseconds(1)
        metrics.connected = .milliseconds(3)
        metrics.secured = .milliseconds(10)
        metrics.requestSent = .milliseconds(11)
        metrics.firstByte = .milliseconds(31)
        metrics.remoteAddress = "127.0.0.1:8080"
        let kinds: [ActivityEvent.Kind] = [
            .started(requestBytes: 3), .attemptEnded(.init(number: 1, error: error)),
            .retrying(attempt: 2, after: .milliseconds(250), reason: "timeout"),
            .attemptEnded(.init(number: 2, status: 201, metrics: metrics)), .responded(status: 201),
            .ended(.completed(status: 201, responseBytes: 9)),
        ]
        for (index, kind) in kinds.enumerated() {
            store.record(
                Events.event(
                    7, index + 1, kind, elapsed: .milliseconds(index * 100), method: .post, operation: "addItem"))
        }
        try await store.flush()
        let detail = try #require(try await store.call(id: Events.id(7)))
        #expect(detail.call.outcome == .completed && detail.call.status == 201 && detail.call.attempts == 2)
        #expect(detail.call.duration == .milliseconds(500) && detail.call.operation == "addItem")
        #expect(detail.call.startedAt == Events.start.addingTimeInterval(7))
        #expect(detail.call.host == "api.example.com" && detail.call.path == "/items/7" && detail.call.method == "POST")
        #expect(detail.call.requestBytes == 3 && detail.call.responseBytes == 9 && detail.call.failure == nil)
        #expect(detail.attempts.map(\.number) == [1, 2])
        #expect(detail.attempts[0].failure == StoredFailure(code: "timeout", phase: "waiting", message: error.message))
        let phases = detail.attempts[1].phases
        #expect(phases.dns == .milliseconds(1) && phases.connect == .milliseconds(2) && phases.tls == .milliseconds(7))
        #expect(phases.queue == .milliseconds(1) && phases.firstByte == .milliseconds(20))
        #expect(phases.download == .milliseconds(9) && detail.attempts[1].remoteAddress == "127.0.0.1:8080")
        #expect(detail.events.map(\.sequence) == [1, 2, 3, 4, 5, 6])
        #expect(detail.events.map(\.kind) == [.started, .attemptEnded, .retrying, .attemptEnded, .responded, .ended])
        #expect(detail.events[2].retryAttempt == 2 && detail.events[2].retryDelay == .milliseconds(250))
        #expect(detail.events[5].title == "completed 201")
        #expect(try await store.call(id: Events.id(8)) == nil)
        try await store.close()
    }

    @Test func eachOutcomeHasItsName() async throws {
        let store = try ActivityStore(path: folder.file())
        let lost = NetError(.connectionLost, phase: .receiving, message: "the peer went away")
        let outcomes: [ActivityEvent.Outcome] = [
            .completed(status: 200, responseBytes: 1), .rejected(status: 404, responseBytes: 2), .failed(lost),
            .cancelled,
        ]
        for (number, outcome) in outcomes.enumerated() {
            for event in Events.call(number, outcome: outcome) { store.record(event) }
        }
        store.record(Events.event(4, 1, .started(requestBytes: nil)))
        try await store.close()
        let rows = try Command.sqlite(
            folder.file(), "SELECT coalesce(outcome, 'running'), error_code FROM net_call ORDER BY started_at")
        #expect(rows == "completed|\nrejected|\nfailed|connectionLost\ncancelled|\nrunning|")
        let recent = try Command.sqlite(folder.file(), "SELECT time, outcome, method FROM net_recent LIMIT 1")
        #expect(recent == "2026-01-01 00:00:04.000|running|GET")
    }

    @Test func aCallWhoseBeginningWasDroppedIsStoredAllTheSame() async throws {
        let store = try ActivityStore(path: folder.file())
        for event in Events.call(1).dropFirst() { store.record(event) }
        store.record(Events.event(2, 5, .retrying(attempt: 2, after: .zero, reason: "503")))
        store.record(Events.event(3, 5, .responded(status: 206)))
        try await store.flush()
        let calls = try await store.calls()
        #expect(calls.map(\.id) == [Events.id(3), Events.id(2), Events.id(1)])
        #expect(calls.map(\.status) == [206, nil, 200] && calls[2].attempts == 1)
        #expect(calls[2].startedAt == Events.start.addingTimeInterval(1), "the start is the event's time less its age")
        try await store.close()
    }

    @Test func anEventThatIsRecordedTwiceIsStoredOnce() async throws {
        let store = try ActivityStore(path: folder.file())
        for _ in 0..<2 { for event in Events.call(1) { store.record(event) } }
        try await store.close()
        let sql = "SELECT (SELECT count(*) FROM net_event), (SELECT count(*) FROM net_attempt), attempts FROM net_call"
        #expect(try Command.sqlite(folder.file(), sql) == "3|1|1")
    }

    @Test func tagsAndOddTextComeBackAsTheyWere() async throws {
        let store = try ActivityStore(path: folder.file())
        let metadata = RequestMetadata(name: "läs \"alt\" \u{0} 🦉", operationID: "", tags: ["a/b", "\"", "ü\n"])
        store.record(
            ActivityEvent(
                call: Events.id(1), sequence: 1, date: Events.start, elapsed: .zero, method: .get,
                url: "https://user@Example.com:8443?q=';DROP TABLE net_call;--", metadata: metadata,
                kind: .started(requestBytes: nil)))
        try await store.flush()
        let call = try #require(try await store.calls().first)
        #expect(call.name == metadata.name && call.operation == "" && call.tags == metadata.tags)
        #expect(call.host == "example.com:8443" && call.path == "/")
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT json_extract(tags, '$[0]') FROM net_call") == "a/b")
    }

    @Test func eightTasksRecordWhileQueriesRun() async throws {
        let store = try ActivityStore(path: folder.file())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<250 { for event in Events.call(task * 250 + number) { store.record(event) } }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<20 {
                        let calls = try await store.calls(limit: 50)
                        #expect(calls.map(\.startedAt) == calls.map(\.startedAt).sorted(by: >))
                        let statistics = try await store.operationStatistics()
                        #expect(statistics.reduce(0) { $0 + $1.count } <= 2000)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.flush()
        #expect(try await store.count() == 2000)
        #expect(store.statistics == WriterStatistics(written: 6000))
        try await store.close()
    }

    @Test func deletingLeavesAnEmptyStoreThatWorks() async throws {
        let store = try ActivityStore(path: folder.file())
        for event in Events.call(1) { store.record(event) }
        try await store.deleteAll()
        #expect(try await store.count() == 0)
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_event") == "0")
        for event in Events.call(2) { store.record(event) }
        try await store.flush()
        #expect(try await store.calls().map(\.id) == [Events.id(2)])
        try await store.close()
    }

    @Test func closingWritesWhatIsQueuedAndEndsTheStore() async throws {
        let store = try ActivityStore(path: folder.file())
        for event in Events.call(1) { store.record(event) }
        try await store.close()
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_event") == "3")
        let session = "SELECT written, dropped, failed, closed_at IS NOT NULL FROM net_session"
        #expect(try Command.sqlite(folder.file(), session) == "3|0|0|1")
        store.record(Events.event(2, 1, .started(requestBytes: nil)))
        #expect(store.statistics.dropped == 1)
        let flush = await #expect(throws: StoreError.self) { try await store.flush() }
        #expect(flush?.code == .closed)
        let query = await #expect(throws: StoreError.self) { try await store.count() }
        #expect(query?.code == .closed)
    }

    @Test(.timeLimit(.minutes(1))) func aStoreThatIsLetGoStillWritesWhatIsQueued() async throws {
        var store: ActivityStore? = try ActivityStore(path: folder.file())
        for number in 0..<100 { for event in Events.call(number) { store?.record(event) } }
        store = nil
        // Opening again shares the file with the writer that is finishing; its session is closed once it has ended.
        let again = try ActivityStore(path: folder.file())
        while try await again.sessions().last?.closedAt == nil { await Task.yield() }
        #expect(try await again.count() == 100)
        try await again.close()
    }

    @Test func twoStoresShareOneFile() async throws {
        let first = try ActivityStore(path: folder.file())
        let second = try ActivityStore(path: folder.file())
        for number in 0..<200 {
            for event in Events.call(number) { (number % 2 == 0 ? first : second).record(event) }
        }
        try await first.flush()
        try await second.flush()
        #expect(try await first.count() == 200)
        try await first.close()
        #expect(try await second.count() == 200)
        try await second.close()
        #expect(try Command.sqlite(folder.file(), "SELECT sum(written), count(*) FROM net_session") == "600|2")
    }
}
