extension JSONParser {
    /// Reads a string; the byte at `index` is its opening quotation mark.
    mutating func string() throws(UnreadableJSON) {
        index += 1
        let start = index
        var bits: UInt8 = 0
        var hasEscapes = false
        while index < input.count {
            let byte = input[index]
            if byte == UInt8(ascii: "\"") {
                var entry = JSONEntry(offset: UInt32(start), extent: UInt32(index - start), kind: .string)
                entry.isPlain = !hasEscapes && bits < 0x80
                entry.hasEscapes = hasEscapes
                entries.append(entry)
                index += 1
                return
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try escape()
            } else {
                guard byte >= 0x20 else { throw problem("the text has no closing quotation mark on its line") }
                bits |= byte
                index += 1
            }
        }
        throw problem("")
    }

    private mutating func escape() throws(UnreadableJSON) {
        index += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 1
        case UInt8(ascii: "u"):
            index += 1
            for _ in 0..<4 {
                guard let byte = current, JSONText.hexadecimal(byte) != nil else {
                    throw problem("four hexadecimal digits must follow \\u")
                }
                index += 1
            }
        default: throw problem("invalid escape sequence")
        }
    }

    /// Reads a number (RFC 8259 section 6): a whole part without leading zeros, then an optional fraction and exponent.
    mutating func number() throws(UnreadableJSON) {
        let start = index
        if current == UInt8(ascii: "-") { index += 1 }
        let whole = index
        guard skipDigits() else { throw malformed(start) }
        guard input[whole] != UInt8(ascii: "0") || index == whole + 1 else {
            index = start
            throw noValue
        }
        var kind = JSONEntry.Kind.integer
        if current == UInt8(ascii: ".") {
            index += 1
            kind = .real
            guard skipDigits() else { throw malformed(start) }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            index += 1
            kind = .real
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            guard skipDigits() else { throw malformed(start) }
        }
        entries.append(JSONEntry(offset: UInt32(start), extent: UInt32(index - start), kind: kind))
    }

    private mutating func skipDigits() -> Bool {
        let start = index
        while index < input.count, input[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index > start
    }

    private mutating func malformed(_ start: Int) -> UnreadableJSON {
        // A truncated number is reported at its end, a malformed one at its start.
        if index < input.count { index = start }
        return noValue
    }
}
