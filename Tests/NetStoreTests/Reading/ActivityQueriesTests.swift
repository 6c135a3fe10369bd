import Foundation
import NetCore
import Testing

@testable import NetStore

@Suite struct ActivityQueriesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ calls: [[ActivityEvent]]) async throws -> ActivityStore {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array(calls.joined()))
        return store
    }

    private func numbers(_ items: [StoredItem]) -> [Int] {
        items.map { Int($0.startedAt.timeIntervalSince(Events.start).rounded()) }
    }

    @Test func entriesComeNewestFirstPageByPage() async throws {
        let store = try await store((0..<25).map { Events.call($0) })
        var seen: [Int] = []
        var last: Int64?
        while true {
            let page = try await store.items(limit: 10, before: last)
            if page.isEmpty { break }
            seen += numbers(page)
            last = page.last?.id
        }
        #expect(seen == (0..<25).reversed())
        #expect(try await store.items(limit: 0).isEmpty)
        #expect(try await store.items(limit: -1).isEmpty)
        try await store.close()
    }

    @Test func outlinesHaveAttemptsAndFieldsButNoBodies() async throws {
        let store = try ActivityStore(at: folder.file())
        let body = CaptureContent.Body(
            bytes: Bytes("{\"a\":\"long enough to be no gzip\"}".utf8), size: 33, isCut: false, type: "application/json"
        )
        store.record(
            PendingCapture(
                Events.id(0), number: 1, status: 200, requestHeaders: "a: 1", responseHeaders: "b: 2", request: body,
                response: body))
        for event in Events.socket(2) { store.record(event) }
        try await store.write(Events.call(0), Events.call(1, status: 404))
        // Bodies aren't read, so a damaged one has no effect.
        try Command.changeWithSQLite(folder.file(), "UPDATE net_body SET is_compressed = 1")
        let outlines = try await store.outlines()
        let items = try await store.items()
        #expect(outlines.map(\.item) == items)
        try #require(items.count == 3)
        let call = try #require(outlines.first { $0.item.uid == Events.id(0) })
        let exchange = try #require(call.exchanges.first)
        #expect(exchange.number == 1)
        #expect(exchange.status == 200)
        #expect(exchange.request == nil)
        #expect(exchange.response == nil)
        #expect(exchange.requestHeaders.map(\.name) == ["a"])
        #expect(exchange.responseHeaders.map(\.value) == ["2"])
        #expect(call.attempts.map(\.status) == [200])
        #expect(call.owned.isEmpty)
        let filter = try ActivityFilter("~c 404")
        #expect(try await store.outlines(matching: filter).map(\.item.uid) == [Events.id(1)])
        #expect(try await store.outlines(limit: 1, before: items[0].id).map(\.item.id) == [items[1].id])
        await #expect(throws: StoreError.self) { try await store.item(uid: Events.id(0)) }
        try await store.close()
    }

    @Test func aFilterNarrowsTheEntries() async throws {
        let store = try await store([
            Events.call(0, operation: "getUser"), Events.call(1, status: 404, operation: "getUser"), Events.call(2),
        ])
        let operation = ActivityFilter.operation("getuser")
        #expect(numbers(try await store.items(matching: operation)) == [1, 0])
        let filter = try operation & ActivityFilter("~c 404 | ~c 405")
        #expect(numbers(try await store.items(matching: filter)) == [1])
        #expect(try await store.count(matching: filter) == 1)
        let none = try await store.items(matching: filter, before: 2)
        #expect(none.isEmpty)
        let figures = try await store.statistics(by: .all, matching: !operation)
        #expect(figures.map(\.calls) == [1])
        try await store.close()
    }

    @Test(arguments: [1, 2, 3, 19, 20, 21, 99, 100, 101, 250])
    func exactPercentilesAreDurationsOfTheNearestRank(count: Int) async throws {
        let durations = (1...count).map { Duration.milliseconds($0 * 3) }
        let store = try await store(durations.shuffled().enumerated().map { Events.call($0, took: $1) })
        let exact = try #require(try await store.statistics(by: .all, exact: true).first)
        func rank(_ share: Int) -> Duration { durations[(count * share + 99) / 100 - 1] }
        #expect(exact.calls == count)
        #expect(exact.group == nil)
        #expect(exact.p50 == rank(50))
        #expect(exact.p95 == rank(95))
        #expect(exact.p99 == rank(99))
        let rolledUp = try #require(try await store.statistics(by: .all).first)
        for (near, exactly) in [(rolledUp.p50, exact.p50), (rolledUp.p95, exact.p95), (rolledUp.p99, exact.p99)] {
            let ratio = try #require(near) / (try #require(exactly))
            #expect(ratio > 0.95)
            #expect(ratio < 1.05)
        }
        try await store.close()
    }

    @Test func rollUpsAgreeWithTheCalls() async throws {
        let lost = NetError(.connectionLost, phase: .receiving, message: "gone")
        let store = try await store([
            Events.call(0, operation: "a"), Events.call(1, operation: "a", url: "http://b/"),
            Events.call(2, status: 404, outcome: .rejected(status: 404, responseBytes: 7)),
            Events.call(3, operation: "b", outcome: .failed(lost)),
            Events.call(3700, operation: "b", outcome: .cancelled),
            [Events.call(9)[0]],
        ])
        for grouping in StoredStatistics.Grouping.allCases {
            var exact = try await store.statistics(by: grouping, exact: true)
            var rolledUp = try await store.statistics(by: grouping)
            for index in exact.indices { (exact[index].p50, exact[index].p95, exact[index].p99) = (nil, nil, nil) }
            for index in rolledUp.indices {
                (rolledUp[index].p50, rolledUp[index].p95, rolledUp[index].p99) = (nil, nil, nil)
            }
            #expect(exact == rolledUp, "\(grouping)")
        }
        let operations = try await store.statistics()
        try #require(operations.map(\.group) == ["a", "b", nil])
        #expect(operations.map(\.calls) == [2, 2, 1])
        #expect(operations[1].failed == 1)
        #expect(operations[1].cancelled == 1)
        #expect(operations[1].errorRate == 0.5)
        #expect(operations[0].reuseRate == 1)
        #expect(operations[0].responseBytes == 4000)
        let hours = try await store.statistics(by: .hour)
        #expect(hours.map(\.group) == ["2026-01-01T01:00:00Z", "2026-01-01T00:00:00Z"])
        #expect(hours.map(\.calls) == [1, 4])
        let later = Events.start.addingTimeInterval(3600)
        #expect(try await store.statistics(by: .all, since: later).map(\.calls) == [1])
        #expect(try await store.statistics(by: .all, until: Events.start, exact: true).map(\.calls) == [4])
        #expect(try await store.statistics(by: .host).map(\.group) == ["api.example.com", "b"])
        #expect(try await store.statistics(by: .run).map(\.group) == ["1"])
        try await store.close()
    }

    @Test func wordsAreFoundNewestFirst() async throws {
        let lost = NetError(.connectionLost, phase: .receiving, message: "the peer went away")
        let store = try await store([
            Events.call(0), Events.call(1, url: "https://x.example/other"), Events.call(2, outcome: .failed(lost)),
            Events.call(3),
        ])
        #expect(numbers(try await store.search(words: "items")) == [3, 2, 0])
        #expect(numbers(try await store.search(words: "api ite", limit: 1)) == [3])
        #expect(numbers(try await store.search(words: "items", before: 4)) == [2, 0])
        #expect(numbers(try await store.search(words: "peer away")) == [2])
        #expect(try await store.search(words: "nothing").isEmpty)
        #expect(try await store.search(words: "\" OR *").isEmpty)
        try await store.close()
    }

    @Test func anEntryIsFoundByTheBeginningOrTheEndOfItsID() async throws {
        let store = try await store([Events.call(0), Events.call(1), [Events.call(2)[0]]])
        let id = Events.id(0).description
        for text in [id, String(id.suffix(8)), String(id.prefix(13)).uppercased()] {
            #expect(try await store.items(identifiedBy: text).map(\.uid) == [Events.id(0)], "\(text)")
        }
        #expect(try await store.items(identifiedBy: Events.id(2).description).map(\.id) == [0])
        #expect(try await store.items(identifiedBy: String(id.prefix(6))).count == 2)
        #expect(try await store.items(identifiedBy: "%").isEmpty)
        #expect(try await store.items(identifiedBy: "").isEmpty)
        try await store.close()
    }

    @Test func aReaderOfItsOwnSeesWhatIsCommitted() async throws {
        let store = try await store([Events.call(1)])
        let reader = try ActivityReader(path: folder.file())
        #expect(try await reader.count() == 1)
        try await store.write(Events.call(2))
        #expect(try await reader.items().count == 2)
        #expect(try await reader.runs().map(\.state) == [.running])
        await reader.close()
        try await store.close()
    }
}
