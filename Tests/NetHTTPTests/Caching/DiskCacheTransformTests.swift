#if Server
@testable import NetHTTP
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

/// Files whose contents differ from the stored bytes.
@Suite(.timeLimit(.minutes(2))) struct DiskCacheTransformTests {
    /// Not encryption: a mark, and every byte changed.
    static let transform = DiskCacheStore.Transform(
        seal: { Bytes([1, 2, 3] + $0.map { $0 ^ 0x5a }) },
        open: { $0.count >= 3 && $0.starts(with: [1, 2, 3]) ? Bytes($0.dropFirst(3).map { $0 ^ 0x5a }) : nil })

    private func store(_ folder: TemporaryFolder, _ transform: DiskCacheStore.Transform? = transform) -> DiskCacheStore
    {
        DiskCacheStore(
            folder: folder.path("cache/http"), maximumBytes: 16 << 20, maximumEntryBytes: 16 << 20, transform: transform
        )
    }

    private func body(_ count: Int) -> Bytes { Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }) }

    @Test func readingAnEntryRequiresItsTransform() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let secret = Bytes("a secret body that nobody reads on disk".utf8)
            let entry = try CacheEntry.sample("http://a/secret-path", headers: [.eTag: "\"secret-tag\""])
            #expect(await store(folder).put(entry, secret))
            #expect(try await store(folder).get("http://a/secret-path") == secret)
            let files = folder.path("cache/http")
            for name in try FileManager.default.contentsOfDirectory(atPath: files) {
                let file = try Data(contentsOf: URL(filePath: "\(files)/\(name)"))
                #expect(file.range(of: Data("secret".utf8)) == nil, "\(name)")
            }
            #expect(try await store(folder, nil).get("http://a/secret-path") == nil)
        }
    }

    /// The last one is read piece by piece.
    @Test(arguments: [0, 10, 64 << 10, (64 << 10) + 1, (1 << 20) + 70_000])
    func slicesAreCutOutOfABody(count: Int) async throws {
        let mark = Bytes("mark".utf8)
        let marking = DiskCacheStore.Transform(
            seal: { Bytes.join([mark, $0], count: $0.count + 4) },
            open: { $0.starts(with: mark) ? $0[4..<$0.count] : nil })
        try await TemporaryFolder.with { (folder) async throws in
            let (store, body) = (store(folder, marking), BytePattern.bytes(from: 0, count: count))
            #expect(try await store.put(.sample("http://a/1"), body))
            #expect(try await store.get("http://a/1") == body)
            let key = try #require(CacheKey(url: "http://a/1"))
            let entry = try #require(await store.entries(for: key).first)
            #expect(entry.bodyLength == Int64(count))
            for slice in [0..<count, count / 3..<count, count / 2..<count / 2 + min(count / 2, 3)] {
                let part = await store.body(of: entry, slice: Int64(slice.lowerBound)..<Int64(slice.upperBound))
                #expect(try await part?.collect(upTo: 1 << 30) == body[slice])
            }
        }
    }

    @Test func aFlippedBitIsAMiss() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let files = folder.path("cache/http")
            let (store, body) = (store(folder), body(100))
            for ending in [".body", ".head"] {
                var place = 0
                while true {
                    try await store.put(.sample("http://a/1", id: 7), body)
                    let name = try #require(
                        FileManager.default.contentsOfDirectory(atPath: files).first { $0.hasSuffix(ending) })
                    var file = try Data(contentsOf: URL(filePath: "\(files)/\(name)"))
                    guard place < file.count else { break }
                    file[place] ^= 1
                    try file.write(to: URL(filePath: "\(files)/\(name)"))
                    #expect(try await store.get("http://a/1") == nil, "\(ending) \(place)")
                    place += 7
                }
            }
        }
    }

    @Test func theSpaceOfWhatIsRemovedIsCounted() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = store(folder)
            try await store.prepare()
            let empty = await store.bytes
            for number in 0..<5 { try await store.put(.sample("http://a/\(number)"), body(200_000)) }
            #expect(try await store.bytes == CacheStoreTests.size(folder.path("cache/http")))
            #expect(await store.bytes > 1_000_000)
            await store.removeAll()
            #expect(await store.bytes == empty)
        }
    }

    @Test func entriesThatCannotBeSealedAreNotStored() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            let store = store(folder, DiskCacheStore.Transform(seal: { _ in nil }, open: { $0 }))
            try await store.prepare()
            let empty = await store.bytes
            #expect(try await !store.put(.sample("http://a/1"), body(10)))
            #expect(try await !store.put(.sample("http://a/1"), Bytes()))
            let (bytes, count) = (await store.bytes, await store.count)
            #expect(bytes == empty)
            #expect(count == 0)
        }
    }
}
#endif
