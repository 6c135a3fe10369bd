import Foundation
import NetCore
import Testing

@testable import NetStore

struct ActivityQueriesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ calls: [[ActivityEvent]]) async throws -> ActivityStore {
        let store = try ActivityStore(path: folder.file())
        for event in calls.joined() { store.record(event) }
        try await store.flush()
        return store
    }

    private func numbers(_ calls: [CallRecord]) -> [Int] {
        calls.map { Int($0.startedAt.timeIntervalSince(Events.start).rounded()) }
    }

    @Test func callsComeNewestFirstPageByPage() async throws {
        let store = try await store((0..<25).map { Events.call($0) })
        var seen: [Int] = []
        var cursor: CallCursor?
        while true {
            let page = try await store.calls(limit: 10, after: cursor)
            if page.isEmpty { break }
            seen += numbers(page)
            cursor = page.last?.cursor
        }
        #expect(seen == (0..<25).reversed())
        #expect(try await store.calls(limit: 0).isEmpty)
        #expect(try await store.calls(limit: -1).isEmpty)
        try await store.close()
    }

    @Test func pagesAreWholeWhereManyCallsBeganAtOnce() async throws {
        let calls = (0..<20).map { number in
            ActivityEvent(
                call: Events.id(number), sequence: 1, date: Events.start, elapsed: .zero, method: .get,
                url: "http://localhost/", kind: .started(requestBytes: nil))
        }
        let store = try await store([calls])
        let first = try await store.calls(limit: 7)
        let rest = try await store.calls(limit: 100, after: first.last?.cursor)
        #expect(Set((first + rest).map(\.id)).count == 20 && rest.count == 13)
        try await store.close()
    }

    @Test func eachConditionOfAFilterNarrowsTheCalls() async throws {
        let store = try await store([
            Events.call(0, operation: "getUser", url: "https://a.example/users/1"),
            Events.call(1, status: 404, operation: "getUser", outcome: .rejected(status: 404, responseBytes: 0)),
            Events.call(2, method: .post, url: "https://b.example:8443/100%_done\\x"),
            Events.call(3, status: 503, outcome: .rejected(status: 503, responseBytes: 0)),
        ])
        func found(_ filter: CallFilter) async throws -> [Int] {
            let calls = try await store.calls(matching: filter)
            #expect(try await store.count(matching: filter) == calls.count)
            return numbers(calls)
        }
        #expect(try await found(CallFilter(operation: "getUser")) == [1, 0])
        #expect(try await found(CallFilter(method: "post")) == [2])
        #expect(try await found(CallFilter(host: "B.example:8443")) == [2])
        #expect(try await found(CallFilter(status: 400...499)) == [1])
        #expect(try await found(CallFilter(status: 400...599, outcome: .rejected)) == [3, 1])
        #expect(try await found(CallFilter(since: Events.start.addingTimeInterval(2))) == [3, 2])
        #expect(try await found(CallFilter(until: Events.start.addingTimeInterval(2))) == [1, 0])
        #expect(try await found(CallFilter(urlContains: "USERS")) == [0])
        #expect(try await found(CallFilter(urlContains: "100%_done\\")) == [2])
        #expect(try await found(CallFilter(urlContains: "%")) == [2], "a wildcard is a plain character")
        #expect(try await found(CallFilter(operation: "' OR 1=1 --")) == [])
        #expect(try await found(.all) == [3, 2, 1, 0])
        try await store.close()
    }

    @Test(arguments: [1, 2, 3, 19, 20, 21, 99, 100, 101, 250])
    func percentilesAreDurationsOfTheNearestRank(count: Int) async throws {
        var durations = (0..<count).map { ($0 * 7919 + 13) % 10_007 + 1 }
        let store = try await store(
            durations.enumerated().map { Events.call($0, took: .microseconds($1), operation: "a") }
                + [[Events.event(900, 1, .started(requestBytes: nil), operation: "a")], Events.call(901)])
        durations.sort()
        func rank(_ percent: Double) -> Duration {
            .microseconds(durations[Int((percent / 100 * Double(count)).rounded(.up)) - 1])
        }
        let all = try await store.operationStatistics()
        #expect(all.map(\.operation) == (count == 1 ? ["a", nil] : ["a", nil]))
        let one = try #require(all.first)
        #expect(one.count == count + 1 && one.completed == count && one.running == 1 && one.failures == 0)
        #expect(one.p50 == rank(50) && one.p95 == rank(95) && one.p99 == rank(99))
        #expect(one.attempts == count && one.responseBytes == Int64(2000 * count))
        let nothing = try await store.operationStatistics(matching: CallFilter(operation: "b"))
        #expect(nothing.isEmpty)
        try await store.close()
    }

    @Test func statisticsCountEachOutcome() async throws {
        let error = NetError(.dns, phase: .resolving, message: "no address")
        let store = try await store([
            Events.call(0, operation: "a"), Events.call(1, operation: "a", outcome: .failed(error)),
            Events.call(2, operation: "a", outcome: .rejected(status: 500, responseBytes: 0)),
            Events.call(3, operation: "a", outcome: .cancelled), Events.call(4, operation: "b"),
            [Events.event(5, 1, .started(requestBytes: nil), operation: "c")],
        ])
        let all = try await store.operationStatistics()
        #expect(all.map(\.operation) == ["a", "b", "c"])
        #expect(all[0].completed == 1 && all[0].failed == 1 && all[0].rejected == 1 && all[0].cancelled == 1)
        #expect(all[0].failures == 2 && all[0].running == 0)
        #expect(all[2].running == 1 && all[2].p50 == nil && all[2].p99 == nil)
        try await store.close()
    }

    @Test func theSlowestCallsComeWithTheirLastAttempt() async throws {
        let store = try await store(
            [3, 9, 1, 7].enumerated().map { Events.call($0, took: .milliseconds($1)) }
                + [[Events.event(8, 1, .started(requestBytes: nil))]])
        let slowest = try await store.slowest(limit: 3)
        #expect(slowest.map(\.call.duration) == [.milliseconds(9), .milliseconds(7), .milliseconds(3)])
        #expect(slowest.first?.attempt?.total == .milliseconds(9))
        #expect(slowest.first?.phases?.dns == nil)
        let narrowed = try await store.slowest(matching: CallFilter(since: Events.start.addingTimeInterval(2)))
        #expect(numbers(narrowed.map(\.call)) == [3, 2])
        try await store.close()
    }

    @Test func aCallIsFoundByTheBeginningOrTheEndOfItsID() async throws {
        let store = try await store((0..<3).map { Events.call($0) })
        let id = Events.id(1).description
        #expect(try await store.calls(identifiedBy: id).map(\.id) == [Events.id(1)])
        #expect(try await store.calls(identifiedBy: String(id.suffix(8)).uppercased()).map(\.id) == [Events.id(1)])
        #expect(try await store.calls(identifiedBy: String(id.prefix(13))).map(\.id) == [Events.id(1)])
        #expect(try await store.calls(identifiedBy: String(id.prefix(5))).count == 2, "two are enough to be ambiguous")
        #expect(try await store.calls(identifiedBy: "%").isEmpty)
        try await store.close()
    }

    @Test func aRowChangedByAnotherProgramIsAnErrorAndNoTrap() async throws {
        let store = try await store([Events.call(1), Events.call(2)])
        try Command.changeWithSQLite(
            folder.file(),
            """
            UPDATE net_call SET outcome = NULL, started_at = -9223372036854775808, duration_us = 9223372036854775807,
                attempts = -5, tags = 'no json' WHERE started_at > 1767225601500000;
            """)
        let call = try #require(try await store.calls().last)
        #expect(call.tags.isEmpty && call.outcome == nil && call.attempts == -5)
        _ = try await store.calls(after: call.cursor)
        _ = try await store.slowest()
        try Command.changeWithSQLite(folder.file(), "UPDATE net_call SET id = 'x' || rowid")
        let error = await #expect(throws: StoreError.self) { try await store.calls() }
        #expect(error?.code == .corrupt && error?.message.contains("\"x1\"") == true)
        try await store.close()
    }

    @Test func aReaderFollowsAFileThatIsBeingWritten() async throws {
        let store = try await store([Events.call(1)])
        let reader = try ActivityReader(path: folder.file())
        #expect(try await reader.count() == 1)
        for event in Events.call(2) { store.record(event) }
        try await store.flush()
        #expect(try await reader.count() == 2)
        await reader.close()
        let error = await #expect(throws: StoreError.self) { try await reader.count() }
        #expect(error?.code == .closed)
        try await store.close()
    }

    @Test func aCancelledTaskGetsNoAnswer() async throws {
        let store = try await store([Events.call(1)])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.count()
        }
        // The query may have begun before the cancellation was seen: then its answer is right.
        switch await task.result {
        case .success(let count): #expect(count == 1)
        case .failure(let error): #expect((error as? StoreError)?.code == .cancelled)
        }
        #expect(try await store.count() == 1)
        try await store.close()
    }
}
