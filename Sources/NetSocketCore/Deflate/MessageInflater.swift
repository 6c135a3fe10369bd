internal import NetCompression
package import NetCore

/// The decompression of one connection's incoming messages (RFC 7692 section 7.2.2).
package struct MessageInflater: ~Copyable, Sendable {
    private let windowBits: Int
    private let takesOverContext: Bool
    private let pool: DeflatePool
    /// The stream. With context takeover, it lives as long as the connection; otherwise only while a message arrives.
    private var stream: InflateStream?

    package init(_ settings: WebSocketCompression, pool: DeflatePool) {
        windowBits = settings.receiving.windowBits
        takesOverContext = settings.receiving.takesOverContext
        self.pool = pool
    }

    /// Decompresses bytes of a message. A violation is returned together with the number of bytes written before it.
    mutating func inflate(
        _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> (consumed: Int, written: Int, violation: WebSocketViolation?) {
        if stream == nil { stream = pool.inflater(windowBits: windowBits) }
        guard let stream else { return (0, 0, Self.noMemory) }
        let step = stream.inflate(bytes, into: room)
        let violation = step.failure.map { $0 == .outOfMemory ? Self.noMemory : Self.corrupt }
        return (step.consumed, step.written, violation)
    }

    private static let noMemory = WebSocketViolation(.internalError, "out of memory while decompressing a message")
    private static let corrupt = WebSocketViolation(.invalidPayload, "a compressed message isn't valid DEFLATE")

    /// Ends a message.
    mutating func end() {
        if !takesOverContext, let stream = stream.take() { pool.giveBack(stream, windowBits: windowBits) }
    }
}
