/// Converts byte offsets to lines and columns in a single scan of the text.
///
/// Offsets must not decrease: for an earlier one, the result is the current position. Even a document with megabytes on
/// a single line therefore takes linear time.
struct PositionCursor {
    let file: String
    private var offset = 0
    private var line = 1
    private var column = 1

    init(file: String) {
        self.file = file
    }

    /// Returns the position of the byte at `target`; a byte order mark at the start doesn't count.
    mutating func position(at target: Int, in bytes: UnsafeBufferPointer<UInt8>) -> SourcePosition {
        let end = min(target, bytes.count)
        if offset == 0, end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { offset = 3 }
        while offset < end {
            let byte = bytes[offset]
            offset += 1
            if byte >= 0x20 {
                // Continuation bytes belong to the scalar before them.
                if byte & 0xC0 != 0x80 { column += 1 }
            } else if byte == 0x0A || (byte == 0x0D && !(offset < bytes.count && bytes[offset] == 0x0A)) {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return SourcePosition(file: file, line: line, column: column)
    }
}
