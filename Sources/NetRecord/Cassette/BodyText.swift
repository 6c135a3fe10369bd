internal import NetCore

/// Splits text bodies into lines that join to the very same bytes.
enum BodyText {
    /// The text in pieces, each with its own line end; JSON on one line is also split after `{`, `[` and `,`, so that a
    /// diff shows the member that changed. Nil for bytes that are no text.
    static func lines(_ bytes: Bytes) -> [String]? {
        guard let text = String(validating: bytes, as: UTF8.self), isText(bytes) else { return nil }
        let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        let isOneLine = bytes.dropLast().allSatisfy { $0 != 0x0a }
        return split(Array(text.utf8), atMembers: isJSON && isOneLine)
    }

    private static func isText(_ bytes: Bytes) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    }

    private static func split(_ bytes: [UInt8], atMembers: Bool) -> [String] {
        var lines: [String] = []
        var start = 0
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\\") where isQuoted: index = min(index + 1, bytes.count)
            case UInt8(ascii: "\""): isQuoted.toggle()
            default: break
            }
            let isBreak =
                !isQuoted && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["))
            if byte == 0x0a || atMembers && isBreak {
                lines.append(String(decoding: bytes[start..<index], as: UTF8.self))
                start = index
            }
        }
        if start < bytes.count { lines.append(String(decoding: bytes[start...], as: UTF8.self)) }
        return lines
    }
}
