import Foundation
import NetCore
import Testing

@testable import NetStore

/// Edge cases of pages, searches, statistics and tails.
@Suite(.timeLimit(.minutes(5))) struct ReadingLimitsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func database(_ count: Int) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(withTablesAt: folder.file())
        let items = try ItemStatement(on: connection, names: NameTable(on: connection))
        var totals = HourTotals()
        let drafts = (0..<count).map { number in
            let draft = ItemDraft(ItemKey(Events.id(number), .call), startedAt: Int64(number) * 1_000_000)
            (draft.duration, draft.outcome, draft.url) = (Int64(number + 1), .completed, "https://a/item/\(number)")
            draft.status = number % 2 == 0 ? 200 : 500
            return draft
        }
        try connection.transaction { () throws(StoreError) in try items.write(drafts, run: 1, to: &totals) }
        return connection
    }

    private func ids(_ items: [StoredItem]) -> [Int64] { items.map(\.id) }

    private func condition(_ text: String) throws -> FilterCondition {
        FilterCondition(try ActivityFilter(text), now: Date(timeIntervalSince1970: 0))
    }

    // MARK: Pages

    @Test func aPageHasItsLimitAndItsBeginning() throws {
        let connection = try database(10)
        func page(_ text: String, _ limit: Int, _ before: Int64?) throws -> [Int64] {
            ids(try StoredItem.page(condition(text), limit: limit, before: before, on: connection))
        }
        #expect(try page("", 3, nil) == [10, 9, 8])
        #expect(try page("", 3, 8) == [7, 6, 5])
        #expect(try page("", 3, 1) == [])
        #expect(try page("~c 5xx", 2, nil) == [10, 8])
        #expect(try page("~c 5xx", 9, 5) == [4, 2])
        #expect(try page("", 0, nil) == [])
        #expect(try page("", -1, nil) == [])
        func search(_ limit: Int, _ before: Int64?) throws -> [Int64] {
            ids(try StoredItem.search("\"item\"", limit: limit, before: before, on: connection))
        }
        #expect(try search(2, nil) == [10, 9])
        #expect(try search(2, 3) == [2, 1])
        #expect(try search(0, nil) == [])
        #expect(try search(-1, nil) == [])
        func named(_ text: String, _ limit: Int = 9) throws -> [Int64] {
            ids(try StoredItem.all(identifiedBy: text, limit: limit, on: connection))
        }
        let id = Events.id(4).description
        #expect(try named(id) == [5])
        #expect(try named(id.uppercased()) == [5])
        #expect(try named(String(id.suffix(6))) == [5])
        #expect(try named(String(id.prefix(4)), 2) == [10, 9])
        #expect(try named(id, 0) == [])
        #expect(try named("", 1) == [])
        #expect(try named(id + "x") == [])
        #expect(try named("-") == [])
    }

    @Test func theDefaultsOfQueriesAreLimits() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array((0..<101).map { Events.call($0) }.joined()))
        for _ in 0..<101 { try await store.save(.cassette, named: "a", body: Bytes()) }
        #expect(try await store.items().count == 100)
        #expect(try await store.search(words: "items").count == 100)
        #expect(try await store.artifacts().count == 100)
        #expect(try await store.items(identifiedBy: String(Events.id(1).description.prefix(4))).count == 2)
        for _ in 0..<3 { try await ActivityStore(at: folder.file()).close() }
        #expect(try await store.runs().map(\.id) == [4, 3, 2, 1])
        #expect(try await store.runs(limit: 2).map(\.id) == [4, 3])
        #expect(try await store.runs(limit: 0).isEmpty)
        #expect(try await store.runs(limit: -1).isEmpty)
        try await store.write(Array((200..<203).map { Events.call($0)[0] }))
        #expect(try await store.itemsUnderWay().map(\.uid) == [202, 201, 200].map { Events.id($0) })
        #expect(try await store.itemsUnderWay(limit: 2).map(\.uid) == [202, 201].map { Events.id($0) })
        #expect(try await store.itemsUnderWay(limit: 0).isEmpty)
        #expect(try await store.itemsUnderWay(limit: -1).isEmpty)
        #expect(try await store.itemsUnderWay(matching: ActivityFilter("items/201")).count == 1)
        try await store.close()
    }

    @Test func aPartOfASearchSaysWhereTheNextOneEnds() throws {
        let connection = try database(10)
        func part(_ count: Int64, _ end: Int64?) throws -> ([Int64], Int64, Date?, Int64) {
            let (elements, start) = try SearchPart(condition: condition("~c 5xx"), count: count, end: end)
                .read(on: connection)
            let items = elements.compactMap { if case .item(let item) = $0 { item.id } else { nil } }
            guard case .searched(let back, let date) = elements.last else { throw CommandError(text: "no end") }
            return (items, back, date, start)
        }
        #expect(try part(4, nil) == ([10, 8], 7, StoredTime.date(6_000_000), 7))
        #expect(try part(4, 7) == ([6, 4], 3, StoredTime.date(2_000_000), 3))
        #expect(try part(4, 3) == ([2], 0, StoredTime.date(0), 0))
        #expect(try part(2, 3) == ([2], 1, StoredTime.date(0), 1))
        #expect(try part(10, 99) == ([10, 8, 6, 4, 2], 1, StoredTime.date(0), 1))
        #expect(try part(1, 1) == ([], 0, StoredTime.date(0), 0))
    }

    @Test func aSearchMayBeginAnywhereAndReadsManyAtOnce() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array((0..<10).map { Events.call($0) }.joined()))
        #expect(store.matches(.all).part == 20_000)
        func found(_ part: Int64, before id: Int64?) async throws -> [Int64] {
            var search = store.matches(.all, before: id)
            search.part = part
            var found: [Int64] = []
            for try await element in search {
                switch element {
                case .item(let item): found.append(item.id)
                case .searched(let back, _): found.append(-back)
                }
            }
            return found
        }
        #expect(try await found(20, before: 4) == [3, 2, 1, 0])
        #expect(try await found(2, before: 4) == [3, 2, -2, 1, 0])
        #expect(try await found(3, before: 4) == [3, 2, 1, -1], "nothing is before the first one")
        #expect(try await found(3, before: 1) == [])
        #expect(try await found(3, before: 0) == [])
        try await store.close()
    }

    // MARK: Tails

    private func look(_ connection: SQLiteConnection, _ text: String, after id: Int64?) throws -> ([Int64], Int64) {
        let (elements, newest) = try TailPage(after: id).read(matching: condition(text), on: connection)
        return (
            elements.map {
                if case .item(let item) = $0 { item.id } else if case .gap(let n) = $0 { -Int64(n) } else { 0 }
            },
            newest
        )
    }

    @Test func aLookOfATailHasAtMostAPage() throws {
        let connection = try database(201)
        #expect(ActivityTail.page == 200)
        #expect(try look(connection, "", after: 0) == (Array(1...200), 200))
        #expect(try look(connection, "", after: 200) == ([201], 201))
        #expect(try look(connection, "", after: nil) == ([], 201))
        #expect(try look(connection, "~c 5xx", after: 190) == ([192, 194, 196, 198, 200], 201))
        try connection.execute("DELETE FROM net_item WHERE id = 201")
        #expect(try look(connection, "", after: 0) == (Array(1...200), 200), "a full page says nothing of what follows")
        #expect(try look(connection, "", after: 1) == (Array(2...200) + [-1], 201))
        #expect(try look(connection, "", after: 200) == ([-1], 201))
        #expect(try look(connection, "", after: 201) == ([], 201))
        try connection.execute("DELETE FROM net_item WHERE id IN (2, 3, 5)")
        #expect(try look(connection, "", after: 0).0.prefix(5) == [1, -2, 4, -1, 6])
        #expect(try look(connection, "~c 2xx", after: 0).0.prefix(3) == [1, -2, -1])
    }

    @Test func anEmptyFileHasNothingToTail() throws {
        let connection = try database(0)
        #expect(try look(connection, "", after: nil) == ([], 0))
        #expect(try look(connection, "", after: 0) == ([], 0))
    }

    @Test func signsComeAtTheBeginningAndAfterEachChange() async throws {
        let store = try ActivityStore(at: folder.file())
        let changes = FileChanges(path: folder.file())
        var first = changes.subscribe().makeAsyncIterator()
        var second = changes.subscribe().makeAsyncIterator()
        #expect(await first.next() != nil)
        #expect(await second.next() != nil)
        try await store.write(Events.call(1))
        #expect(await first.next() != nil)
        #expect(await second.next() != nil)
        changes.close()
        changes.close()
        // An element from before the end may still be there, but only one.
        if await first.next() != nil { #expect(await first.next() == nil) }
        var late = changes.subscribe().makeAsyncIterator()
        #expect(await late.next() != nil)
        #expect(await late.next() == nil)
        #expect(FileChanges.pollInterval == .milliseconds(250))
        try await store.close()
    }

    @Test func updatesWithTheSameResultComeOnce() async throws {
        let store = try ActivityStore(at: folder.file())
        var counts = store.updates { reader throws(StoreError) in
            try await reader.count(matching: .status(404))
        }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        let writing = Task {
            for number in 0..<20 { try await store.write(Events.call(number)) }
            try await store.write(Events.call(50, status: 404))
        }
        #expect(try await counts.next() == 1)
        try await writing.value
        let failing = store.updates { _ throws(StoreError) -> Int in
            throw StoreError(.corrupt, message: "bad", path: "")
        }
        var failed = failing.makeAsyncIterator()
        let error = await #expect(throws: StoreError.self) { try await failed.next() }
        #expect(error?.code == .corrupt)
        let cancelled = Task { [counts] in
            var counts = counts
            return try await counts.next()
        }
        cancelled.cancel()
        let end = await #expect(throws: StoreError.self) { try await cancelled.value }
        #expect(end?.code == .cancelled)
        try await store.close()
    }

    // MARK: Statistics

    @Test func figuresAreOfTheHoursThatAreAskedFor() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(
            Events.call(0), Events.call(3599), Events.call(3600), Events.call(7199), Events.call(7200))
        func calls(_ since: Double?, _ until: Double?) async throws -> [[Int]] {
            let (start, end) = (since.map { Events.start + $0 }, until.map { Events.start + $0 })
            var all: [[Int]] = []
            for exact in [true, false] {
                all.append(
                    try await store.statistics(by: .all, since: start, until: end, exact: exact).map(\.calls))
            }
            return all
        }
        #expect(try await calls(nil, nil) == [[5], [5]])
        #expect(try await calls(3600, nil) == [[3], [3]])
        #expect(try await calls(3599.9, nil) == [[5], [5]])
        #expect(try await calls(7200, nil) == [[1], [1]])
        #expect(try await calls(nil, 3599.9) == [[2], [2]])
        #expect(try await calls(nil, 3600) == [[4], [4]])
        #expect(try await calls(3600, 7199) == [[2], [2]])
        #expect(try await calls(10_800, nil) == [[], []])
        let filtered = try await store.statistics(by: .all, matching: .url("items/3599"))
        #expect(filtered.map(\.calls) == [1])
        try await store.close()
    }

    @Test func eachSumIsReadFromItsColumn() async throws {
        let connection = try database(0)
        func draft(_ number: Int, _ outcome: StoredItem.Outcome, _ change: (ItemDraft) -> Void) -> ItemDraft {
            let draft = ItemDraft(ItemKey(Events.id(number), .call), startedAt: HourTotals.length * 3)
            (draft.outcome, draft.duration, draft.operation) = (outcome, 1000, "op")
            change(draft)
            return draft
        }
        let drafts = [
            draft(1, .completed) { ($0.retries, $0.isReused, $0.attemptCount) = (1, true, 3) },
            draft(2, .completed) { ($0.retries, $0.isReused, $0.attemptCount) = (2, true, 4) },
            draft(3, .completed) { ($0.requestBytes, $0.responseBytes) = (100, 7) },
            draft(4, .completed) { ($0.isReused, $0.retries) = (true, 0) },
            draft(5, .rejected) { $0.responseBytes = 20 }, draft(6, .failed) { _ in }, draft(7, .failed) { _ in },
            draft(8, .cancelled) { $0.duration = nil }, draft(9, .cutOff) { _ in },
        ]
        let items = try ItemStatement(on: connection, names: NameTable(on: connection))
        var totals = HourTotals()
        try items.write(drafts, run: 1, to: &totals)
        try HourStatement(on: connection).add(totals, run: 1)
        let query = StatisticsQuery(grouping: .operation, hours: (nil, nil))
        let exact = try query.exact(.every, on: connection)
        let middle = Duration.microseconds(Int64(DurationBucket.middle(of: DurationBucket.number(of: 1000)).rounded()))
        func expected(_ duration: Duration) -> StoredStatistics {
            StoredStatistics(
                group: "op", calls: 8, completed: 4, rejected: 1, failed: 2, cancelled: 1, retried: 2, reused: 3,
                attempts: 7, requestBytes: 100, responseBytes: 27, p50: duration, p95: duration, p99: duration)
        }
        try #require(exact == [expected(.milliseconds(1))])
        #expect(try query.rollUps(on: connection) == [expected(middle)])
        let figures = exact[0]
        #expect(figures.errorRate == 0.375)
        #expect(figures.retryRate == 0.25)
        #expect(figures.reuseRate == 0.375)
        var none = figures
        none.calls = 0
        #expect(none.errorRate == 0)
        #expect(none.retryRate == 0)
        #expect(none.reuseRate == 0)
    }

    @Test func groupsComeInTheirOrder() async throws {
        let store = try ActivityStore(at: folder.file())
        let calls = ["b", "a", "c", "c"].enumerated().map { Events.call($0 * 3600, operation: $1) }
        try await store.write(Array(calls.joined()), Events.call(90_000))
        for exact in [false, true] {
            let operations = try await store.statistics(by: .operation, exact: exact)
            #expect(operations.map(\.group) == ["c", nil, "a", "b"])
            #expect(operations.map(\.calls) == [2, 1, 1, 1])
            let hours = try await store.statistics(by: .hour, exact: exact)
            #expect(hours.first?.group == "2026-01-02T01:00:00Z")
            #expect(hours.last?.group == "2026-01-01T00:00:00Z")
            #expect(try await store.statistics(by: .all, exact: exact).map(\.group) == [nil])
        }
        try await store.close()
    }
}
