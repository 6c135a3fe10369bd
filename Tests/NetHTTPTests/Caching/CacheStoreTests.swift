#if Server
@testable import NetHTTP
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Both stores have the same behavior.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, disk

    var testDescription: String { rawValue }

    func make(_ folder: TemporaryFolder, maximumBytes: Int64 = 1 << 20) -> any HTTPCacheStore {
        switch self {
        case .memory: MemoryCacheStore(maximumBytes: maximumBytes, maximumEntryBytes: maximumBytes)
        case .disk:
            DiskCacheStore(
                folder: folder.path("cache/http"), maximumBytes: maximumBytes, maximumEntryBytes: maximumBytes)
        }
    }
}

extension CacheEntry {
    /// Returns an entry like that of a server's response.
    static func sample(
        _ url: String, headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""], tags: [String] = [],
        date: Date = Date(), id: UInt64 = .random(in: 0 ... .max)
    ) throws -> CacheEntry {
        CacheEntry(
            id: ID(rawValue: id), key: try #require(CacheKey(url: url)), status: .ok, headers: headers,
            arrival: Arrival(date: date, reading: nil, delay: .milliseconds(5)), tags: tags,
            selection: VarySelection(headers: [.init(name: "accept", value: nil), .init(name: "a", value: "b\u{e9}")]),
            coding: .none, part: Part(range: ContentRange(bytes: 0..<5, total: 9), requested: "bytes=0-4"))
    }
}

extension HTTPCacheStore {
    /// Stores an entry; returns false if that fails.
    @discardableResult
    func put(_ entry: CacheEntry, _ body: Bytes) async -> Bool {
        guard let writer = await begin(entry, length: Int64(body.count)), await writer.write(body) else { return false }
        return await writer.finish { $0.key == entry.key }
    }

    /// Returns the body for a URL; nil if there is none.
    func get(_ url: String) async throws -> Bytes? {
        guard let entry = await entries(for: try #require(CacheKey(url: url))).first,
            let body = await body(of: entry, slice: nil)
        else { return nil }
        return try await body.collect(upTo: 1 << 30)
    }
}

@Suite(.timeLimit(.minutes(3))) struct CacheStoreTests {
    @Test(arguments: StoreKind.allCases) func storedEntriesRemainUntilTheyAreRemoved(kind: StoreKind) async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = kind.make(folder)
            let old = Date(timeIntervalSince1970: 1000)
            #expect(try await store.put(.sample("http://a/1", tags: ["t"]), Bytes("one".utf8)))
            #expect(try await store.put(.sample("http://a/2", date: old), Bytes("two".utf8)))
            #expect(try await store.put(.sample("http://b/3"), Bytes()))
            #expect(try await store.get("http://a/1") == Bytes("one".utf8))
            #expect(try await store.get("http://b/3") == Bytes())
            await store.removeAll(storedBefore: Date(timeIntervalSince1970: 2000))
            #expect(try await store.get("http://a/2") == nil)
            await store.removeAll(taggedWith: "t")
            #expect(try await store.get("http://a/1") == nil)
            #expect(try await store.get("http://b/3") != nil)
            await store.removeAll(from: "HTTP://B:80")
            #expect(try await store.get("http://b/3") == nil)
        }
    }

    @Test(arguments: StoreKind.allCases) func slicesAreCutOutOfABody(kind: StoreKind) async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = kind.make(folder, maximumBytes: 16 << 20)
            for count in [10, 3 << 20] {
                let body = Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                #expect(try await store.put(.sample("http://a/\(count)"), body))
                let key = try #require(CacheKey(url: "http://a/\(count)"))
                let entry = try #require(await store.entries(for: key).first)
                let slice = try #require(await store.body(of: entry, slice: 3..<Int64(count - 2)))
                #expect(try await slice.collect(upTo: 1 << 30) == body[3..<(count - 2)])
                #expect(await store.body(of: entry, slice: 3..<Int64(count + 1)) == nil)
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func itStaysBelowItsBoundAndKeepsWhatIsUsed(kind: StoreKind) async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = kind.make(folder, maximumBytes: 200_000)
            let body = Bytes([UInt8](repeating: 7, count: 10_000))
            for number in 0..<60 {
                try await store.put(.sample("http://a/\(number)"), body)
                if kind == .memory { #expect(try await store.get("http://a/0") != nil, "\(number)") }
                #expect(try Self.size(folder.path("cache/http")) <= 200_000)
            }
            #expect(try await store.get("http://a/59") != nil)
            #expect(try await !store.put(.sample("http://a/x"), Bytes([UInt8](repeating: 7, count: 200_000))))
            if let memory = store as? MemoryCacheStore {
                #expect(memory.bytes <= 200_000)
                #expect(memory.count > 10)
            }
        }
    }

    /// Returns the number of bytes of all files in a folder.
    static func size(_ path: String) throws -> Int64 {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return try FileManager.default.contentsOfDirectory(atPath: path).reduce(0) { sum, name in
            var status = stat()
            return stat("\(path)/\(name)", &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    @Test func theLeastRecentlyUsedGoesFirst() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = StoreKind.disk.make(folder, maximumBytes: 100_000)
            let body = Bytes([UInt8](repeating: 7, count: 20_000))
            for number in 0..<4 { try await store.put(.sample("http://a/\(number)"), body) }
            // Sets times of last use in the past, the first file's being the latest.
            for number in 0..<4 {
                let name = DiskCacheFolder.name(try #require(CacheKey(url: "http://a/\(number)")))
                let date = Date(timeIntervalSinceNow: number == 0 ? -1000 : -5000 + Double(number))
                try FileManager.default.setAttributes(
                    [.modificationDate: date], ofItemAtPath: folder.path("cache/http/\(name).head"))
            }
            try await store.put(.sample("http://a/4"), body)
            #expect(try await store.get("http://a/0") != nil)
            #expect(try await store.get("http://a/1") == nil)
            #expect(try await store.get("http://a/4") != nil)
        }
    }

    @Test func itIsThereAgainAfterARestart() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let entry = try CacheEntry.sample("http://a/1", tags: ["x", "y"])
            await StoreKind.disk.make(folder).put(entry, Bytes("one".utf8))
            let found = try #require(await StoreKind.disk.make(folder).entries(for: entry.key).first)
            #expect(found.id == entry.id)
            #expect(found.status == entry.status)
            #expect(found.headers == entry.headers)
            #expect(found.tags == entry.tags)
            #expect(found.selection == entry.selection)
            #expect(found.part == entry.part)
            #expect(found.responseDate == entry.responseDate)
            #expect(found.arrival.delay == entry.arrival.delay)
            #expect(try await StoreKind.disk.make(folder).get("http://a/1") == Bytes("one".utf8))
        }
    }

    @Test func aFlippedBitAnywhereIsAMiss() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let files = folder.path("cache/http")
            let body = Bytes("the body that was stored".utf8)
            try await StoreKind.disk.make(folder).put(.sample("http://a/1"), body)
            let names = try FileManager.default.contentsOfDirectory(atPath: files)
            #expect(names.count == 3)
            for name in names {
                let original = try Data(contentsOf: URL(filePath: "\(files)/\(name)"))
                for place in original.indices {
                    // Damaged files are removed, so all files are restored first.
                    try await Self.restore(files, from: folder, body)
                    var damaged = original
                    damaged[place] ^= 1 << UInt8(place % 8)
                    try damaged.write(to: URL(filePath: "\(files)/\(name)"))
                    let found = try await StoreKind.disk.make(folder).get("http://a/1")
                    #expect(found == (name == "count" ? body : nil), "\(name) \(place)")
                }
                try await Self.restore(files, from: folder, body)
            }
        }
    }

    /// Copies the files on the first call, and restores them from the copy on later calls.
    private static func restore(_ files: String, from folder: TemporaryFolder, _ body: Bytes) async throws {
        let copy = folder.path("copy")
        let manager = FileManager.default
        if !manager.fileExists(atPath: copy) { try manager.copyItem(atPath: files, toPath: copy) }
        try? manager.removeItem(atPath: files)
        try manager.copyItem(atPath: copy, toPath: files)
    }

    @Test func aFileIsReadWholeOrNotAtAll() throws {
        let entries = [try CacheEntry.sample("http://a/1"), try CacheEntry.sample("http://a/1")]
        let file = CacheEntryCoding.encode(entries, key: entries[0].key)
        #expect(CacheEntryCoding.decode(file)?.entries.count == 2)
        for end in 0..<file.count { #expect(CacheEntryCoding.decode(file[0..<end]) == nil) }
        #expect(CacheEntryCoding.decode(Bytes(Array(file) + [0])) == nil)
    }

    @Test func entriesOnDiskAreCountedAndPruned() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = DiskCacheStore(folder: folder.path("cache/http"), maximumBytes: 1 << 20)
            #expect(await store.count == 0)
            for number in 0..<5 {
                try await store.put(.sample("http://a/\(number)"), Bytes([UInt8](repeating: 1, count: 10_000)))
            }
            #expect(await store.count == 5)
            let name = DiskCacheFolder.name(try #require(CacheKey(url: "http://a/3")))
            for number in 0..<5 where number != 3 {
                let other = DiskCacheFolder.name(try #require(CacheKey(url: "http://a/\(number)")))
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -1000)],
                    ofItemAtPath: folder.path("cache/http/\(other).head"))
            }
            // A body that no head refers to.
            try folder.write("stray", to: "cache/http/\(name)-0000000000000000.body")
            await store.prune()
            #expect(await store.count == 5)
            #expect(!FileManager.default.fileExists(atPath: folder.path("cache/http/\(name)-0000000000000000.body")))
            await store.prune(to: 15_000)
            #expect(await store.count == 1)
            #expect(try await store.get("http://a/3") != nil)
            #expect(try await store.bytes == Self.size(folder.path("cache/http")))
            await store.prune(to: -1)
            #expect(await store.count == 0)
        }
    }

    /// The cost of storing one entry must not depend on the number of entries.
    @Test func storingTouchesNoOtherEntry() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = DiskCacheStore(folder: folder.path("cache/http"), maximumBytes: 64 << 20)
            for number in 0..<200 { try await store.put(.sample("http://a/\(number)"), Bytes("x".utf8)) }
            let files = folder.path("cache/http")
            let heads = try FileManager.default.contentsOfDirectory(atPath: files).filter { $0.hasSuffix(".head") }
            // Reading another entry would detect damage, and examine the whole folder.
            for name in heads { try Data().write(to: URL(filePath: "\(files)/\(name)")) }
            try await store.put(.sample("http://b/1"), Bytes("x".utf8))
            #expect(try await store.get("http://b/1") == Bytes("x".utf8))
            let left = try FileManager.default.contentsOfDirectory(atPath: files)
            #expect(left.filter { $0.hasSuffix(".head") }.count == 201)
            #expect(left.filter { $0.hasSuffix(".body") }.count == 201)
        }
    }

    @Test func unwritableFolderFailsPreparationAndStoresNothing() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            try folder.write("", to: "file")
            let store = DiskCacheStore(folder: folder.path("file/cache"))
            let error = await #expect(throws: NetError.self) { try await store.prepare() }
            #expect(error?.code == .file)
            #expect(try await !store.put(.sample("http://a/1"), Bytes("x".utf8)))
            #expect(try await store.get("http://a/1") == nil)
        }
    }

    @Test func aFolderWhoseLockCannotBeHadIsNotReady() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            try FileManager.default.createDirectory(
                atPath: folder.path("cache/count"), withIntermediateDirectories: true)
            let store = DiskCacheStore(folder: folder.path("cache"))
            let error = await #expect(throws: NetError.self) { try await store.prepare() }
            #expect(error?.code == .file)
        }
    }

    @Test func aDraftWhoseWriterDiedGoesWhenTheFolderIsFull() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = StoreKind.disk.make(folder, maximumBytes: 100_000)
            try await store.put(.sample("http://a/1"), Bytes("x".utf8))
            let stray = folder.path("cache/http/1-1.draft")
            try Data(count: 90_000).write(to: URL(filePath: stray))
            // The draft isn't counted yet; an empty count file makes the store count again.
            try Data().write(to: URL(filePath: folder.path("cache/http/count")))
            try await store.put(.sample("http://a/2"), Bytes([UInt8](repeating: 1, count: 50_000)))
            #expect(!FileManager.default.fileExists(atPath: stray))
            #expect(try await store.get("http://a/2") != nil)
        }
    }

    #if os(Linux)
    /// Fills and reads a folder until the process is killed.
    static func work(_ folder: String, seed: UInt64) async throws {
        let store = DiskCacheStore(folder: folder, maximumBytes: 2 << 20, maximumEntryBytes: 1 << 20)
        var random = SeededRandom(seed: seed).netRandom
        Thread.detachNewThread {
            usleep(UInt32(1000 + seed % 400_000))
            kill(getpid(), SIGKILL)
        }
        while true {
            let number = Int.random(in: 0..<40, using: &random)
            let count = Int.random(in: 0..<120_000, using: &random)
            try await check(store, number)
            try await store.put(.sample("http://a/\(number)"), bytes(number, count))
            if number == 7 { await store.remove(try #require(CacheKey(url: "http://a/\(number)"))) }
        }
    }

    /// Returns a body that contains its owner and length, so that a torn or foreign one is detected.
    static func bytes(_ number: Int, _ count: Int) -> Bytes {
        let mark = Array("\(number) \(count) ".utf8)
        return Bytes((0..<count).map { mark[$0 % mark.count] })
    }

    static func check(_ store: DiskCacheStore, _ number: Int) async throws {
        guard let body = try await store.get("http://a/\(number)") else { return }
        guard body == bytes(number, body.count) else { ThisProcess.fail("the body of \(number) is torn or another's") }
    }

    @Test func processesThatAreKilledLeaveAWholeCache() async throws {
        let rounds = ProcessInfo.processInfo.environment["NET_CACHE_KILLS"].flatMap { Int($0) } ?? 10
        try await TemporaryFolder.with { (folder) async throws in
            let path = folder.path("cache")
            for _ in 0..<rounds {
                await withTaskGroup { group in
                    for _ in 0..<2 {
                        let seed = UInt64.random(in: 0 ... .max)
                        group.addTask {
                            await #expect(processExitsWith: .signal(SIGKILL)) {
                                [path = path as String, seed = seed as UInt64] in
                                try await CacheStoreTests.work(path, seed: seed)
                            }
                        }
                    }
                }
                #expect(try Self.size(path) <= 2 << 20)
                let store = DiskCacheStore(folder: path, maximumBytes: 2 << 20, maximumEntryBytes: 1 << 20)
                for number in 0..<40 {
                    let body = try await store.get("http://a/\(number)")
                    #expect(body.map { $0 == Self.bytes(number, $0.count) } ?? true, "\(number)")
                }
                #expect(try await store.put(.sample("http://a/1"), Self.bytes(1, 1000)))
                #expect(try await store.get("http://a/1") == Self.bytes(1, 1000))
            }
        }
    }
    #endif
}
#endif
