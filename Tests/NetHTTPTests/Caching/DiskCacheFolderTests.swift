import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// The files of a cache, and the counted number of bytes.
@Suite struct DiskCacheFolderTests {
    private typealias Made = CacheMade

    private func with(_ maximumBytes: Int64 = 100_000, _ body: (DiskCacheFolder) throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let files = DiskCacheFolder(path: folder.path("a/cache"), maximumBytes: maximumBytes, transform: nil)
            #expect(files.make())
            try body(files)
        }
    }

    private func count(_ files: DiskCacheFolder) -> Int64? { files.locked { $0.value }.flatMap { $0 } }

    /// Stores an entry; returns the size of its body.
    private func store(
        _ path: String, in files: DiskCacheFolder, bytes: Int = 1000, id: UInt64 = 1
    ) -> CacheEntry? {
        var entry = Made.entry(id: id, key: Made.key("https://h.test/" + path))
        guard var draft = files.beginDraft(length: Int64(bytes)),
            files.write(Bytes([UInt8](repeating: 1, count: bytes)), to: &draft)
        else { return nil }
        entry.bodyLength = draft.count
        return files.commit(draft, as: entry) { $0.key == entry.key } ? entry : nil
    }

    private func size(_ files: DiskCacheFolder) throws -> Int64 {
        try files.names().filter { $0 != "secret" }.reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(files.path)/\(name)")
            return sum + ((attributes[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }

    @Test func filesAreNamedByTheirKey() async throws {
        try await with { files in
            let name = DiskCacheFolder.name(Made.key())
            #expect(name.count == 32)
            #expect(name != DiskCacheFolder.name(Made.key("https://h.test/y")))
            #expect(name != DiskCacheFolder.name(CacheKey(stored: Made.url, partition: "p", identity: .everyone)))
            #expect(name != DiskCacheFolder.name(Made.key().sealed(.sealed("s"))))
            #expect(files.headPath("n") == files.path + "/n.head")
            #expect(files.bodyPath("n", .init(rawValue: 255)) == files.path + "/n-00000000000000ff.body")
            #expect(files.draftPath() != files.draftPath())
            #expect(files.draftPath().hasSuffix(".draft"))
            try Data().write(to: URL(filePath: files.path + "/file"))
            let blocked = DiskCacheFolder(path: files.path + "/file/x", maximumBytes: 1, transform: nil)
            #expect(!blocked.make())
            #expect(blocked.names().isEmpty)
        }
        for (maximum, growth): (Int64, Int64) in [(0, 0), (32, 1), (64, 2), (8 << 20, 262_144), (64 << 20, 262_144)] {
            #expect(DiskCacheFolder(path: "/none", maximumBytes: maximum, transform: nil).growth == growth)
        }
    }

    @Test func theCountIsNeverNegativeAndFoundAgain() async throws {
        try await with { files in
            #expect(count(files) == 16, "the file of the count itself")
            _ = files.locked { $0.set(500) }
            _ = files.locked { $0.add(-100) }
            #expect(count(files) == 400)
            _ = files.locked { $0.add(-500) }
            #expect(count(files) == 0)
            // An invalid count is replaced by a new one.
            for bytes in [[UInt8](repeating: 7, count: 16), [], [UInt8](repeating: 0, count: 17)] {
                try Data(bytes).write(to: URL(filePath: files.path + "/count"))
                #expect(count(files) == 16)
            }
        }
    }

    @Test func roomIsGivenUpToTheLimit() async throws {
        try await with(1000) { files in
            func reserve(_ bytes: Int64) -> Bool { files.locked { files.reserve(bytes, &$0) } ?? false }
            #expect(!reserve(1001))
            #expect(reserve(984))
            #expect(count(files) == 1000)
            // Nothing is stored: the reservation of a process that has ended is released.
            #expect(reserve(1))
            #expect(count(files) == 17)
            #expect(!reserve(1000), "the count has its own room")
        }
    }

    @Test func aDraftGrowsAndGivesBackWhatItDoesNotNeed() async throws {
        try await with(320_000) { files in
            var draft = try #require(files.beginDraft(length: nil))
            #expect(draft.reserved == 10_000)
            #expect(count(files) == 10_016)
            #expect(draft.file.status?.length == 10_000)
            #expect(files.write(Bytes([UInt8](repeating: 1, count: 9_000)), to: &draft))
            #expect(draft.reserved == 10_000)
            #expect(files.write(Bytes([UInt8](repeating: 1, count: 1_000)), to: &draft))
            #expect(draft.reserved == 10_000)
            #expect(files.write(Bytes([1]), to: &draft))
            #expect(draft.reserved == 20_000)
            #expect(count(files) == 20_016)
            #expect(files.write(Bytes([UInt8](repeating: 1, count: 50_000)), to: &draft))
            #expect(draft.reserved == 60_001)
            #expect(draft.written == 60_001)
            #expect(draft.count == 60_001)
            files.discard(draft)
            #expect(count(files) == 16)
            #expect(files.names() == ["count"])
            var small = try #require(files.beginDraft(length: 5_000))
            #expect(small.reserved == 5_000)
            #expect(files.write(Bytes([1, 2, 3]), to: &small))
            #expect(files.commit(small, as: Made.entry(length: 3)) { _ in true })
            #expect(try count(files) == size(files))
            #expect(files.head(of: Made.key(), DiskCacheFolder.name(Made.key())).entries.count == 1)
            #expect(files.beginDraft(length: 320_001) == nil)
        }
    }

    @Test func theCountIsThatOfTheFiles() async throws {
        try await with { files in
            let first = try #require(store("1", in: files))
            let second = try #require(store("2", in: files))
            #expect(try count(files) == size(files))
            // Replaces the older one.
            _ = store("1", in: files, bytes: 3000, id: 2)
            #expect(try count(files) == size(files))
            _ = files.locked { count in
                files.change(second.key, DiskCacheFolder.name(second.key), &count) { $0.removeAll() }
            }
            #expect(try count(files) == size(files))
            #expect(files.names().count == 3)
            #expect(files.head(of: second.key, DiskCacheFolder.name(second.key)).entries.isEmpty)
            #expect(files.head(of: first.key, DiskCacheFolder.name(first.key)).length > 0)
            #expect(files.head(of: second.key, DiskCacheFolder.name(first.key)).entries.isEmpty, "of another key")
            try Data("x".utf8).write(to: URL(filePath: files.headPath(DiskCacheFolder.name(first.key))))
            files.removeDamaged(first.key)
            #expect(count(files) == 16)
            #expect(files.names() == ["count"])
        }
    }

    @Test func aHeadKeepsSoManyVariants() async throws {
        try await with(1_000_000) { files in
            for id in UInt64(1)...33 {
                let draft = try #require(files.beginDraft(length: 0))
                #expect(files.commit(draft, as: Made.entry(id: id, length: 0)) { _ in false })
            }
            let entries = files.head(of: Made.key(), DiskCacheFolder.name(Made.key())).entries
            #expect(entries.map(\.id.rawValue) == (2...33).map { UInt64($0) })
            #expect(files.names().count { $0.hasSuffix(".body") } == 32)
            #expect(try count(files) == size(files))
        }
    }

    private func age(_ path: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
    }

    @Test func leastRecentlyUsedEntriesAreRemovedFirst() async throws {
        try await with { files in
            let entries = try (1...4).map { try #require(store("\($0)", in: files, bytes: 10_000)) }
            for (index, entry) in entries.enumerated() {
                try age(files.headPath(DiskCacheFolder.name(entry.key)), [3000, 1000, 2000, 4000][index])
            }
            func left() -> [Bool] {
                entries.map { !files.head(of: $0.key, DiskCacheFolder.name($0.key)).entries.isEmpty }
            }
            _ = files.locked { files.sweep(&$0) }
            #expect(left() == [true, true, true, true], "all fit")
            _ = files.locked { files.sweep(&$0, to: 32_000) }
            #expect(left() == [true, false, true, true])
            #expect(try count(files) == size(files))
            // If room is needed, entries are removed down to nine tenths of the limit.
            _ = files.locked { files.sweep(&$0, making: 60_000) }
            #expect(left() == [true, false, true, true])
            #expect(try count(files) == size(files))
            _ = files.locked { files.sweep(&$0, making: 75_000) }
            #expect(left() == [true, false, false, true])
            #expect(try count(files) == size(files))
            _ = files.locked { files.sweep(&$0, to: 0) }
            #expect(left() == [false, false, false, false])
            #expect(count(files) == 16)
        }
    }

    @Test func unreferencedCacheFilesAreRemoved() async throws {
        try await with { files in
            let entry = try #require(store("1", in: files))
            let name = DiskCacheFolder.name(entry.key)
            for stray in ["\(name)-0000000000000009.body", "\(DiskCacheFolder.name(Made.key()))-01.body", "1-2.draft"] {
                try Data("stray".utf8).write(to: URL(filePath: files.path + "/" + stray))
            }
            try Data("other".utf8).write(to: URL(filePath: files.path + "/notes.txt"))
            let held = try #require(files.beginDraft(length: 7))
            _ = files.locked { files.sweep(&$0) }
            let names = Set(files.names().map { URL(filePath: $0).pathExtension })
            #expect(names == ["head", "body", "draft", "txt", ""])
            #expect(files.names().count == 5)
            #expect(try count(files) == size(files), "what isn't the cache's takes room too")
            files.discard(held)
            let copy = try #require(DiskCacheFile.open(files.bodyPath(name, entry.id)))
            #expect(copy.read(at: 0, count: 1000) != nil)
            #expect(copy.read(at: 1, count: 1000) == nil)
        }
    }

    @Test func aHeadIsMarkedAsUsedOnceAMinute() async throws {
        try await with { files in
            let entry = try #require(store("1", in: files))
            let name = DiskCacheFolder.name(entry.key)
            func isTouched(_ used: Int64, now: Int64?) throws -> Bool {
                try age(files.headPath(name), Double(used))
                _ = files.head(of: entry.key, name, now: now)
                return DiskCacheFile.open(files.headPath(name))?.status?.used != used
            }
            #expect(try !isTouched(1000, now: 1059))
            #expect(try isTouched(1000, now: 1060))
            #expect(try isTouched(1000, now: 999))
            #expect(try !isTouched(1000, now: 1000))
            #expect(try !isTouched(1000, now: nil))
        }
    }
}
