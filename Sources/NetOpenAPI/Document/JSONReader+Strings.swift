extension JSONReader {
    /// Reads a string; the next byte is its opening quote.
    mutating func readString() throws(Diagnostic) -> String {
        let opening = here()
        offset += 1
        let start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                let text = text(from: start)
                offset += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try readEscapedString(from: start, opening: opening) }
            guard byte >= 0x20 else { throw controlCharacter(byte) }
            offset += 1
        }
        throw unclosedString(opening)
    }

    /// Continues at the first backslash of a string.
    private mutating func readEscapedString(
        from start: Int, opening: SourcePosition
    ) throws(Diagnostic) -> String {
        var text = Array(bytes[start..<offset])
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                offset += 1
                return String(decoding: text, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                try readEscape(into: &text, opening: opening)
            } else {
                guard byte >= 0x20 else { throw controlCharacter(byte) }
                text.append(byte)
                offset += 1
            }
        }
        throw unclosedString(opening)
    }

    private mutating func readEscape(into text: inout [UInt8], opening: SourcePosition) throws(Diagnostic) {
        guard offset + 1 < bytes.count else {
            offset = bytes.count
            throw unclosedString(opening)
        }
        let letter = bytes[offset + 1]
        let plain: UInt8
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = letter
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"): return try readUnicodeEscape(into: &text)
        default:
            throw failure(
                #"JSON has no such escape; after a backslash use one of " \ / b f n r t u, write \\ for a backslash"#
            )
        }
        text.append(plain)
        offset += 2
    }

    private mutating func readUnicodeEscape(into text: inout [UInt8]) throws(Diagnostic) {
        guard let first = codeUnit(at: offset) else {
            throw failure("four hexadecimal digits are expected after \\u")
        }
        var value = UInt32(first)
        var length = 6
        if 0xD800...0xDBFF ~= first, let second = codeUnit(at: offset + 6), 0xDC00...0xDFFF ~= second {
            value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            length = 12
        }
        if Unicode.Scalar(value) == nil {
            warnings.append(
                Diagnostic(
                    .warning, "the escape \(self.text(at: offset, count: 6)) is half of a pair; U+FFFD is read instead",
                    at: here()))
        }
        text.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
        offset += length
    }

    /// Returns the UTF-16 code unit of the `\uXXXX` at an offset; nil if there is none.
    private func codeUnit(at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for byte in bytes[(start + 2)..<(start + 6)] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private func text(at start: Int, count: Int) -> String {
        String(decoding: bytes[start..<min(start + count, bytes.count)], as: UTF8.self)
    }

    private mutating func controlCharacter(_ byte: UInt8) -> Diagnostic {
        let name = Self.hexadecimal(UInt32(byte))
        return failure("the string holds the control character \(name); write it as an escape such as \\n")
    }

    private mutating func unclosedString(_ opening: SourcePosition) -> Diagnostic {
        Diagnostic(
            .error,
            "the text ends inside the string that starts at line \(opening.line), column \(opening.column)",
            at: here())
    }
}
