import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// The encoding of entries, and the memory of a cache.
@Suite struct CacheFilesTests {
    private typealias Made = CacheMade

    @Test func everyFieldOfAnEntryComesBack() throws {
        let parts: [CacheEntry.Part?] = [
            nil, .init(range: nil, requested: "bytes=1-"),
            .init(range: ContentRange(bytes: 2..<6, total: 10), requested: "r"),
            .init(range: ContentRange(bytes: 0..<0, total: nil), requested: ""),
        ]
        for (index, part) in parts.enumerated() {
            var entry = Made.entry(
                [.eTag: "\"é\"", .cacheControl: "max-age=1"], status: .init(code: 207, reasonPhrase: "Multi"),
                id: .max,
                delay: .milliseconds(-5), length: Int64.max - Int64(index), coding: .coded, part: part,
                vary: [.init(name: "a", value: nil), .init(name: "b", value: "")], tags: ["x", ""])
            entry.isOutdated = index % 2 == 1
            entry.digest = Bytes([1, 2, 3])
            let read = try #require(CacheEntry(encoded: entry.encoded(), key: entry.key))
            #expect(read.id == entry.id)
            #expect(read.status.reasonPhrase == "Multi")
            #expect(read.headers == entry.headers)
            #expect(read.part == part)
            #expect(read.coding == .coded)
            #expect(read.tags == ["x", ""])
            #expect(read.digest == entry.digest)
            #expect(read.selection == entry.selection)
            #expect(read.bodyLength == entry.bodyLength)
            #expect(read.isOutdated == entry.isOutdated)
            #expect(read.key == entry.key)
            #expect(read.responseDate == entry.responseDate)
            #expect(read.arrival.delay == .milliseconds(-5))
            #expect(read.arrival.reading == nil)
        }
        #expect(CacheEntry(encoded: Bytes([1]), key: Made.key()) == nil)
        let two = CacheEntryCoding.encode([Made.entry(), Made.entry(id: 2)], key: Made.key())
        #expect(CacheEntry(encoded: two, key: Made.key()) == nil)
        #expect(CacheEntryCoding.decode(two)?.entries.count == 2)
        let named = Made.key().sealed(.sealed("s"))
        #expect(CacheEntryCoding.decode(CacheEntryCoding.encode([], key: named))?.key == named)
        #expect(CacheEntryCoding.mark.count == 8)
        #expect(CacheEntryCoding.digestBytes == 32)
    }

    @Test func invalidEntriesAreNotDecoded() {
        func isRead(_ change: (inout CacheEntry) -> Void) -> Bool {
            var entry = Made.entry()
            change(&entry)
            return CacheEntry(encoded: entry.encoded(), key: entry.key) != nil
        }
        #expect(isRead { $0.bodyLength = 0 })
        #expect(!isRead { $0.bodyLength = -1 })
        #expect(!isRead { $0.arrival.date = Date(timeIntervalSinceReferenceDate: .nan) })
        for (code, isKnown) in [(99, false), (100, true), (999, true)] {
            let entry = Made.entry(status: .init(code: code))
            #expect((CacheEntry(encoded: entry.encoded(), key: entry.key) != nil) == isKnown, "\(code)")
        }
        func place(_ bytes: Range<Int64>) -> Bool {
            let entry = Made.entry(part: .init(range: ContentRange(bytes: bytes, total: 9), requested: "r"))
            return CacheEntry(encoded: entry.encoded(), key: entry.key) != nil
        }
        #expect(place(0..<1))
        #expect(place(0..<0))
        #expect(!place(-1..<1))
    }

    @Test func numbersAndTextsAreReadWholeOrNotAtAll() {
        var writer = CacheRecordWriter()
        writer.write(UInt64(0x0102_0304_0506_0708))
        #expect(writer.bytes == [8, 7, 6, 5, 4, 3, 2, 1])
        writer.write("é")
        writer.write(bytes: [9, 10])
        #expect(writer.bytes.count == 8 + 8 + 2 + 8 + 2)
        var reader = CacheRecordReader(Bytes(writer.bytes))
        #expect(reader.number() == 0x0102_0304_0506_0708)
        #expect(reader.string() == "é")
        #expect(reader.bytes() == [9, 10])
        #expect(reader.isAtEnd)
        #expect(reader.number() == nil)
        #expect(reader.bytes() == nil)
        func written(_ count: UInt64, _ bytes: [UInt8]) -> Bytes {
            var writer = CacheRecordWriter()
            writer.write(count)
            return Bytes(writer.bytes + bytes)
        }
        var short = CacheRecordReader(written(3, [1, 2]))
        #expect(short.bytes() == nil)
        var odd = CacheRecordReader(written(1, [0xff]))
        #expect(odd.string() == nil)
        func list(_ count: UInt64, _ bytes: [UInt8]) -> [UInt64]? {
            var reader = CacheRecordReader(written(count, bytes))
            return reader.list { $0.number() }
        }
        let number = [UInt8](repeating: 0, count: 8)
        #expect(list(0, []) == [])
        #expect(list(1, number) == [0])
        #expect(list(2, number) == nil)
        #expect(list(9, number) == nil)
        #expect(list(2, number + number) == [0, 0])
        #expect(list(.max, number) == nil)
    }

    private func memory(_ bodies: Int) -> MemoryCacheContents {
        MemoryCacheContents(maximumBytes: (Made.entry([:]).headLength + 10) * Int64(bodies))
    }

    private func entry(_ path: String, id: UInt64 = 1) -> CacheEntry {
        Made.entry([:], id: id, key: Made.key("https://h.test/" + path))
    }

    private let body = Bytes([UInt8](repeating: 1, count: 10))

    @Test func memoryHoldsSoManyBytesAndTheOldestGoes() {
        var contents = memory(3)
        for path in ["a", "b", "c"] { contents.insert(entry(path), body) { _ in true } }
        #expect(contents.count == 3)
        #expect(contents.bytes == contents.maximumBytes)
        #expect(contents.entries(for: entry("a").key).count == 1, "it is in use again")
        contents.insert(entry("d"), body) { _ in true }
        let there = ["a", "b", "c", "d"].map { contents.body(of: entry($0)) != nil }
        #expect(there == [true, false, true, true])
        #expect(contents.count == 3)
        #expect(contents.bytes == contents.maximumBytes)
        // The newest one is used again, without any change.
        #expect(contents.entries(for: entry("d").key).count == 1)
        contents.insert(entry("b"), body) { _ in true }
        #expect(contents.body(of: entry("c")) == nil)
        #expect(contents.body(of: entry("a")) == body)
        contents.insert(entry("large"), Bytes([UInt8](repeating: 1, count: 1000))) { _ in true }
        #expect(contents.count == 3)
        #expect(contents.body(of: entry("large")) == nil)
        contents.remove(entry("a").key) { _ in false }
        #expect(contents.count == 3)
        contents.removeAll { $0.key == entry("a").key }
        #expect(contents.count == 2)
        #expect(contents.bytes == contents.maximumBytes / 3 * 2)
        contents.remove(entry("none").key) { _ in true }
        contents.removeAll { _ in true }
        #expect(contents.count == 0)
        #expect(contents.bytes == 0)
        // The places of removed entries are reused, in the right order.
        for path in ["e", "f", "g", "h"] { contents.insert(entry(path), body) { _ in true } }
        #expect(["e", "f", "g", "h"].map { contents.body(of: entry($0)) != nil } == [false, true, true, true])
    }

    @Test func memoryHoldsSoManyVariantsOfAURL() {
        var contents = memory(100)
        for id in UInt64(1)...32 { contents.insert(entry("a", id: id), body) { _ in false } }
        #expect(contents.count == 32)
        #expect(contents.body(of: entry("a", id: 1)) != nil)
        contents.insert(entry("a", id: 33), body) { _ in false }
        #expect(contents.count == 32)
        #expect(contents.body(of: entry("a", id: 1)) == nil)
        #expect(contents.entries(for: entry("a").key).map(\.id.rawValue) == (2...33).map { $0 })
        contents.insert(entry("a", id: 34), body) { $0.id.rawValue < 33 }
        #expect(contents.entries(for: entry("a").key).map(\.id.rawValue) == [33, 34])
    }

    @Test func updatingAnEntryKeepsItsBodyAndRecountsItsSize() {
        var contents = memory(2)
        contents.insert(entry("a"), body) { _ in true }
        contents.insert(entry("b"), body) { _ in true }
        var longer = entry("b")
        longer.headers[.eTag] = "a"
        contents.update(longer)
        #expect(contents.body(of: entry("a")) == nil, "the older one had to make room")
        #expect(contents.count == 1, "the older one had to make room")
        #expect(contents.bytes == longer.headLength + 10)
        #expect(contents.body(of: longer) == body)
        contents.update(entry("a"))
        contents.update(entry("b", id: 9))
        #expect(contents.count == 1)
        #expect(contents.entries(for: longer.key).first?.headers == longer.headers)
    }

    @Test func slicesOfMemoryAreWithinTheBody() async throws {
        let store = MemoryCacheStore(maximumBytes: 10_000)
        let writer = try #require(await store.begin(entry("a"), length: 10))
        #expect(await writer.write(body))
        #expect(await writer.finish { _ in true })
        #expect(await !writer.write(body))
        #expect(await !writer.finish { _ in true }, "it is over")
        let stored = try #require(await store.entries(for: entry("a").key).first)
        #expect(stored.bodyLength == 10)
        for (slice, count): (Range<Int64>?, Int?) in [
            (nil, 10), (0..<10, 10), (2..<5, 3), (0..<11, nil), (-1..<5, nil),
        ] {
            let part = await store.body(of: stored, slice: slice)
            #expect(try await part?.collect(upTo: 100).count == count)
        }
    }

    @Test func aBodyInMemoryHasTheRoomOfOneEntry() async throws {
        let store = MemoryCacheStore(maximumBytes: 10_000)
        let room = store.maximumEntryBytes - entry("b").headLength
        #expect(await store.begin(entry("b"), length: room) != nil)
        #expect(await store.begin(entry("b"), length: room + 1) == nil)
        let exact = try #require(await store.begin(entry("b"), length: nil))
        #expect(await exact.write(Bytes([UInt8](repeating: 0, count: Int(room)))))
        #expect(await !exact.write(Bytes([1])))
        #expect(await !exact.finish { _ in true }, "one byte too many")
        let full = MemoryCacheStore(maximumBytes: 1000, maximumEntryBytes: entry("b").headLength)
        #expect(await full.begin(entry("b"), length: nil) != nil, "an empty body fits")
        #expect(await full.begin(entry("b"), length: 1) == nil)
        let cancelled = try #require(await store.begin(entry("c"), length: nil))
        cancelled.cancel()
        #expect(await !cancelled.write(body))
        #expect(store.count == 0)
    }
}
