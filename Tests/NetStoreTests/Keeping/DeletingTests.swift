import Foundation
import NetCore
import Testing

@testable import NetStore

/// The deletion of everything, of the activity and of artifacts.
@Suite(.timeLimit(.minutes(5)))
struct DeletingTests {
    private let folder: TemporaryFolder
    private let store: ActivityStore

    init() throws {
        folder = try TemporaryFolder()
        store = try ActivityStore(at: folder.file())
    }

    private func fill() async throws {
        store.record(
            PendingCapture(
                Events.id(1), number: 1, status: 200,
                request: .init(bytes: Bytes("kept body".utf8), size: 9, isCut: false, type: nil)))
        try await store.write(
            Events.call(1, operation: "kept"), Events.call(2, operation: "secret"), [Events.call(3)[0]])
        var job = JobSample(Events.id(9))
        try await store.write([job.activity(.running, at: 1, call: 8), job.activity(.completed, at: 2)])
        try await store.save(.cassette, named: "a", body: Bytes("a".utf8))
        try await store.save(.proofBundle, named: "b", body: Bytes("b".utf8), item: 1)
    }

    @Test func deletingTheActivityKeepsArtifactsAndPinnedEntries() async throws {
        try await fill()
        try await store.pin(1)
        try await store.comment("look", on: 1)
        #expect(try await store.deleteActivity() == 2)
        #expect(try await store.items().map(\.id) == [1])
        #expect(try await store.itemsUnderWay().isEmpty)
        #expect(try await store.artifacts().map(\.name) == ["b", "a"])
        let detail = try #require(try await store.item(id: 1))
        #expect(detail.item.isPinned)
        #expect(detail.item.comment == "look")
        #expect(detail.item.operation == "kept")
        #expect(try await store.search(words: "items").map(\.id) == [1])
        #expect(try await store.statistics(by: .operation).map(\.group) == ["kept"])
        #expect(try await store.statistics(by: .all).map(\.jobs) == [0])
        #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM net_name WHERE text = 'secret'") == "0")
        #expect(try Command.sqlite(folder.file(), "SELECT items FROM net_total") == "1")
        // The store works on, and the names have their numbers.
        try await store.write(Events.call(4, operation: "secret"))
        #expect(try await store.items().map(\.operation) == ["secret", "kept"])
        try await store.close()
        #expect(try Command.sqlite(folder.file(), "PRAGMA integrity_check") == "ok")
        try Command.changeWithSQLite(folder.file(), "INSERT INTO net_search (net_search) VALUES ('integrity-check')")
    }

    @Test(arguments: [true, false]) func withoutPinsOrWithThemNothingIsLeft(isPinned: Bool) async throws {
        try await fill()
        if isPinned { try await store.pin(1) }
        #expect(try await store.deleteActivity(includingPinned: isPinned) == 3)
        #expect(try await store.count() == 0)
        #expect(try await store.statistics().isEmpty)
        #expect(try await store.artifacts().count == 2)
        for table in ["net_note", "net_capture", "net_body", "net_job_attempt", "net_job_hour", "net_hour", "net_name"]
        {
            #expect(try Command.sqlite(folder.file(), "SELECT count(*) FROM \(table)") == "0", "\(table)")
        }
        try await store.close()
    }

    @Test func artifactsAreDeletedByKind() async throws {
        try await fill()
        #expect(try await store.deleteArtifacts(.cassette) == 1)
        #expect(try await store.artifacts().map(\.name) == ["b"])
        #expect(try await store.deleteArtifacts() == 1)
        #expect(try await store.artifacts().isEmpty)
        #expect(try await store.deleteArtifacts() == 0)
        #expect(try await store.count() == 3)
        try await store.close()
    }

    @Test func deletingAllTakesArtifactsAndPins() async throws {
        try await fill()
        try await store.pin(1)
        try await store.deleteAll()
        #expect(try await store.count() == 0)
        #expect(try await store.artifacts().isEmpty)
        #expect(try await store.statistics(by: .all).isEmpty)
        try await store.close()
    }
}
