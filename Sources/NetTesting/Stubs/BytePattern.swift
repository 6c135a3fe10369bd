public import NetCore

/// Bytes that tell their own position, so that a reader can check any part of a body of any size.
///
///     let isRight = BytePattern.matches(chunk, at: offset)
public enum BytePattern {
    /// The byte at an offset: its period of 251 x 256 bytes shows lost, repeated and swapped chunks of usual sizes.
    public static func byte(at offset: Int64) -> UInt8 {
        UInt8(truncatingIfNeeded: offset % 251 &+ offset / 251)
    }

    /// The bytes of a range.
    public static func bytes(from start: Int64, count: Int) -> Bytes {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var remainder = start % 251
            var quotient = start / 251
            for index in 0..<count {
                buffer[index] = UInt8(truncatingIfNeeded: remainder &+ quotient)
                remainder += 1
                if remainder == 251 {
                    remainder = 0
                    quotient += 1
                }
            }
            filled = count
        }
        return Bytes(bytes)
    }

    /// Whether the bytes are those of the pattern from `offset` on.
    public static func matches(_ bytes: some Sequence<UInt8>, at offset: Int64) -> Bool {
        var offset = offset
        for byte in bytes {
            guard byte == self.byte(at: offset) else { return false }
            offset += 1
        }
        return true
    }
}

/// Makes the pattern chunk by chunk.
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
