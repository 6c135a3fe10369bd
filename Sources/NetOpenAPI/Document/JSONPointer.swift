/// A JSON pointer (RFC 6901) as its segments.
struct JSONPointer: Hashable {
    var segments: [String]

    init(_ segments: [String] = []) {
        self.segments = segments
    }

    /// Parses text such as `/paths/~1pets/get`; nil if the text isn't empty and doesn't start with `/`.
    init?(text: String) {
        guard !text.isEmpty else {
            self.init()
            return
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.first?.isEmpty == true else { return nil }
        self.init(parts.dropFirst().map { Self.unescaped(String(decoding: $0, as: UTF8.self)) })
    }

    /// The pointer as text, with `~` and `/` in segments escaped.
    var text: String {
        segments.map { "/" + Self.escaped($0) }.joined()
    }

    func appending(_ segment: String) -> JSONPointer {
        JSONPointer(segments + [segment])
    }

    static func escaped(_ segment: String) -> String {
        replacing([UInt8(ascii: "~"): "~0", UInt8(ascii: "/"): "~1"], in: segment)
    }

    private static func replacing(_ escapes: [UInt8: String], in text: String) -> String {
        guard text.utf8.contains(where: { escapes[$0] != nil }) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if let escape = escapes[byte] { bytes += escape.utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces `~1` with `/` and `~0` with `~`. Keeps any other `~`, as lenient parsers do.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "~")) else { return text }
        var bytes: [UInt8] = []
        var isEscape = false
        for byte in text.utf8 {
            if isEscape {
                switch byte {
                case UInt8(ascii: "0"): bytes[bytes.count - 1] = UInt8(ascii: "~")
                case UInt8(ascii: "1"): bytes[bytes.count - 1] = UInt8(ascii: "/")
                default: bytes.append(byte)
                }
            } else {
                bytes.append(byte)
            }
            isEscape = byte == UInt8(ascii: "~")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Percent-encoding in a reference (RFC 3986, section 2.1).
enum PercentDecoding {
    /// Returns the text with `%XX` decoded. Keeps a `%` that isn't followed by two hexadecimal digits, and returns the
    /// text unchanged if decoding it doesn't result in UTF-8.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var offset = 0
        while offset < source.count {
            if source[offset] == UInt8(ascii: "%"), offset + 2 < source.count, let high = digit(source[offset + 1]),
                let low = digit(source[offset + 2])
            {
                bytes.append(high << 4 | low)
                offset += 3
            } else {
                bytes.append(source[offset])
                offset += 1
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
