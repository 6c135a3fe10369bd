#if Tools && Server
internal import NetTesting

/// Bytes that encode their position, in chunks of 64 KiB.
struct PatternChunks: IteratorProtocol, Sendable {
    var position: Int64 = 0
    let end: Int64

    mutating func next() -> StubChunk? {
        guard position < end else { return nil }
        let count = min(64 << 10, end - position)
        defer { position += count }
        return StubChunk(BytePattern.bytes(from: position, count: Int(count)))
    }
}
#endif
