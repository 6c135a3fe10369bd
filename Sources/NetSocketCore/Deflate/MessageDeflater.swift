internal import NetCompression
package import NetCore

/// The compression of one connection's outgoing messages (RFC 7692 section 7.2.1).
package struct MessageDeflater: ~Copyable, Sendable {
    /// The size of the tail of each flushed message, an empty uncompressed block, which isn't sent.
    static let tailBytes = 4

    private let kind: DeflatePool.Kind
    /// True if later messages may refer to earlier ones.
    let takesOverContext: Bool
    private let pool: DeflatePool
    /// The stream. With context takeover, it lives as long as the connection; otherwise only while a message is
    /// compressed.
    private var stream: DeflateStream?
    /// The extra room, beyond the size of the input, that has always been enough for zlib's headers and the flush.
    private static let slack = 64

    package init(_ settings: WebSocketCompression, pool: DeflatePool) {
        kind = DeflatePool.Kind(
            level: settings.level, windowBits: settings.sending.windowBits, memoryLevel: settings.memoryLevel)
        takesOverContext = settings.sending.takesOverContext
        self.pool = pool
    }

    /// Prepares for a message. Returns false if no memory is available for a stream; then the message is sent
    /// uncompressed.
    mutating func begin() -> Bool {
        if stream == nil { stream = pool.deflater(kind) }
        return stream != nil
    }

    /// Compresses one fragment, into room that the closure provides: at least the given number of bytes after those
    /// already written. Returns the size of the payload.
    mutating func compress(
        _ source: UnsafeRawBufferPointer, isFinal: Bool,
        _ room: (_ written: Int, _ more: Int) -> UnsafeMutableRawPointer
    ) -> Int {
        guard let stream else { return 0 }
        stream.begin(source)
        var (written, more) = (0, source.count + source.count >> 9 + Self.slack)
        while true {
            let count = stream.write(
                into: UnsafeMutableRawBufferPointer(start: room(written, more) + written, count: more))
            written += count
            guard count == more else { break }
            more = max(Self.slack, source.count / 4)
        }
        guard isFinal else { return written }
        // An empty message after a flush produces no output; the rest of its tail represents it (section 7.2.3.6).
        if written < Self.tailBytes {
            room(0, 1).storeBytes(of: 0, as: UInt8.self)
            written = Self.tailBytes + 1
        }
        return written - Self.tailBytes
    }

    /// Ends a message.
    mutating func end() {
        if !takesOverContext, let stream = stream.take() { pool.giveBack(stream, kind) }
    }
}
