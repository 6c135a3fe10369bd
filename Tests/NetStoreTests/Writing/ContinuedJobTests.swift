import Foundation
import NetCore
import Testing

@testable import NetStore

/// A job that one process begins and another one goes on with.
@Suite(.timeLimit(.minutes(5)))
struct ContinuedJobTests {
    private let folder: TemporaryFolder
    private static let lost = NetError(.connectionLost, phase: .receiving, message: "gone")

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> ActivityStore { try ActivityStore(at: folder.file()) }

    /// Records a job with two attempts that is cut off when its process closes the store.
    private func cutOff() async throws {
        let store = try open()
        var job = JobSample()
        job.bytes = 100
        try await store.write([
            job.activity(.queued, at: 0), job.activity(.running, at: 1, call: 11),
            job.activity(.waiting, at: 2, failure: Self.lost, code: "network"), job.activity(.running, at: 3, call: 12),
        ])
        try await store.close()
    }

    /// Records the rest of the job, in a later process.
    private func complete(_ store: ActivityStore, _ state: JobActivity.State = .completed) async throws {
        var job = JobSample()
        job.bytes = 900
        try await store.write([
            job.activity(.queued, at: 100), job.activity(.running, at: 101, call: 13), job.activity(state, at: 104),
        ])
    }

    private func sqlite(_ sql: String) throws -> String { try Command.sqlite(folder.file(), sql) }

    @Test func aJobThatALaterProcessFinishesIsFinished() async throws {
        try await cutOff()
        let before = try sqlite("SELECT id, outcome, attempts FROM net_item")
        #expect(before == "1|5|2")
        let store = try open()
        try await complete(store)
        let job = try #require(try await store.items().first)
        #expect(try await store.count() == 1)
        #expect(job.id == 1)
        #expect(job.outcome == .completed)
        #expect(job.attempts == 3)
        #expect(job.startedAt == Events.start)
        #expect(job.duration == .seconds(104))
        #expect(job.responseBytes == 900)
        #expect(job.detail == "download, completed")
        #expect(job.run == 2)
        let attempts = try #require(try await store.item(uid: job.uid, kind: .job)).attempts
        #expect(attempts.map(\.run) == [1, 1, 2])
        #expect(attempts.map(\.number) == [1, 2, 3])
        #expect(attempts.map(\.start) == [.seconds(1), .seconds(3), .seconds(101)])
        #expect(attempts.map(\.duration) == [.seconds(1), nil, .seconds(3)])
        #expect(attempts.map(\.failure?.code) == ["network", nil, nil])
        #expect(store.statistics.alreadyStored == 0)
        try await store.close()
        #expect(try sqlite("SELECT items, (SELECT count(*) FROM net_item) FROM net_total") == "1|1")
    }

    @Test(arguments: [true, false]) func aJobThatFailedAndSucceededAfterwardsHasSucceeded(isSameProcess: Bool)
        async throws
    {
        var store = try open()
        var job = JobSample()
        try await store.write([
            job.activity(.running, at: 1, call: 11),
            job.activity(.failed, at: 2, failure: Self.lost, code: "retriesExhausted"),
        ])
        #expect(try await store.search(words: "gone").map(\.id) == [1])
        #expect(try await store.count(matching: .error("retriesExhausted")) == 1)
        if !isSameProcess {
            try await store.close()
            store = try open()
            job = JobSample()
        }
        try await store.write([
            job.activity(.queued, at: 10), job.activity(.running, at: 11, call: 12), job.activity(.completed, at: 12),
        ])
        let found = try await store.items()
        #expect(found.map(\.outcome) == [.completed])
        #expect(found.first?.failure == nil)
        #expect(found.first?.attempts == 2)
        #expect(try await store.search(words: "gone").isEmpty)
        #expect(try await store.search(words: "film").map(\.id) == [1])
        #expect(try await store.count(matching: .error("retriesExhausted")) == 0)
        let statistics = try await store.statistics(by: .host)
        #expect(statistics.map(\.jobs) == [1])
        #expect(statistics.map(\.failed) == [0])
        #expect(statistics.map(\.completed) == [1])
        #expect(try await store.statistics(by: .host, exact: true) == statistics)
        try await store.close()
        try Command.changeWithSQLite(folder.file(), "INSERT INTO net_search (net_search) VALUES ('integrity-check')")
        #expect(try sqlite("PRAGMA integrity_check") == "ok")
    }

    @Test func aProcessThatIsKilledLeavesItsPart() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [file = folder.file() as String] in
            let store = try ActivityStore(at: file)
            var job = JobSample()
            try await store.write([job.activity(.queued, at: 0), job.activity(.running, at: 1, call: 11)])
            kill(getpid(), SIGKILL)
        }
        let store = try open()
        #expect(try await store.items().map(\.outcome) == [.cutOff])
        try await complete(store)
        let found = try await store.items()
        #expect(found.map(\.outcome) == [.completed])
        #expect(found.map(\.attempts) == [2])
        let detail = try #require(try await store.item(uid: Events.id(1), kind: .job))
        #expect(detail.attempts.map(\.run) == [1, 2])
        #expect(detail.attempts.map(\.start) == [.seconds(1), .seconds(101)])
        try await store.close()
    }

    @Test func aJobUnderWayAgainIsOneEntry() async throws {
        try await cutOff()
        let store = try open()
        var job = JobSample()
        try await store.write([job.activity(.queued, at: 100), job.activity(.running, at: 101, call: 13)])
        let detail = try #require(try await store.item(uid: Events.id(1), kind: .job))
        #expect(detail.item.outcome == nil)
        #expect(detail.item.detail == "download, running")
        #expect(detail.attempts.map(\.run) == [1, 1, 2])
        #expect(try await store.itemsUnderWay().map(\.uid) == [Events.id(1)])
        try await store.close()
        #expect(try sqlite("SELECT count(*), outcome, attempts FROM net_item") == "1|5|3")
    }

    @Test func aPartThatEndedEarlierDoesNotUndoAnEnd() async throws {
        // One process adds an item to an outbox, another one sends it; the first one closes its store last.
        let (first, second) = (try open(), try open())
        var job = JobSample(kind: .outbox)
        try await first.write([job.activity(.queued, at: 0)])
        try await second.write([job.activity(.running, at: 1, call: 11), job.activity(.completed, at: 2)])
        #expect(try await second.items().map(\.outcome) == [.completed])
        try await first.close()
        let found = try await second.items()
        #expect(found.map(\.outcome) == [.completed])
        #expect(found.map(\.startedAt) == [Events.start])
        #expect(found.map(\.attempts) == [1])
        try await second.close()
    }

    @Test func anAddedItemThatAnotherProcessHasSentIsCompleted() async throws {
        let (first, second) = (try open(), try open())
        var job = JobSample(kind: .outbox)
        try await first.write([job.activity(.queued, at: 0), job.activity(.running, at: 1, call: 11)])
        try await first.close()
        try await second.write([job.activity(.running, at: 2, call: 12), job.activity(.completed, at: 3)])
        let found = try await second.items()
        #expect(found.map(\.outcome) == [.completed])
        // The outbox counts on: the second process has reported two attempts.
        #expect(found.map(\.attempts) == [2])
        try await second.close()
    }

    @Test func theSameActivitiesFromTwoProcessesChangeNothingAndAreCounted() async throws {
        let (first, second) = (try open(), try open())
        func activities() -> [JobActivity] {
            var job = JobSample()
            return [
                job.activity(.queued, at: 0), job.activity(.running, at: 1, call: 11), job.activity(.completed, at: 2),
            ]
        }
        try await first.write(activities())
        let before = try sqlite("SELECT * FROM net_item")
        try await second.write(activities())
        try await second.write(Events.call(7))
        try await first.write(Events.call(7))
        #expect(try sqlite("SELECT * FROM net_item WHERE kind = 3") == before)
        #expect(try sqlite("SELECT count(*) FROM net_change") == "0")
        #expect(second.statistics.alreadyStored == 1)
        #expect(first.statistics.alreadyStored == 1)
        #expect(try await first.runs().map(\.statistics.alreadyStored) == [1, 1])
        #expect(try await first.statistics(by: .all).map(\.jobs) == [1])
        #expect(try await first.statistics(by: .all).map(\.calls) == [1])
        try await first.close()
        try await second.close()
        #expect(try sqlite("SELECT items FROM net_total") == "2")
    }

    @Test func twoProcessesWriteTheirJobsAtTheSameTime() async throws {
        try await open().close()
        let file = folder.file()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<2 {
                group.addTask {
                    let store = try ActivityStore(at: file)
                    for number in 0..<40 {
                        var job = JobSample(Events.id(1000 + number))
                        let start = Double(part * 100)
                        try await store.write([
                            job.activity(.running, at: start + 1, call: 2000 + part * 100 + number),
                            job.activity(part == 0 ? .failed : .completed, at: start + 2),
                        ])
                    }
                    try await store.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(try sqlite("SELECT count(*), sum(outcome = 1), sum(attempts) FROM net_item") == "40|40|80")
        #expect(try sqlite("SELECT sum(jobs), sum(completed), sum(failed) FROM net_job_hour") == "40|40|0")
        #expect(try sqlite("SELECT items FROM net_total") == "40")
    }

    @Test func aTailYieldsTheChangedEntryAgain() async throws {
        try await cutOff()
        let store = try open()
        try await store.write(Events.call(7))
        var tail = store.tail(after: 0).makeAsyncIterator()
        func next() async throws -> StoredItem? {
            guard case .item(let item)? = try await tail.next() else { return nil }
            return item
        }
        #expect(try await next()?.outcome == .cutOff)
        #expect(try await next()?.id == 2)
        try await complete(store)
        let changed = try await next()
        #expect(changed?.id == 1)
        #expect(changed?.outcome == .completed)
        try await store.write(Events.call(8))
        #expect(try await next()?.id == 3)
        // A tail that begins now reads the entry once, in its new state.
        var later = store.tail(after: 0).makeAsyncIterator()
        var seen: [Int64] = []
        while seen.count < 3 { if case .item(let item)? = try await later.next() { seen.append(item.id) } }
        #expect(seen == [1, 2, 3])
        try await store.close()
    }

    @Test func updatesSeeTheChange() async throws {
        try await cutOff()
        let store = try open()
        var outcomes = store.updates { reader throws(StoreError) in try await reader.items().map(\.outcome) }
            .makeAsyncIterator()
        #expect(try await outcomes.next() == [.cutOff])
        try await complete(store, .cancelled)
        #expect(try await outcomes.next() == [.cancelled])
        try await store.close()
    }

    @Test func aSliceHasTheAttemptsAndTheRuns() async throws {
        try await cutOff()
        let store = try open()
        try await complete(store)
        try await store.writeSlice(to: folder.file("slice.sqlite"))
        let slice = try ActivityReader(path: folder.file("slice.sqlite"))
        let detail = try await slice.item(uid: Events.id(1), kind: .job)
        #expect(detail != nil)
        #expect(try await store.item(uid: Events.id(1), kind: .job) == detail)
        #expect(try await slice.statistics(by: .host) == store.statistics(by: .host))
        #expect(try await slice.runs().map(\.id) == [2, 1])
        await slice.close()
        try await store.close()
    }

    @Test func notesStayAndTheRestIsDeletedWithTheEntry() async throws {
        try await cutOff()
        let store = try open()
        try await store.comment("keep", on: 1)
        try await complete(store)
        #expect(try await store.items().first?.comment == "keep")
        try await store.close()
        let pruning = try ActivityStore(
            path: folder.file(), configuration: .init(retention: .init(age: nil, entries: 0, bytes: nil)))
        #expect(try await pruning.prune() == 1)
        try await pruning.close()
        for table in ["net_item", "net_job_attempt", "net_change", "net_note"] {
            #expect(try sqlite("SELECT count(*) FROM \(table)") == "0", "\(table)")
        }
    }
}
