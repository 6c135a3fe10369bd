import Testing

@testable import NetSocketCore

/// The compression streams that connections share.
struct DeflatePoolTests {
    private typealias Kind = DeflatePool.Kind
    private let kind = Kind(level: 3, windowBits: 12, memoryLevel: 4)

    @Test func twoStreamsOfOneKindAreKept() throws {
        let pool = DeflatePool()
        let streams = try (0..<3).map { _ in try #require(pool.deflater(kind)) }
        #expect(Set(streams.map(ObjectIdentifier.init)).count == 3)
        for stream in streams { pool.giveBack(stream, kind) }
        let again = try (0..<3).map { _ in try #require(pool.deflater(kind)) }
        #expect(again[0] === streams[1])
        #expect(again[1] === streams[0])
        #expect(!streams.contains { $0 === again[2] })
    }

    @Test func aStreamIsLentForItsKindOnly() throws {
        let pool = DeflatePool()
        let stream = try #require(pool.deflater(kind))
        pool.giveBack(stream, kind)
        for other in [
            Kind(level: 4, windowBits: 12, memoryLevel: 4), Kind(level: 3, windowBits: 13, memoryLevel: 4),
            Kind(level: 3, windowBits: 12, memoryLevel: 5),
        ] { #expect(pool.deflater(other) !== stream) }
        #expect(pool.deflater(kind) === stream)
    }

    @Test func twoStreamsThatExpandAreKeptForEachWindow() throws {
        let pool = DeflatePool()
        let streams = try (0..<3).map { _ in try #require(pool.inflater(windowBits: 12)) }
        for stream in streams { pool.giveBack(stream, windowBits: 12) }
        #expect(pool.inflater(windowBits: 13) !== streams[1])
        let again = try (0..<3).map { _ in try #require(pool.inflater(windowBits: 12)) }
        #expect(again[0] === streams[1])
        #expect(again[1] === streams[0])
        #expect(!streams.contains { $0 === again[2] })
    }
}
