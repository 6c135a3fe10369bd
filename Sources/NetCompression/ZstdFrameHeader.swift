#if Compression
/// Validates the header of a Zstandard frame (RFC 8878 section 3.1.1).
///
/// libzstd also accepts its early formats, which no content coding uses, and checks the window only for frames that
/// arrive in pieces. Checking both here makes the result independent of how the input is split.
struct ZstdFrameHeader {
    /// The largest window of a content coding (RFC 9659 section 3), in bytes.
    private static let maximumWindow: UInt64 = 8 << 20

    /// The header so far, starting with the magic number: at most 18 bytes.
    private var bytes: [UInt8] = []
    private var isComplete = false

    /// Consumes the next bytes of the frame; throws if the header isn't acceptable.
    mutating func receive(_ input: Slice<UnsafeRawBufferPointer>) throws(CodingFailure) {
        var rest = input
        while !isComplete, let byte = rest.popFirst() {
            bytes.append(byte)
            if bytes.count <= 4 { try checkMagic() } else { try checkWindow() }
        }
    }

    /// Prepares for the next frame.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isComplete = false
    }

    private mutating func checkMagic() throws(CodingFailure) {
        let last = bytes.count - 1
        let isSkippable = bytes[0] & 0xf0 == 0x50
        let expected: [UInt8] = isSkippable ? [bytes[0], 0x2a, 0x4d, 0x18] : [0x28, 0xb5, 0x2f, 0xfd]
        guard bytes[last] == expected[last] else { throw .corrupt }
        isComplete = isSkippable && last == 3
    }

    private mutating func checkWindow() throws(CodingFailure) {
        let descriptor = bytes[4]
        let isSingleSegment = descriptor & 0x20 != 0
        guard isSingleSegment else {
            guard bytes.count == 6 else { return }
            isComplete = true
            let base = UInt64(1) << (10 + UInt64(bytes[5] >> 3))
            if base + base / 8 * UInt64(bytes[5] & 7) > Self.maximumWindow { throw .windowTooLarge }
            return
        }
        // The window is as large as the content, whose size follows the dictionary ID.
        let start = 5 + [0, 1, 2, 4][Int(descriptor & 3)]
        let width = [1, 2, 4, 8][Int(descriptor >> 6)]
        guard bytes.count == start + width else { return }
        isComplete = true
        let size = bytes[start...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if size > Self.maximumWindow { throw .windowTooLarge }
    }
}
#endif
