import Foundation
import NetCore
import Testing

@testable import NetStore

@Suite(.timeLimit(.minutes(5)))
struct TailTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func ids(_ elements: [ActivityTail.Element]) -> [Int64] {
        elements.map { if case .item(let item) = $0 { item.id } else { -1 } }
    }

    @Test func aTailYieldsEachNewEntryOnceAndInOrder() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(0))
        let tail = Task {
            var seen: [ActivityTail.Element] = []
            for try await element in store.tail(after: 1) {
                seen.append(element)
                if seen.count == 1000 { break }
            }
            return seen
        }
        for start in stride(from: 1, to: 1001, by: 50) {
            try await store.write(Array((start..<start + 50).map { Events.call($0) }.joined()))
        }
        #expect(ids(try await tail.value) == Array(2...1001))
        try await store.close()
    }

    @Test func aTailSeesWhatAnotherProcessCommits() async throws {
        try await ActivityStore(at: folder.file()).close()
        let reader = try ActivityReader(path: folder.file())
        var tail = reader.tail(after: 0).makeAsyncIterator()
        let insert = """
            PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000;
            INSERT INTO net_item (uid, kind, run, started_at) VALUES (randomblob(16), 1, 1, 5)
            """
        try Command.changeWithSQLite(folder.file(), insert)
        #expect(ids([try #require(try await tail.next())]) == [1])
        // Now it waits for a change of the file before the other process writes.
        let next = Task { [folder] in
            try Command.changeWithSQLite(folder.file(), insert)
        }
        #expect(ids([try #require(try await tail.next())]) == [2])
        try await next.value
        await reader.close()
        #expect(try await tail.next() == nil, "closing the reader ends the tail")
    }

    @Test func previouslyDeletedEntriesAreReportedAsGaps() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array((0..<10).map { Events.call($0) }.joined()))
        try Command.changeWithSQLite(
            folder.file(), "PRAGMA busy_timeout = 5000; DELETE FROM net_item WHERE id IN (1, 2, 5, 9, 10)")
        var tail = store.tail(after: 0).makeAsyncIterator()
        var seen: [ActivityTail.Element] = []
        while seen.count < 8 { seen.append(try #require(try await tail.next())) }
        let gaps = seen.compactMap { if case .gap(let count) = $0 { count } else { nil } }
        #expect(ids(seen) == [-1, 3, 4, -1, 6, 7, 8, -1])
        #expect(gaps == [2, 1, 2])
        try await store.close()
    }

    @Test func aConditionIsNoGap() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array((0..<6).map { Events.call($0, status: $0 == 4 ? 500 : 200) }.joined()))
        var tail = store.tail(matching: .status(500...599), after: 0).makeAsyncIterator()
        #expect(ids([try #require(try await tail.next())]) == [5])
        try await store.close()
    }

    @Test func aTailWithoutAPlaceBeginsNow() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(0))
        let page = try await store.reader.worker.perform { desk throws(StoreError) in
            try TailPage(after: nil).read(matching: .every, on: desk.connection)
        }
        #expect(page.0.isEmpty)
        #expect(page.1 == 1)
        try await store.close()
    }

    @Test func updatesAreTheLatestResults() async throws {
        let store = try ActivityStore(at: folder.file())
        var counts = store.updates { reader throws(StoreError) in try await reader.count() }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await store.write(Events.call(1))
        try await store.write(Events.call(2))
        #expect(try await counts.next() == 2, "what came between is skipped")
        try await store.close()
        #expect(try await counts.next() == nil)
    }

    @Test func aCancelledTailEnds() async throws {
        let store = try ActivityStore(at: folder.file())
        let task = Task { for try await _ in store.tail() {} }
        task.cancel()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await store.close()
    }

    @Test func aTailHoldsNoTransaction() async throws {
        let store = try ActivityStore(at: folder.file())
        var tail = store.tail(after: 0).makeAsyncIterator()
        try await store.write(Events.call(0))
        _ = try await tail.next()
        for start in stride(from: 1, to: 20_000, by: 1000) {
            try await store.write(Array((start..<start + 1000).map { Events.call($0) }.joined()))
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file() + "-wal")
        #expect(try #require(attributes[.size] as? Int) < 32 << 20)
        try await store.close()
    }

    @Test func aLinkToTheFileIsFollowed() async throws {
        let store = try ActivityStore(at: folder.file())
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file())
        let reader = try ActivityReader(path: folder.file("link"))
        var tail = reader.tail(after: 0).makeAsyncIterator()
        try await store.write(Events.call(1))
        #expect(ids([try #require(try await tail.next())]) == [1])
        let later = Task { try await store.write(Events.call(2)) }
        #expect(ids([try #require(try await tail.next())]) == [2])
        try await later.value
        await reader.close()
        try await store.close()
    }
}
