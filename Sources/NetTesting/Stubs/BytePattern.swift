public import NetCore

/// Bytes that encode their own position, so that a reader can check any part of a body of any size.
///
///     let isRight = BytePattern.matches(chunk, at: offset)
public enum BytePattern {
    /// The byte at an offset. The period of 251 x 256 bytes reveals lost, repeated and swapped chunks of usual sizes.
    public static func byte(at offset: Int64) -> UInt8 {
        UInt8(truncatingIfNeeded: offset % 251 &+ offset / 251)
    }

    private static let period: Int64 = 251 * 256
    /// Two periods, so that a stretch of one period can start anywhere: copying and comparing stretches is cheap even
    /// in debug builds.
    private static let table: [UInt8] = (0..<2 * period).map { byte(at: $0) }

    /// The bytes of a range.
    public static func bytes(from start: Int64, count: Int) -> Bytes {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            bytes += stretch(at: start + Int64(bytes.count), atMost: count - bytes.count)
        }
        return Bytes(bytes)
    }

    /// Indicates whether the bytes equal the pattern from `offset` on.
    public static func matches(_ bytes: some Sequence<UInt8>, at offset: Int64) -> Bool {
        var rest = Array(bytes)[...]
        var offset = offset
        while !rest.isEmpty {
            let expected = stretch(at: offset, atMost: rest.count)
            guard rest.prefix(expected.count) == expected else { return false }
            rest = rest.dropFirst(expected.count)
            offset += Int64(expected.count)
        }
        return true
    }

    /// At most a period of the pattern from `offset` on.
    private static func stretch(at offset: Int64, atMost count: Int) -> ArraySlice<UInt8> {
        let start = Int(offset % period)
        return table[start..<start + min(count, Int(period))]
    }
}

/// Generates the pattern chunk by chunk.
struct PatternIterator: IteratorProtocol, Sendable {
    var position: Int64
    let end: Int64
    let chunk: Int

    mutating func next() -> StubChunk? {
        guard position < end else { return nil }
        let count = Int(min(Int64(chunk), end - position))
        defer { position += Int64(count) }
        return StubChunk(BytePattern.bytes(from: position, count: count))
    }
}
