/// Ensures that a document is UTF-8 text before it is parsed.
enum TextEncodingCheck {
    /// Returns the length of a byte order mark at the start: 3 or 0.
    static func byteOrderMarkLength(_ bytes: [UInt8]) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Throws an error with the byte and its position if the bytes are UTF-16, UTF-32, binary or invalid UTF-8.
    static func validate(_ bytes: [UInt8], name: String) throws(Diagnostic) {
        if let encoding = wideEncoding(bytes) {
            throw Diagnostic(
                .error, "the document is in \(encoding); save it as UTF-8",
                at: SourcePosition(file: name, line: 1, column: 1))
        }
        guard let offset = firstBadByte(bytes) else { return }
        var cursor = PositionCursor(file: name)
        let position = bytes.withUnsafeBufferPointer { cursor.position(at: offset, in: $0) }
        if bytes[offset] == 0 {
            throw Diagnostic(
                .error, "the file is binary: byte \(offset + 1) is NUL; an OpenAPI document is JSON or YAML text",
                at: position)
        }
        let hex = String(bytes[offset], radix: 16, uppercase: true)
        throw Diagnostic(
            .error,
            "the text is not UTF-8: byte \(offset + 1) is 0x\(hex), which no character has there; save it as UTF-8",
            at: position)
    }

    private static func wideEncoding(_ bytes: [UInt8]) -> String? {
        let head = Array(bytes.prefix(4))
        guard head.count >= 2 else { return nil }
        if head.count == 4 {
            if head == [0xFF, 0xFE, 0, 0] || head == [0, 0, 0xFE, 0xFF] { return "UTF-32" }
            if head[0] != 0, head[1...] == [0, 0, 0] { return "UTF-32" }
            if head[3] != 0, head[..<3] == [0, 0, 0] { return "UTF-32" }
        }
        if head[0] == 0xFF, head[1] == 0xFE { return "UTF-16" }
        if head[0] == 0xFE, head[1] == 0xFF { return "UTF-16" }
        // Text in which every second byte is NUL: how RFC 8259's predecessor detects the encoding.
        guard head.count == 4 else { return nil }
        if head[0] != 0, head[1] == 0, head[2] != 0, head[3] == 0 { return "UTF-16" }
        if head[0] == 0, head[1] != 0, head[2] == 0, head[3] != 0 { return "UTF-16" }
        return nil
    }

    /// Returns the offset of the first NUL, or of the first byte that can't begin or continue a character.
    private static func firstBadByte(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var offset = 0
            while offset < buffer.count {
                let byte = buffer[offset]
                if byte &- 1 < 0x7F {
                    offset += 1
                } else {
                    let length = characterLength(at: offset, in: buffer)
                    guard length > 0 else { return offset }
                    offset += length
                }
            }
            return nil
        }
    }

    /// Returns the length of the well-formed character of two to four bytes at an offset (Unicode, table 3-7); 0 if
    /// there is none.
    private static func characterLength(at offset: Int, in buffer: UnsafeBufferPointer<UInt8>) -> Int {
        let lead = buffer[offset]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default: return 0
        }
        guard offset + length <= buffer.count, second.contains(buffer[offset + 1]) else { return 0 }
        for place in (offset + 2)..<max(offset + length, offset + 2) where buffer[place] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
