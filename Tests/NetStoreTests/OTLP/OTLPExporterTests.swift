import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

@testable import NetStore

/// The requests of an exporter, and its stored position.
@Suite(.timeLimit(.minutes(5)))
struct OTLPExporterTests {
    private let folder: TemporaryFolder
    private let collector = Collector()

    init() throws { folder = try TemporaryFolder() }

    private func fill(_ numbers: Range<Int>, _ store: ActivityStore) async throws {
        for number in numbers { try await store.write(Events.call(number)) }
    }

    private func exporter(
        _ store: ActivityStore, _ change: (inout OTLPExporter.Configuration) -> Void = { _ in },
        answering answer: @escaping Collector.Answer = { _, _ in Collector.accepted }
    ) throws -> OTLPExporter {
        try OTLPExporter(store: store, client: collector.client(answer), configuration: .test(change))
    }

    private func cursor(_ columns: String = "position || ' ' || sent || ' ' || rejected || ' ' || missed") throws
        -> String
    {
        try Command.sqlite(folder.file(), "SELECT name || ' ' || \(columns) FROM net_cursor ORDER BY name")
    }

    @Test func `Each entry is sent once, in the order of the commits, also after a restart`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<5, store)
        let first = try await exporter(store) { $0.maximumBatch = 4 }.export()
        #expect(collector.items == [1, 2, 3, 4, 5])
        #expect(collector.requests.count == 3)
        #expect(first.sent == 10)
        #expect(first.requests == 3)
        #expect(first.position == 5)
        #expect(first.lastError == nil)
        try await fill(5..<7, store)
        let second = try exporter(store)
        #expect(try await second.export().sent == 4)
        #expect(try await second.export().sent == 4, "nothing is left")
        #expect(collector.items == [1, 2, 3, 4, 5, 6, 7])
        #expect(try cursor() == "otlp 7 14 0 0")
        try await store.close()
    }

    @Test func `A request names the run and is compressed`() async throws {
        let store = try ActivityStore(
            path: folder.file(),
            configuration: ActivityStore.Configuration(retention: .none, version: "1.2.3"))
        try await fill(0..<1, store)
        let resource = ["deployment.environment.name": "test", "process.pid": "replaced"]
        try await exporter(store) {
            $0.headers[.authorization] = "Bearer t0ken"
            $0.resource = resource
        }.export()
        let request = try #require(collector.requests.first)
        #expect(request.headers[.contentEncoding] == "gzip")
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.headers[.authorization] == "Bearer t0ken")
        #expect(request.path == "/v1/traces")
        let group = try #require(request.body["resourceSpans"]?.arrayValue?.first?["resource"])
        #expect(group.attribute("service.version") == ["stringValue": "1.2.3"])
        #expect(group.attribute("service.name")?["stringValue"]?.stringValue?.isEmpty == false)
        #expect(group.attribute("service.instance.id")?["stringValue"]?.stringValue?.count == 36)
        #expect(group.attribute("telemetry.sdk.language") == ["stringValue": "swift"])
        #expect(group.attribute("deployment.environment.name") == ["stringValue": "test"])
        #expect(group.attribute("process.pid") == ["stringValue": "replaced"])
        try await store.close()
    }

    @Test func `Spans are those of the stored rows`() async throws {
        let store = try ActivityStore(at: folder.file())
        let trace = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        store.record(Events.event(1, 1, .started(requestBytes: nil)))
        var failed = ActivityEvent.Attempt(number: 1, status: 503)
        (failed.start, failed.trace) = (.zero, trace)
        store.record(Events.event(1, 2, .attemptEnded(failed), elapsed: .milliseconds(10)))
        let retry = ActivityEvent.Kind.retrying(attempt: 1, after: .milliseconds(20), reason: "status 503")
        store.record(Events.event(1, 3, retry, elapsed: .milliseconds(10)))
        var sent = ActivityEvent.Attempt(number: 2, status: 200)
        (sent.start, sent.trace) = (.milliseconds(30), trace?.child(random: NetRandom { 77 }))
        store.record(Events.event(1, 4, .attemptEnded(sent), elapsed: .milliseconds(40)))
        store.record(
            Events.event(1, 5, .ended(.completed(status: 200, responseBytes: 0)), elapsed: .milliseconds(41)))
        for event in Events.socket(1) { store.record(event) }
        try await store.flush()
        try await exporter(store).export()
        let spans = collector.requests.flatMap(\.elements)
        try #require(spans.count == 4)
        #expect(spans.allSatisfy { $0["traceId"] == "0af7651916cd43dd8448eb211c80319c" })
        #expect(spans[1]["spanId"] == "b7ad6b7169203331")
        #expect(spans[2]["spanId"] == "000000000000004d")
        #expect(spans[1...].allSatisfy { $0["parentSpanId"] == spans[0]["spanId"] })
        #expect(spans[0]["events"]?.arrayValue?.count == 1)
        #expect(spans[2].attribute("http.request.resend_count") == ["intValue": "1"])
        let start = try #require(spans[0]["startTimeUnixNano"]?.stringValue.flatMap { Int64($0) })
        let end = spans[1]["endTimeUnixNano"]?.stringValue.flatMap { Int64($0) }
        #expect(end == start + 10_000_000)
        #expect(spans[3]["name"] == "WebSocket")
        #expect(spans[3].attribute("network.peer.port") == ["intValue": "443"])
        try await store.close()
    }

    @Test func `Each collector has a cursor of its own, and may begin again`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<3, store)
        for name in ["one", "two", "one"] { try await exporter(store) { $0.cursor = name }.export() }
        #expect(collector.items == [1, 2, 3, 1, 2, 3])
        let again = try exporter(store) { ($0.cursor, $0.startsOver) = ("one", true) }
        try await again.export()
        try await again.export()
        #expect(collector.items.count == 9)
        #expect(try cursor() == "one 3 12 0 0\ntwo 3 6 0 0")
        try await store.close()
    }

    @Test func `Entries that were deleted before are counted, those before the cursor began aren't`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<10, store)
        try Command.changeWithSQLite(folder.file(), "PRAGMA busy_timeout = 5000; DELETE FROM net_item WHERE id <= 3")
        let exporter = try exporter(store)
        #expect(try await exporter.export().missed == 0)
        try await fill(10..<20, store)
        try Command.changeWithSQLite(
            folder.file(), "PRAGMA busy_timeout = 5000; DELETE FROM net_item WHERE id IN (12, 13, 20)")
        #expect(try await exporter.export().missed == 3)
        #expect(collector.items == [4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19])
        #expect(try cursor() == "otlp 20 28 0 3")
        try await store.close()
    }

    @Test func `After everything was deleted, what comes is sent`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<3, store)
        let exporter = try exporter(store)
        try await exporter.export()
        try await fill(3..<5, store)
        try await store.deleteAll()
        try await fill(5..<7, store)
        #expect(try await exporter.export().missed == 2)
        #expect(collector.items == [1, 2, 3, 6, 7])
        #expect(try cursor("position || ' ' || deletions") == "otlp 7 1")
        // A file whose numbers start again: a position beyond them has no meaning.
        let sql = "UPDATE net_item SET id = id - 5; UPDATE sqlite_sequence SET seq = 2 WHERE name = 'net_item'"
        try Command.changeWithSQLite(folder.file(), "PRAGMA busy_timeout = 5000; \(sql)")
        #expect(try await exporter.export().missed == 2)
        #expect(collector.items.suffix(2) == [1, 2])
        try await store.close()
    }

    @Test func `Everything may be deleted while a batch is under way`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<3, store)
        let answer: Collector.Answer = { [folder] number, _ in
            if number == 1 {
                let sql = "DELETE FROM net_item; UPDATE net_total SET items = 0, deletions = deletions + 1"
                try? Command.changeWithSQLite(folder.file(), "PRAGMA busy_timeout = 5000; \(sql)")
            }
            return Collector.accepted
        }
        let statistics = try await exporter(store, { $0.maximumBatch = 2 }, answering: answer).export()
        #expect(collector.items == [1])
        #expect(statistics.missed == 2)
        try await fill(3..<4, store)
        try await exporter(store).export()
        #expect(collector.items == [1, 4])
        try await store.close()
    }

    @Test func `A filter skips entries, and they stay skipped`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<2, store)
        try await store.write(Events.call(2, status: 500, outcome: .rejected(status: 500, responseBytes: 0)))
        let filter = try ActivityFilter("~c 5xx")
        let statistics = try await exporter(store) { $0.filter = filter }.export()
        #expect(collector.items == [3])
        #expect(statistics.skipped == 2)
        #expect(try await exporter(store).export().sent == 0)
        try await store.close()
    }

    @Test func `Lines of logs are records with a cursor of their own`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<1, store)
        for (number, label) in [(50, "app"), (51, "net"), (52, "app")] {
            store.record(
                PendingLogLine(
                    Events.id(number), occurredAt: 5, level: 2, label: label, message: "hello", detail: nil,
                    owner: Events.id(0)))
        }
        try await store.flush()
        #expect(try await exporter(store) { $0.signal = .logs }.export().sent == 3)
        #expect(try await exporter(store).export().sent == 2)
        let request = try #require(collector.requests.first)
        #expect(request.path == "/v1/logs")
        #expect(request.elements.count == 3)
        #expect(request.body["resourceLogs"]?.arrayValue?.first?["scopeLogs"]?.arrayValue?.count == 2)
        #expect(request.elements.allSatisfy { $0["spanId"] == collector.requests[1].elements[0]["spanId"] })
        #expect(try cursor() == "otlp 4 2 0 0\notlp.logs 4 3 0 0")
        try await store.close()
    }

    @Test func `Requests of exporters aren't sent, though the store hears of them`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<2, store)
        let client = collector.client(listeners: [store])
        let exporter = try OTLPExporter(store: store, client: client, configuration: .test())
        try await exporter.export()
        try await store.flush()
        #expect(try await store.count() == 3)
        #expect(try await exporter.export().skipped == 1)
        #expect(collector.items == [1, 2])
        #expect(collector.requests.count == 1)
        try await store.close()
    }

    @Test func `A batch has at most so many bytes, but for a single entry`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<6, store)
        try await exporter(store) { $0.maximumBytes = 5000 }.export()
        #expect(collector.items == [1, 2, 3, 4, 5, 6])
        let sizes = collector.requests.map(\.items.count)
        #expect(sizes.allSatisfy { $0 < 6 })
        #expect(sizes.count > 1)
        try await exporter(store) { ($0.maximumBytes, $0.cursor) = (1, "small") }.export()
        #expect(collector.requests.dropFirst(sizes.count).map(\.items.count) == [1, 1, 1, 1, 1, 1])
        try await store.close()
    }

    // MARK: Files

    @Test func `A file of version 1 gets its cursor, and is left alone without one`() async throws {
        let connection = try SQLiteConnection(at: folder.file())
        try connection.execute("PRAGMA journal_mode = WAL")
        try Migrator(migrations: Array(StoreSchema.migrations.prefix(1))).migrate(connection)
        try connection.execute(
            """
            INSERT INTO net_name (id, text) VALUES (1, 'GET');
            INSERT INTO net_item (uid, kind, run, started_at, method, url, attempts)
                VALUES (x'00000000000000000000000000000001', 1, 1, 5, 1, 'https://a.test/', 1);
            """)
        connection.close()
        let reader = try ActivityReader(path: folder.file())
        #expect(try await reader.items().count == 1)
        await reader.close()
        let forgetful = try OTLPExporter(
            path: folder.file(), client: collector.client(), configuration: .test { $0.cursor = nil })
        #expect(try await forgetful.export().sent == 2)
        #expect(try await forgetful.export().sent == 2, "it remembers while it lives")
        await forgetful.close()
        #expect(try Command.sqlite(folder.file(), "SELECT max(version) FROM net_schema") == "1")
        let exporter = try OTLPExporter(path: folder.file(), client: collector.client(), configuration: .test())
        #expect(try await exporter.export().sent == 2)
        await exporter.close()
        #expect(try cursor() == "otlp 1 2 0 0")
        let newest = "\(StoreSchema.migrations.count)"
        #expect(try Command.sqlite(folder.file(), "SELECT max(version) FROM net_schema") == newest)
    }

    @Test func `A missing file is not made`() throws {
        let error = #expect(throws: OTLPError.self) {
            try OTLPExporter(path: folder.file(), client: collector.client(), configuration: .test())
        }
        #expect(error?.storeError?.code == .notFound)
        #expect(!FileManager.default.fileExists(atPath: folder.file()))
    }

    @Test func `Two exporters with one cursor notice each other`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<3, store)
        let answer: Collector.Answer = { [folder] _, _ in
            let sql = "PRAGMA busy_timeout = 5000; UPDATE net_cursor SET position = 3"
            try? Command.changeWithSQLite(folder.file(), sql)
            return Collector.accepted
        }
        let exporter = try exporter(store, answering: answer)
        let error = await #expect(throws: OTLPError.self) { try await exporter.export() }
        #expect(error?.code == .cursorMoved)
        #expect(error?.message.contains("\"otlp\"") == true)
        try await store.close()
    }

    // MARK: Following

    @Test func `run sends what comes, from another process too, and ends with the store`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await fill(0..<2, store)
        let exporter = try exporter(store) { $0.interval = .zero }
        let other = try ActivityStore(at: folder.file())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await exporter.run() }
            try await fill(2..<3, store)
            try await fill(3..<4, other)
            while exporter.statistics.position < 4, !Task.isCancelled { await Task.yield() }
            let busy = await #expect(throws: OTLPError.self) { try await exporter.export() }
            #expect(busy?.code == .busy)
            try await other.close()
            try await store.close()
            try await group.waitForAll()
        }
        #expect(collector.items == [1, 2, 3, 4])
        #expect(try cursor() == "otlp 4 8 0 0")
    }

    @Test func `Cancellation ends run, wherever it is`() async throws {
        let store = try ActivityStore(at: folder.file())
        let task = Task { [exporter = try exporter(store)] in try await exporter.run() }
        try await fill(0..<1, store)
        while collector.items.isEmpty, !Task.isCancelled { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: OTLPError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await store.close()
        #expect(try ["otlp 1 2 0 0", "otlp 0 0 0 0"].contains(cursor()))
    }
}
