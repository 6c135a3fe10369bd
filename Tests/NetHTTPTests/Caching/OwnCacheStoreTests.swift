#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Synchronization
import TestSupport
import Testing

/// A store as a user would write one, using only the public API: entries and bodies as bytes, by name.
private final class RowStore: HTTPCacheStore {
    struct Row: Sendable {
        var entry: Bytes
        var body: Bytes
    }

    let rows = Mutex<[String: [Row]]>([:])
    let secret = Bytes("secret of the store".utf8)

    func entries(for key: CacheKey) async -> [CacheEntry] {
        guard let name = key.name(secret: secret) else { return [] }
        return rows.withLock { $0[name] ?? [] }.compactMap { CacheEntry(encoded: $0.entry, key: key) }
    }

    func body(of entry: CacheEntry, slice: Range<Int64>?) async -> ResponseBody? {
        guard let name = entry.key.name(secret: secret) else { return nil }
        let found = rows.withLock { $0[name] ?? [] }.first {
            CacheEntry(encoded: $0.entry, key: entry.key)?.id == entry.id
        }
        guard let found else { return nil }
        return ResponseBody(slice.map { found.body[Int($0.lowerBound)..<Int($0.upperBound)] } ?? found.body)
    }

    func begin(_ entry: CacheEntry, length: Int64?) async -> (any HTTPCacheWriter)? {
        entry.key.name(secret: secret).map { Writer(self, $0, entry) }
    }

    func update(_ entry: CacheEntry) async {
        change(entry.key) { $0.id == entry.id ? entry : $0 }
    }

    func remove(_ key: CacheKey, where isMeant: @Sendable (CacheEntry) -> Bool) async {
        change(key) { isMeant($0) ? nil : $0 }
    }

    func removeAll(where isMeant: @Sendable (CacheEntry) -> Bool) async { rows.withLock { $0 = [:] } }

    func change(_ key: CacheKey, _ body: (CacheEntry) -> CacheEntry?) {
        guard let name = key.name(secret: secret) else { return }
        rows.withLock { rows in
            rows[name] = rows[name]?.compactMap { row in
                guard let entry = CacheEntry(encoded: row.entry, key: key), let new = body(entry) else { return nil }
                return Row(entry: new.encoded(), body: row.body)
            }
        }
    }

    private final class Writer: HTTPCacheWriter {
        let store: RowStore
        let name: String
        let entry: CacheEntry
        let bytes = Mutex<[UInt8]>([])

        init(_ store: RowStore, _ name: String, _ entry: CacheEntry) {
            self.store = store
            self.name = name
            self.entry = entry
        }

        func write(_ more: Bytes) async -> Bool {
            bytes.withLock { $0 += more }
            return true
        }

        func finish(replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async -> Bool {
            store.change(entry.key) { isReplaced($0) ? nil : $0 }
            let body = Bytes(bytes.withLock { $0 })
            var entry = entry
            entry.bodyLength = Int64(body.count)
            let row = Row(entry: entry.encoded(), body: body)
            store.rows.withLock { $0[name, default: []].append(row) }
            return true
        }

        func cancel() {}
    }
}

@Suite(.timeLimit(.minutes(1))) struct OwnCacheStoreTests {
    @Test func aStoreOfOnesOwnServesValidatesAndVaries() async throws {
        let store = RowStore()
        let stub = CountedServer.stub { _, _ in
            [.cacheControl: "max-age=10", .eTag: "\"a\"", .vary: "Accept-Language"]
        }
        let clock = TestClock()
        let setup = Fixture.Setup.client {
            $0.middleware = [CacheMiddleware(store)]
            $0.clock = clock.netClock
        }
        try await Fixture.run([stub], with: setup) { fixture in
            let first = try await fixture.client.get("x", as: String.self)
            let second = try await fixture.client.response(Request<String>("x"))
            #expect(first == "1")
            #expect(second.value == "1")
            #expect(second[.cacheStatus]?.contains("hit") == true)
            let german = try await fixture.client.send(Request<String>("x", headers: [.acceptLanguage: "de"]))
            #expect(german == "2")
            #expect(store.rows.withLock { $0.values.map(\.count) } == [2])
            await clock.advance(by: .seconds(11))
            let validated = try await fixture.client.response(Request<String>("x"))
            #expect(validated.value == "1")
            #expect(fixture.server.journal.requests.count == 3)
        }
    }

    @Test func aDamagedEntryIsNotThere() async throws {
        let store = RowStore()
        let setup = Fixture.Setup.client { $0.middleware = [CacheMiddleware(store)] }
        try await Fixture.run([CountedServer.stub { _, _ in [.cacheControl: "max-age=10"] }], with: setup) { fixture in
            let first = try await fixture.client.get("x", as: String.self)
            store.rows.withLock { rows in
                for (name, found) in rows {
                    rows[name] = found.map { row in
                        var bytes = Array(row.entry)
                        bytes[bytes.count / 2] ^= 1
                        return RowStore.Row(entry: Bytes(bytes), body: row.body)
                    }
                }
            }
            let second = try await fixture.client.get("x", as: String.self)
            #expect(first == "1")
            #expect(second == "2")
        }
    }

    @Test func aLoginOfThisProcessHasNoName() throws {
        func name(_ identity: CallIdentity, _ secret: String = "s") throws -> String? {
            try #require(CacheKey(url: "https://h.test/x", identity: identity)).name(secret: Bytes(secret.utf8))
        }
        #expect(try name(.everyone) != nil)
        #expect(try name(.everyone) == name(.everyone))
        #expect(try name(.named("ann")) != name(.everyone))
        #expect(try name(.named("ann")) != name(.named("bob")))
        #expect(try name(.named("ann")) != name(.named("ann"), "other"))
        #expect(try name(.unique()) == nil)
        #expect(try name(.holder(of: "t")) == nil)
    }
}
#endif
