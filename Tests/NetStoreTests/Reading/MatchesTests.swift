import Testing

@testable import NetStore

/// Searches that begin at the newest entry.
@Suite struct MatchesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func aSearchGoesFromTheNewestOnAndSaysHowFar() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array((0..<25).map { Events.call($0, status: $0 % 10 == 0 ? 500 : 200) }.joined()))
        var search = try store.matches(ActivityFilter("~c 5xx"))
        search.part = 10
        var found: [Int64] = []
        var looked: [Int64] = []
        for try await element in search {
            switch element {
            case .item(let item): found.append(item.id)
            case .searched(let id, let date):
                looked.append(id)
                #expect(date != nil)
            }
        }
        #expect(found == [21, 11, 1])
        #expect(looked == [16, 6, 0])
        try await store.close()
    }

    @Test func gapsDoNotEndIt() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array((0..<40).map { Events.call($0) }.joined()))
        try Command.changeWithSQLite(folder.file(), "DELETE FROM net_item WHERE id BETWEEN 5 AND 35")
        var search = store.matches(.all)
        search.part = 4
        var count = 0
        for try await element in search { if case .item = element { count += 1 } }
        #expect(count == 9)
        try await store.close()
    }

    @Test func anEmptyStoreIsSearchedAtOnce() async throws {
        let store = try ActivityStore(at: folder.file())
        var elements: [ActivityMatches.Element] = []
        for try await element in store.matches(.all) { elements.append(element) }
        #expect(elements == [.searched(back: 0, to: nil)])
        try await store.close()
    }

    @Test func aSearchEndsWithItsTask() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(0))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in store.matches(.all) {}
        }
        await #expect(throws: StoreError.self) { try await task.value }
        try await store.close()
    }
}
