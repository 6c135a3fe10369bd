import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Synchronization
import Testing

@testable import NetStore

/// Files that don't belong to an outbox, damaged ones, and unusual contents.
@Suite(.timeLimit(.minutes(5)))
struct OutboxFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private static let request = Request<Void>("orders", method: .post, body: .text("tea"))

    private func code(_ configuration: Outbox.Configuration = .init()) async throws -> StoreError.Code? {
        do throws(OutboxError) {
            try await Outbox(path: folder.file(), configuration: configuration).close()
            return nil
        } catch {
            #expect(error.code == .store)
            return error.storeError?.code
        }
    }

    @Test func `a new file belongs to its owner only, and each commit is flushed`() async throws {
        let outbox = try Outbox(path: folder.file())
        try await outbox.add(Self.request)
        let settings = try await outbox.read { tables throws(StoreError) in
            [
                try tables.connection.integer("PRAGMA synchronous"),
                try tables.connection.integer("PRAGMA secure_delete"),
            ]
        }
        #expect(settings == [2, 1])
        for name in ["", "-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file() + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        await outbox.close()
        #expect(try Command.sqlite(folder.file(), "PRAGMA journal_mode") == "wal")
        let closed = await #expect(throws: OutboxError.self) { try await outbox.add(Self.request) }
        #expect(closed?.storeError?.code == .closed)
    }

    @Test func `an activity store isn't an outbox`() async throws {
        try await ActivityStore(path: folder.file()).close()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        #expect(try await code() == .notAStore)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
        #expect(throws: OutboxError.self) { try Outbox(reading: folder.file()) }
    }

    @Test func `another program's database isn't an outbox`() async throws {
        let app = try AppDatabase.open(folder.file())
        try AppDatabase.execute("CREATE TABLE book (id INTEGER)", on: app)
        AppDatabase.close(app)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        #expect(try await code() == .notAStore)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    }

    @Test func `an outbox isn't an activity store`() async throws {
        try await Outbox(path: folder.file()).close()
        let error = #expect(throws: StoreError.self) { try ActivityReader(path: folder.file()) }
        #expect(error?.code == .notAStore)
    }

    @Test func `a newer schema is left alone`() async throws {
        try await Outbox(path: folder.file()).close()
        try Command.changeWithSQLite(folder.file(), "INSERT INTO outbox_schema (version, name) VALUES (3, 'later')")
        #expect(try await code() == .newerSchema)
    }

    @Test func `a file that isn't there is created only if that's wanted`() async throws {
        #expect(try await code(.init { $0.createsFile = false }) == .notFound)
        #expect(!FileManager.default.fileExists(atPath: folder.file()))
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        #expect(try await code(.init { $0.createsFile = false }) == .notAStore)
        #expect(try await code() == nil)
    }

    @Test func `files that aren't databases are refused`() async throws {
        try Data("This is a text, and not a database at all.".utf8).write(to: URL(fileURLWithPath: folder.file()))
        #expect(try await code() == .notADatabase)
        for path in ["", "\0", ":memory:", folder.path] {
            let error = #expect(throws: OutboxError.self) { try Outbox(path: path) }
            #expect([.invalidPath, .notAFile].contains(error?.storeError?.code))
        }
        let missing = #expect(throws: OutboxError.self) { try Outbox(path: folder.path + "/none/a.sqlite") }
        #expect(missing?.storeError?.code == .notFound)
    }

    @Test func `a damaged file is an error, and no crash`() async throws {
        var random = SeededNumbers(7)
        let outbox = try Outbox(path: folder.file())
        for number in 0..<50 { try await outbox.add(Self.request, orderKey: "\(number % 3)") }
        await outbox.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        for _ in 0..<60 {
            var damaged = whole
            for _ in 0..<20 {
                damaged[Int.random(in: 100..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if random.once(in: 3) { damaged.removeLast(Int.random(in: 1..<damaged.count, using: &random)) }
            try damaged.write(to: URL(fileURLWithPath: folder.file()))
            guard let outbox = try? Outbox(path: folder.file()) else { continue }
            _ = try? await outbox.items()
            _ = try? await outbox.add(Self.request)
            for id in 1...5 as ClosedRange<Int64> {
                _ = try? await outbox.retry(id)
                _ = try? await outbox.drop(id)
            }
            await outbox.close()
        }
    }

    @Test func `a folder that may not be written is an error`() async throws {
        try await Outbox(path: folder.file()).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file())
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
        let path = folder.path
        let codes = Mutex<[StoreError.Code?]>([])
        let thread = try SystemThread {
            OtherUser.becomeNobody()
            func note(_ body: () throws(StoreError) -> Void) {
                do throws(StoreError) {
                    try body()
                    codes.withLock { $0.append(nil) }
                } catch {
                    codes.withLock { $0.append(error.code) }
                }
            }
            note { () throws(StoreError) in _ = try OutboxTables.openForWriting(path + "/new.sqlite", .init()) }
            note { () throws(StoreError) in _ = try OutboxTables.openForWriting(path + "/activity.sqlite", .init()) }
            note { () throws(StoreError) in _ = try OutboxLease.take(besides: path + "/activity.sqlite") }
            note { () throws(StoreError) in
                _ = try OutboxTables.openForReading(path + "/activity.sqlite", .init()).changes(after: 0, now: 0)
            }
        }
        thread.join()
        #expect(codes.withLock { $0 } == [.permission, .permission, .permission, nil])
    }

    @Test func `a reader can't change anything`() async throws {
        let outbox = try Outbox(path: folder.file())
        let id = try await outbox.add(Self.request)
        let reader = try Outbox(reading: folder.file())
        #expect(try await reader.items().map(\.id) == [id])
        let error = await #expect(throws: OutboxError.self) { try await reader.drop(id) }
        #expect(error?.storeError?.code == .permission)
        await reader.close()
        await outbox.close()
    }

    @Test(arguments: [
        "", " ", "a\nb", "a\0b", "'; DROP TABLE outbox_item; --", "\u{202e}käse🧀", "%_",
        String(repeating: "k", count: 100_000),
    ])
    func `an order key may be any text`(_ key: String) async throws {
        let peer = try OutboxPeer(folder: folder) { _, _ in StubResponse() }
        for number in 1...3 { try await peer.add("\(number)", key: key) }
        #expect(try await peer.outbox.items().map(\.orderKey) == [key, key, key])
        try await peer.sending { try await peer.outbox.waitUntilIdle() }
        #expect(peer.received.map(\.body) == ["1", "2", "3"])
        await peer.outbox.close()
    }

    @Test func `bodies and headers arrive as they were`() async throws {
        let peer = try OutboxPeer(folder: folder) { _, _ in StubResponse() }
        let name: HTTPField.Name = "X-Note"
        try await peer.outbox.add(Request<Void>("a//b/", method: .post, body: .bytes([])))
        try await peer.outbox.add(
            Request<Void>("", method: .delete, query: [.flag("x"), QueryItem("y", "")], headers: [name: "é: ü"]))
        try await peer.outbox.add(
            Request<Void>(url: "https://other.example/?q=1", method: .post, body: .text("☕")), orderKey: "a")
        try await peer.sending { try await peer.outbox.waitUntilIdle() }
        let received = peer.received.sorted { $0.target < $1.target }
        #expect(
            received.map(\.target) == [
                "https://api.example.com/v1/a//b/", "https://api.example.com/v1?x&y=", "https://other.example/?q=1",
            ])
        #expect(received.contains { $0.headers[name] == "é: ü" })
        let other = try #require(received.last)
        #expect(other.body == "☕")
        #expect(other.headers[.authorization] == nil)
        #expect(other.key != nil)
        await peer.outbox.close()
    }

    @Test func `ten thousand items fit`() async throws {
        let outbox = try Outbox(path: folder.file())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10_000 {
                group.addTask { try await outbox.add(Self.request, orderKey: "\(number % 100)") }
            }
            try await group.waitForAll()
        }
        let full = await #expect(throws: OutboxError.self) { try await outbox.add(Self.request) }
        #expect(full?.code == .full)
        #expect(try await outbox.items(after: 9990).map(\.id) == Array(9991...10_000))
        #expect(try await outbox.items(in: [.parked]).isEmpty)
        await outbox.close()
    }
}
