import Foundation
import NetCore
import Testing

@testable import NetStore

struct ActivityStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func tenThousandEventsAreReadByTheSQLiteProgram() async throws {
        let store = try ActivityStore(at: folder.file())
        for number in 0..<3334 { for event in Events.call(number) { store.record(event) } }
        try await store.flush()
        #expect(store.statistics == WriterStatistics(written: 10_002))
        #expect(try await store.count() == 3334)
        let sql = "SELECT count(*), count(DISTINCT uid), max(id), sum(outcome = 1), sum(attempts) FROM net_item"
        #expect(try Command.sqlite(folder.file(), sql) == "3334|3334|3334|3334|3334")
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_open") == "0")
        #expect(
            try Command.sqlite(folder.file(), "SELECT sum(calls), sum(response_bytes) FROM net_hour") == "3334|6668000")
        try await store.close()
        #expect(!FileManager.default.fileExists(atPath: folder.file() + "-wal"), "closing empties the log")
        #expect(try Command.sqlite(folder.file(), sql) == "3334|3334|3334|3334|3334")
        let check = "PRAGMA integrity_check; INSERT INTO net_search (net_search) VALUES ('integrity-check')"
        #expect(try Command.run("/usr/bin/env", ["sqlite3", folder.file(), check]).output == "ok\n")
    }

    @Test func aCallIsStoredWithItsAttempts() async throws {
        let store = try ActivityStore(at: folder.file())
        let error = NetError(.timeout, phase: .waiting, message: "no first byte within 5 s")
        var metrics = TransferMetrics(total: .milliseconds(40), requestBytes: 3, responseBytes: 9, version: "2")
        metrics.resolved = .milliseconds(1)
        metrics.connected = .milliseconds(3)
        metrics.secured = .milliseconds(10)
        metrics.requestStarted = .milliseconds(11)
        metrics.requestSent = .milliseconds(13)
        metrics.firstByte = .milliseconds(31)
        metrics.remoteAddress = "127.0.0.1:8080"
        let trace = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
        var second = ActivityEvent.Attempt(number: 2, status: 201, metrics: metrics, trace: trace)
        (second.method, second.url, second.start) = (.get, "https://other.example/x", .milliseconds(300))
        let kinds: [ActivityEvent.Kind] = [
            .started(requestBytes: 3), .attemptEnded(.init(number: 1, error: error)),
            .retrying(attempt: 2, after: .milliseconds(250), reason: "timeout"),
            .attemptEnded(second), .cache(.init(.store, .cacheable)), .responded(status: 201),
            .ended(.completed(status: 201, responseBytes: 9)),
        ]
        for (index, kind) in kinds.enumerated() {
            store.record(
                Events.event(
                    7, index + 1, kind, elapsed: .milliseconds(index * 100), method: .post, operation: "addItem"))
        }
        try await store.flush()
        let detail = try #require(try await store.item(uid: Events.id(7)))
        let item = detail.item
        #expect(item.id == 1)
        #expect(item.kind == .call)
        #expect(item.outcome == .completed)
        #expect(item.status == 201)
        #expect(item.attempts == 2)
        #expect(item.retries == 1)
        #expect(item.duration == .milliseconds(600))
        #expect(item.operation == "addItem")
        #expect(item.name == nil)
        #expect(item.method == "POST")
        #expect(item.startedAt == Events.start.addingTimeInterval(7))
        #expect(item.host == "api.example.com")
        #expect(item.requestBytes == 3)
        #expect(item.responseBytes == 9)
        #expect(item.failure == nil)
        #expect(item.cache == "store")
        #expect(item.cacheReason == "cacheable")
        #expect(item.version == "2")
        #expect(item.isReused == false)
        #expect(item.remoteAddress == "127.0.0.1:8080")
        try #require(detail.attempts.map(\.number) == [1, 2])
        let first = detail.attempts[0]
        #expect(first.failure == StoredFailure(code: "timeout", phase: "waiting", message: error.message))
        #expect(first.retryDelay == .milliseconds(250))
        #expect(first.retryReason == "timeout")
        #expect(first.method == "POST")
        #expect(first.url == item.url)
        let last = detail.attempts[1]
        #expect(last.method == "GET")
        #expect(last.url == "https://other.example/x")
        #expect(last.start == .milliseconds(300))
        #expect(last.trace == trace)
        #expect(last.duration == .milliseconds(40))
        let expected = metrics.phases
        #expect(last.phases.lookup == expected.lookup)
        #expect(last.phases.connect == expected.connect)
        #expect(last.phases.secure == expected.secure)
        #expect(last.phases.sending == .milliseconds(2))
        #expect(last.phases.waiting == .milliseconds(18))
        #expect(last.phases.download == .milliseconds(9))
        #expect(last.phases.queued == nil)
        #expect(try await store.item(id: 1) == detail)
        #expect(try await store.item(uid: Events.id(8)) == nil)
        try await store.close()
    }

    @Test func theOnlyAttemptOfACallStandsInItsRow() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(1))
        let attempts = try #require(try await store.item(id: 1)).attempts
        try #require(attempts.count == 1)
        #expect(attempts[0].number == 1)
        #expect(attempts[0].status == 200)
        #expect(attempts[0].duration == .milliseconds(12))
        #expect(attempts[0].isReused == true)
        #expect(attempts[0].responseBytes == 2000)
        #expect(attempts[0].url == "https://api.example.com/items/1?page=2")
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_attempt") == "0")
        try await store.close()
    }

    @Test func eachOutcomeHasItsName() async throws {
        let store = try ActivityStore(at: folder.file())
        let lost = NetError(.connectionLost, phase: .receiving, message: "the peer went away")
        let outcomes: [ActivityEvent.Outcome] = [
            .completed(status: 200, responseBytes: 1), .rejected(status: 404, responseBytes: 2), .failed(lost),
            .cancelled,
        ]
        for (number, outcome) in outcomes.enumerated() {
            for event in Events.call(number, outcome: outcome) { store.record(event) }
        }
        store.record(Events.event(4, 1, .started(requestBytes: nil)))
        try await store.flush()
        let open = try Command.sqlite(folder.file(), "SELECT time, kind, method FROM net_under_way")
        #expect(open == "2026-01-01 00:00:04.000|call|GET")
        try await store.close()
        let rows = try Command.sqlite(folder.file(), "SELECT outcome, error FROM net_list ORDER BY id")
        #expect(rows == "completed|\nrejected|\nfailed|connectionLost\ncancelled|\ncutOff|")
        let recent = try Command.sqlite(folder.file(), "SELECT time, outcome, method FROM net_list LIMIT 1 OFFSET 1")
        #expect(recent == "2026-01-01 00:00:03.000|cancelled|GET")
        let records = "SELECT source, kind, statusCode, durationMs, errorSummary, rawValue FROM net_record WHERE id = 3"
        #expect(
            try Command.sqlite(folder.file(), records)
                == "http|failed|200|12.0|connectionLost: the peer went away|call.failed")
    }

    @Test func aCallWhoseBeginningWasDroppedIsStoredAllTheSame() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(
            Array(Events.call(1).dropFirst()), [Events.event(3, 5, .responded(status: 206))])
        let finished = try await store.items()
        try #require(finished.map(\.uid) == [Events.id(1)])
        #expect(finished[0].attempts == 1)
        #expect(
            finished[0].startedAt == Events.start.addingTimeInterval(1), "the start is the event's time less its age")
        #expect(try await store.itemsUnderWay().map(\.status) == [206])
        try await store.close()
    }

    @Test func anUnfinishedCallIsListedUntilItEndsAndStoredOnce() async throws {
        let store = try ActivityStore(at: folder.file())
        let events = Events.call(1)
        try await store.write([events[0]])
        #expect(try await store.itemsUnderWay().map(\.uid) == [Events.id(1)])
        #expect(try await store.items().isEmpty)
        try await store.write([events[1]])
        let detail = try #require(try await store.item(uid: Events.id(1)))
        #expect(detail.item.id == 0)
        #expect(detail.item.outcome == nil)
        #expect(detail.attempts.map(\.status) == [200])
        try await store.write([events[2]])
        #expect(try await store.itemsUnderWay().isEmpty)
        #expect(try await store.items().map(\.attempts) == [1])
        try await store.close()
    }

    @Test(.timeLimit(.minutes(5))) func aCallThatHangsIsWrittenWithoutAFlush() async throws {
        let store = try ActivityStore(at: folder.file())
        store.record(Events.call(1)[0])
        while try await store.itemsUnderWay().isEmpty, !Task.isCancelled { await Task.yield() }
        try await store.close()
    }

    @Test func recordingReturnsTheEntryOfTheCall() async throws {
        let store = try ActivityStore(at: folder.file())
        let events = Events.call(1)
        #expect(try await store.recorded(events[0])?.outcome == nil)
        #expect(try await store.recorded(events[1])?.id == 0)
        let item = try #require(try await store.recorded(events[2]))
        #expect(item.id == 1)
        #expect(item.outcome == .completed)
        try await store.close()
    }

    @Test func aCallThatIsRecordedTwiceIsStoredOnce() async throws {
        let store = try ActivityStore(at: folder.file())
        for _ in 0..<2 { for event in Events.call(1) { store.record(event) } }
        try await store.close()
        let sql = "SELECT (SELECT count(*) FROM net_item), (SELECT sum(calls) FROM net_hour)"
        #expect(try Command.sqlite(folder.file(), sql) == "1|1")
    }

    @Test func tagsAndOddTextComeBackAsTheyWere() async throws {
        let store = try ActivityStore(at: folder.file())
        let metadata = RequestMetadata(name: "läs \"alt\" \u{0} 🦉", operationID: "", tags: ["a/b", "\"", "ü\n"])
        for (index, kind) in [ActivityEvent.Kind.started(requestBytes: nil), .ended(.cancelled)].enumerated() {
            store.record(
                ActivityEvent(
                    call: Events.id(1), sequence: index + 1, date: Events.start, elapsed: .zero, method: .get,
                    url: "https://user@Example.com:8443?q=';DROP TABLE net_item;--", metadata: metadata, kind: kind))
        }
        try await store.flush()
        let item = try #require(try await store.items().first)
        #expect(item.name == metadata.name)
        #expect(item.operation == "")
        #expect(item.tags == metadata.tags)
        #expect(item.host == "example.com:8443")
        try await store.close()
        let tag = "SELECT json_extract(text, '$[0]') FROM net_name JOIN net_item ON tags = net_name.id"
        #expect(try Command.sqlite(folder.file(), tag) == "a/b")
    }

    @Test func eightTasksRecordWhileQueriesRun() async throws {
        let store = try ActivityStore(at: folder.file())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<250 { for event in Events.call(task * 250 + number) { store.record(event) } }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<20 {
                        let items = try await store.items(limit: 50)
                        #expect(items.map(\.id) == items.map(\.id).sorted(by: >))
                        let statistics = try await store.statistics()
                        #expect(statistics.reduce(0) { $0 + $1.calls } <= 2000)
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
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(1), [Events.call(3)[0]])
        try await store.pin(1)
        try await store.deleteAll()
        #expect(try await store.count() == 0)
        #expect(try await store.itemsUnderWay().isEmpty)
        #expect(try await store.search(words: "items").isEmpty)
        #expect(try await store.statistics().isEmpty)
        try await store.write(Events.call(2))
        #expect(try await store.items().map(\.uid) == [Events.id(2)])
        #expect(try await store.items().map(\.isPinned) == [false])
        try await store.close()
    }

    @Test func deletingTakesTheNamesAlongAndOtherWritersNotice() async throws {
        let first = try ActivityStore(at: folder.file())
        let second = try ActivityStore(at: folder.file())
        try await first.write(Events.call(1, operation: "private"))
        try await second.write(Events.call(2, operation: "other"))
        try await second.deleteAll()
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_name") == "0")
        try await second.write(Events.call(3, operation: "new"))
        try await first.write(Events.call(4, operation: "private"))
        #expect(try await first.items().map(\.operation) == ["private", "new"])
        #expect(try await first.items().map(\.method) == ["GET", "GET"])
        try await first.close()
        try await second.close()
    }

    @Test func closingWritesWhatIsQueuedAndEndsTheStore() async throws {
        let store = try ActivityStore(at: folder.file())
        for event in Events.call(1) { store.record(event) }
        try await store.close()
        try await store.close()
        let run = "SELECT written, dropped_calls, failed, ended_at IS NOT NULL, was_cut_off FROM net_run"
        #expect(try Command.sqlite(folder.file(), run) == "3|0|0|1|0")
        store.record(Events.event(2, 1, .started(requestBytes: nil)))
        #expect(store.statistics.dropped == .init(calls: 1))
        let flush = await #expect(throws: StoreError.self) { try await store.flush() }
        #expect(flush?.code == .closed)
        let query = await #expect(throws: StoreError.self) { try await store.count() }
        #expect(query?.code == .closed)
    }

    @Test(.timeLimit(.minutes(5))) func aStoreThatIsLetGoStillWritesWhatIsQueued() async throws {
        var store: ActivityStore? = try ActivityStore(at: folder.file())
        for number in 0..<100 { for event in Events.call(number) { store?.record(event) } }
        store = nil
        // Reopening shares the file with the finishing writer; that writer's run has ended once it is done.
        let again = try ActivityStore(at: folder.file())
        while try await again.runs().last?.state != .ended, !Task.isCancelled { await Task.yield() }
        #expect(try await again.count() == 100)
        try await again.close()
    }

    @Test func twoStoresShareOneFile() async throws {
        let first = try ActivityStore(at: folder.file())
        let second = try ActivityStore(at: folder.file())
        for number in 0..<200 {
            for event in Events.call(number, operation: "op\(number % 7)") {
                (number % 2 == 0 ? first : second).record(event)
            }
        }
        try await first.flush(.disk)
        try await second.flush()
        #expect(try await first.count() == 200)
        try await first.close()
        #expect(try await second.statistics().reduce(0) { $0 + $1.calls } == 200)
        #expect(Set(try await second.items(limit: 200).compactMap(\.operation)).count == 7)
        try await second.close()
        #expect(try Command.sqlite(folder.file(), "SELECT sum(written), count(*) FROM net_run") == "600|2")
        #expect(try Command.sqlite(folder.file(), "SELECT max(id), count(*) FROM net_item") == "200|200")
    }

    @Test func theDefaultPlaceIsTheStateFolder() throws {
        let path = try ActivityStore.defaultPath(environment: [
            "XDG_STATE_HOME": folder.path + "/a/b", "HOME": "/nowhere",
        ])
        #expect(path == folder.path + "/a/b/swift-net/activity.sqlite")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/a/b/swift-net")
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let home = try ActivityStore.defaultPath(
            environment: ["XDG_STATE_HOME": "relative", "HOME": "/home/ann"], makesFolder: false)
        #expect(home == "/home/ann/.local/state/swift-net/activity.sqlite")
        let error = try #require(throws: StoreError.self) { try ActivityStore.defaultPath(environment: [:]) }
        #expect(error.code == .invalidPath)
    }
}
