#if Compression
/// The beginning of a Zstandard frame, as far as it was seen (RFC 8878 section 3.1.1).
///
/// libzstd also reads the formats of its first years, of which no content coding is made, and looks at the window only where a
/// frame does not arrive whole. Both are judged here, so that no answer depends on the pieces in which it comes.
struct ZstdFrameHeader {
    /// What a content coding may ask for (RFC 9659 section 3).
    private static let maximumWindow: UInt64 = 8 << 20

    /// The bytes from the magic number on; at most four and fourteen.
    private var bytes: [UInt8] = []
    private var isComplete = false

    /// Looks at bytes that follow those before, of which the first may belong to the header.
    mutating func receive(_ input: Slice<UnsafeRawBufferPointer>) throws(CodingFailure) {
        var rest = input
        while !isComplete, let byte = rest.popFirst() {
            bytes.append(byte)
            if bytes.count <= 4 { try checkMagic() } else { try checkWindow() }
        }
    }

    /// Begins the next frame.
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
        // The window is the content, whose size stands behind the number of a dictionary.
        let start = 5 + [0, 1, 2, 4][Int(descriptor & 3)]
        let width = [1, 2, 4, 8][Int(descriptor >> 6)]
        guard bytes.count == start + width else { return }
        isComplete = true
        let size = bytes[start...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if size > Self.maximumWindow { throw .windowTooLarge }
    }
}
#endif
