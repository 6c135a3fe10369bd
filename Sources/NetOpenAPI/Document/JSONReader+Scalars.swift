extension JSONReader {
    /// Reads `true`, `false`, `null` or a number.
    mutating func readBareScalar() throws(Diagnostic) -> Node {
        let position = here()
        let start = offset
        switch peek() ?? 0 {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try readNumber(from: start)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            while let byte = peek(), Self.isWordByte(byte) { offset += 1 }
            let word = text(from: start)
            guard ["true", "false", "null"].contains(word) else {
                offset = start
                throw failure("'\(word.prefix(40))' isn't a JSON value; write text in double quotes")
            }
        default: throw unexpected("a value")
        }
        return Node(.scalar(text(from: start), isQuoted: false), at: position)
    }

    /// Parses a number (RFC 8259, section 6): `-`, an integer without leading zeros, then an optional fraction and
    /// exponent.
    private mutating func readNumber(from start: Int) throws(Diagnostic) {
        if peek() == UInt8(ascii: "-") { offset += 1 }
        let whole = offset
        guard skipDigits() else { throw malformedNumber(from: start) }
        if bytes[whole] == UInt8(ascii: "0"), offset > whole + 1 { throw malformedNumber(from: start) }
        if peek() == UInt8(ascii: ".") {
            offset += 1
            guard skipDigits() else { throw malformedNumber(from: start) }
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            offset += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
            guard skipDigits() else { throw malformedNumber(from: start) }
        }
        if let byte = peek(), Self.isWordByte(byte) || byte == UInt8(ascii: ".") {
            throw malformedNumber(from: start)
        }
    }

    private mutating func skipDigits() -> Bool {
        let start = offset
        while let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
        return offset > start
    }

    private mutating func malformedNumber(from start: Int) -> Diagnostic {
        while let byte = peek(), Self.isWordByte(byte) || [0x2B, 0x2D, 0x2E].contains(byte) { offset += 1 }
        let word = text(from: start)
        offset = start
        return failure(
            "'\(word.prefix(40))' isn't a JSON number; write digits, no leading zero, a digit on both sides of '.'")
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension JSONReader {
    func peek() -> UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    mutating func skipBlank() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    func text(from start: Int) -> String {
        String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// The position of the next byte.
    mutating func here() -> SourcePosition {
        cursor.position(at: offset, in: bytes)
    }

    mutating func failure(_ message: String) -> Diagnostic {
        Diagnostic(.error, message, at: here())
    }

    /// Returns the error for an unexpected byte, or for the end of the text.
    mutating func unexpected(_ expectation: String) -> Diagnostic {
        guard let byte = peek() else {
            let open = openContainer().map { ": \($0)" } ?? ""
            return failure("the text ends where \(expectation) is expected\(open)")
        }
        let found = foundCharacter()
        let hint =
            switch byte {
            case UInt8(ascii: "'"): "; write JSON text in double quotes"
            case UInt8(ascii: "/"), UInt8(ascii: "#"): "; JSON has no comments"
            default: ""
            }
        return failure("\(expectation) is expected, found \(found)\(hint)")
    }

    /// Returns the next character, or its code point if it can't be printed.
    private func foundCharacter() -> String {
        let scalar = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
        guard let scalar, scalar.value >= 0x20, scalar.value != 0x7F else {
            return "the control character \(Self.hexadecimal(UInt32(bytes[offset])))"
        }
        return "'\(scalar)'"
    }

    static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
