import Foundation
import NetCore
import Testing

@testable import NetStore

/// Selected entries in a separate store.
@Suite(.timeLimit(.minutes(5)))
struct StoreSliceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a slice of everything holds everything`() async throws {
        let store = try ActivityStore(at: folder.file("a.sqlite"))
        try await HARSample.fill(store)
        let written = try await store.writeSlice(to: folder.file("b.sqlite"))
        #expect(written.items == 8)
        #expect(written.bytes > 0)
        let slice = try ActivityReader(path: folder.file("b.sqlite"))
        #expect(try await HARSample.content(of: slice) == HARSample.content(of: store))
        #expect(try await slice.items().map(\.id) == store.items().map(\.id))
        #expect(try await slice.statistics() == store.statistics())
        #expect(try await slice.statistics(exact: true) == store.statistics(exact: true))
        #expect(
            try await slice.search(words: "items", limit: 100).count == store.search(words: "items", limit: 100).count)
        #expect(try await slice.runs().count == 1)
        await slice.close()
        try await store.close()
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("b.sqlite"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let check = try SQLiteConnection(path: folder.file("b.sqlite"), access: .readWrite, busyTimeout: .zero)
        #expect(try check.texts("PRAGMA integrity_check") == ["ok"])
        #expect(try check.texts("SELECT items FROM net_total") == ["8"])
        // A body that two captures use is stored once, and counts both.
        #expect(try check.integer("SELECT sum(uses) FROM net_body") == 6)
        try check.execute("INSERT INTO net_search (net_search) VALUES ('integrity-check')")
        check.close()
        // The file can be written to.
        let writer = try ActivityStore(at: folder.file("b.sqlite"))
        try await writer.write(Events.call(77))
        #expect(try await writer.count() == 9)
        try await writer.close()
    }

    @Test func `an entry comes with its own records only`() async throws {
        let store = try ActivityStore(at: folder.file("a.sqlite"))
        try await store.write(
            Events.call(1, url: "https://kept.example/x"), Events.call(2, operation: "pl4nted-operation"),
            Events.call(
                3, url: "https://pl4nted.example/pl4nted",
                outcome: .failed(NetError(.timeout, phase: .waiting, message: "pl4nted words"))))
        let secret = CaptureContent.Body(bytes: Bytes("pl4nted body".utf8), size: 12, isCut: false, type: nil)
        store.record(
            PendingCapture(Events.id(2), number: 1, status: 200, requestHeaders: "x: pl4nted", response: secret))
        func line(_ number: Int, _ text: String, of call: Int) -> PendingLogLine {
            PendingLogLine(
                Events.id(number), occurredAt: 0, level: 2, label: "net", message: text, detail: nil,
                owner: Events.id(call))
        }
        store.record(line(11, "a kept line", of: 1))
        store.record(line(12, "a pl4nted line", of: 3))
        try await store.flush()
        let kept = try #require(try await store.item(uid: Events.id(1), kind: .call))
        try await store.save(.cassette, named: "kept", body: Bytes("kept body".utf8), item: kept.item.id)
        try await store.save(.cassette, named: "pl4nted", body: Bytes("pl4nted".utf8))
        let written = try await store.writeSlice(
            to: folder.file("b.sqlite"), matching: ActivityFilter("~d kept.example"))
        #expect(written.items == 2)
        try await store.close()
        let slice = try ActivityReader(path: folder.file("b.sqlite"))
        #expect(try await slice.item(uid: Events.id(1), kind: .call)?.owned.map(\.message) == ["a kept line"])
        #expect(try await slice.artifacts().map(\.name) == ["kept"])
        #expect(try await slice.statistics().map(\.calls) == [1])
        await slice.close()
        let bytes = try Data(contentsOf: URL(filePath: folder.file("b.sqlite")))
        #expect(bytes.range(of: Data("pl4nted".utf8)) == nil)
        #expect(bytes.range(of: Data("kept.example".utf8)) != nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".new") }
        #expect(left.isEmpty)
    }

    @Test func `a line brings its call, and a file is never replaced`() async throws {
        let store = try ActivityStore(at: folder.file("a.sqlite"))
        try await store.write(Events.call(1), Events.call(2))
        store.record(
            PendingLogLine(
                Events.id(11), occurredAt: 0, level: 5, label: "net", message: "alarm", detail: nil, owner: Events.id(1)
            ))
        try await store.flush()
        let alarm = try ActivityFilter("~log")
        #expect(try await store.writeSlice(to: folder.file("b.sqlite"), matching: alarm).items == 2)
        await #expect(throws: StoreError.self) { try await store.writeSlice(to: folder.file("b.sqlite")) }
        do throws(StoreError) {
            try await store.writeSlice(to: folder.file("a.sqlite"))
            Issue.record("the store was replaced by itself")
        } catch {
            #expect(error.code == .exists)
        }
        let none = try await store.writeSlice(to: folder.file("c.sqlite"), matching: ActivityFilter("~d nowhere"))
        #expect(none.items == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("c.sqlite")))
        #expect(try await store.writeSlice(to: folder.file("d.sqlite"), limit: 1).items == 2)
        try await store.close()
    }

    @Test func `a slice is one state while another writes`() async throws {
        let store = try ActivityStore(at: folder.file("a.sqlite"))
        for number in 0..<200 { for event in Events.call(number) { store.record(event) } }
        try await store.flush()
        let reader = try ActivityReader(path: folder.file("a.sqlite"))
        async let writing: Void = {
            for number in 200..<2000 { for event in Events.call(number) { store.record(event) } }
            try await store.flush()
        }()
        let written = try await reader.writeSlice(to: folder.file("b.sqlite"))
        try await writing
        let slice = try ActivityReader(path: folder.file("b.sqlite"))
        let items = try await slice.items(limit: 5000)
        #expect(items.count == written.items)
        #expect(items.count >= 200)
        #expect(items.first?.id == Int64(items.count))
        #expect(try await slice.statistics().first?.calls == items.count)
        await slice.close()
        await reader.close()
        try await store.close()
    }
}
