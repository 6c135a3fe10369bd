internal import NetCore

/// Splits text bodies into lines that join to exactly the same bytes.
enum BodyText {
    /// Returns the text in pieces, each with its line end, or nil for bytes that aren't text. JSON on a single line is
    /// also split after `{`, `[` and `,`, so that a diff shows the member that changed.
    static func lines(_ bytes: Bytes) -> [String]? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        // Uses a pointer: tests record in unoptimized builds, where calling a closure for each byte is the largest
        // cost.
        return bytes.withUnsafeBytes { buffer in
            guard let text = buffer.assumingMemoryBound(to: UInt8.self).baseAddress else { return [] }
            let kind = kind(text, buffer.count)
            return kind.isText ? split(text, buffer.count, atMembers: kind.isJSON && kind.isOneLine) : nil
        }
    }

    /// Returns three flags. `isText`: there are no control characters other than tabs and line ends. `isJSON`: the
    /// first character opens an object or an array. `isOneLine`: no line ends before the last byte.
    private static func kind(
        _ text: UnsafePointer<UInt8>, _ count: Int
    ) -> (isText: Bool, isJSON: Bool, isOneLine: Bool) {
        var (index, first, isOneLine) = (0, UInt8(0), true)
        while index < count {
            let byte = text[index]
            if byte < 0x20 {
                guard byte == 0x09 || byte == 0x0a || byte == 0x0d else { return (false, false, false) }
                if byte == 0x0a, index + 1 < count { isOneLine = false }
            } else if byte == 0x7f {
                return (false, false, false)
            } else if first == 0, byte != 0x20 {
                first = byte
            }
            index += 1
        }
        return (true, first == UInt8(ascii: "{") || first == UInt8(ascii: "["), isOneLine)
    }

    private static func split(_ text: UnsafePointer<UInt8>, _ count: Int, atMembers: Bool) -> [String] {
        var lines: [String] = []
        var (start, index, isQuoted) = (0, 0, false)
        while index < count {
            let byte = text[index]
            index += 1
            // 0x5c is a backslash, 0x22 a quotation mark.
            if isQuoted, byte == 0x5c { index = min(index + 1, count) } else if byte == 0x22 { isQuoted = !isQuoted }
            // After `,`, `{` and `[`.
            let isBreak = atMembers && !isQuoted && (byte == 0x2c || byte == 0x7b || byte == 0x5b)
            if byte == 0x0a || isBreak {
                lines.append(string(text + start, index - start))
                start = index
            }
        }
        if start < count { lines.append(string(text + start, count - start)) }
        return lines
    }

    private static func string(_ text: UnsafePointer<UInt8>, _ count: Int) -> String {
        String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }
}
