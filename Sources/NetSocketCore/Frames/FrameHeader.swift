internal import NetCore

/// The header of a frame (RFC 6455 section 5.2): two to fourteen bytes.
struct FrameHeader {
    var opcode: Opcode
    /// The first byte, kept whole: storing its bits one by one and loading them together costs a stall for each frame,
    /// a quarter of the time of a short message.
    private var first: UInt8
    /// The length of the payload, in bytes.
    var length: Int
    /// The mask key, with its first byte lowest; 0, which has no effect, for an unmasked frame.
    var key: UInt32
    /// The length of the header itself, in bytes.
    var size: Int

    var isFinal: Bool { first & 0x80 != 0 }
    /// True for the first frame of a compressed message (RFC 7692 section 6).
    var isCompressed: Bool { first & 0x40 != 0 }

    /// The maximum size of a control frame, in bytes: header, key and 125 bytes of payload.
    static let largestControlFrame = 2 + 4 + 125

    /// Parses a header sent by the peer of an endpoint in `role`; nil if it isn't complete.
    ///
    /// Throws if a header is never valid, regardless of earlier frames. The checks follow the order of the bytes, so
    /// the result doesn't depend on how the input is split.
    @inline(__always)
    static func read(
        _ bytes: UnsafeRawPointer, count: Int, role: WebSocketRole, allowsCompression: Bool
    ) throws(WebSocketViolation) -> FrameHeader? {
        guard count > 0 else { return nil }
        let first = bytes.load(as: UInt8.self)
        // Only compression defines the meaning of one of the three reserved bits.
        guard first & (allowsCompression ? 0x30 : 0x70) == 0 else {
            throw WebSocketViolation(.protocolError, "a frame has a reserved bit set")
        }
        guard let opcode = Opcode(rawValue: first & 0x0F) else {
            throw WebSocketViolation(.protocolError, "a frame has the reserved opcode \(first & 0x0F)")
        }
        let isCompressed = first & 0x40 != 0
        guard !isCompressed || opcode == .text || opcode == .binary else {
            throw WebSocketViolation(
                .protocolError, "a frame that doesn't begin a message is marked as compressed")
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else {
            throw WebSocketViolation(.protocolError, "a control frame is fragmented")
        }
        guard count > 1 else { return nil }
        let second = bytes.load(fromByteOffset: 1, as: UInt8.self)
        let isMasked = second & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw WebSocketViolation(
                .protocolError, isMasked ? "a frame from the server is masked" : "a frame from the client is not masked"
            )
        }
        var header = FrameHeader(opcode: opcode, first: first, length: Int(second & 0x7F), key: 0, size: 2)
        if header.length > 125 {
            guard try header.readLongLength(bytes, count: count) else { return nil }
        }
        if isMasked {
            guard count >= header.size &+ 4 else { return nil }
            header.key = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: header.size, as: UInt32.self))
            header.size &+= 4
        }
        return header
    }

    /// Reads the length that follows 126 or 127; returns false if it isn't complete.
    private mutating func readLongLength(_ bytes: UnsafeRawPointer, count: Int) throws(WebSocketViolation) -> Bool {
        guard !opcode.isControl else {
            throw WebSocketViolation(.protocolError, "a control frame has more than 125 bytes")
        }
        if length == 126 {
            guard count >= 4 else { return false }
            length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            size = 4
            guard length > 125 else { throw Self.notMinimal }
        } else {
            guard count >= 10 else { return false }
            let long = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard long >> 63 == 0 else {
                throw WebSocketViolation(.protocolError, "a frame length has its highest bit set")
            }
            length = Int(long)
            size = 10
            guard length > 65_535 else { throw Self.notMinimal }
        }
        return true
    }

    private static let notMinimal = WebSocketViolation(
        .protocolError, "a frame length is not in its shortest form")
}
