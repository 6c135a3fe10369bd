/// Counts the frames in the bytes of one direction, regardless of how they are split. It trusts the lengths in the
/// frame headers, so it also counts bytes that aren't frames.
struct FrameCounter: Sendable {
    /// The number of frames that are complete.
    private(set) var frames = 0
    private var header: [UInt8] = []
    /// The number of missing bytes of the current frame's payload.
    private var rest: UInt64 = 0

    /// Counts frames up to `limit`. Returns the number of bytes up to that point, or of all bytes.
    mutating func count(_ bytes: UnsafeRawBufferPointer, upTo limit: Int) -> Int {
        var index = 0
        while index < bytes.count, frames < limit {
            if rest > 0 {
                let step = min(rest, UInt64(bytes.count - index))
                rest -= step
                index += Int(step)
                if rest == 0 { frames += 1 }
                continue
            }
            header.append(bytes[index])
            index += 1
            if let length = payloadLength() {
                header.removeAll(keepingCapacity: true)
                rest = length
                if length == 0 { frames += 1 }
            }
        }
        return index
    }

    /// Returns the length of the payload (RFC 6455 section 5.2); nil if the header isn't complete.
    private func payloadLength() -> UInt64? {
        guard header.count > 1 else { return nil }
        let short = header[1] & 0x7F
        let lengthBytes = short == 127 ? 8 : short == 126 ? 2 : 0
        guard header.count == 2 + lengthBytes + (header[1] & 0x80 == 0 ? 0 : 4) else { return nil }
        guard lengthBytes > 0 else { return UInt64(short) }
        return header[2..<2 + lengthBytes].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
