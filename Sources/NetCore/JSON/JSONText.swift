/// The content of JSON strings.
enum JSONText {
    /// Returns the text between quotation marks, whose escapes must have the right form. Nil for invalid UTF-8, and
    /// for half of a surrogate pair unless it is read as U+FFFD.
    static func unescaped(
        _ bytes: UnsafeBufferPointer<UInt8>, hasEscapes: Bool, replacesLoneSurrogates: Bool
    ) -> String? {
        guard hasEscapes else { return String(validating: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                text.append(byte)
                index += 1
                continue
            }
            guard bytes[index + 1] == UInt8(ascii: "u") else {
                text.append(simple(bytes[index + 1]))
                index += 2
                continue
            }
            let (scalar, length) = scalar(bytes, index)
            guard scalar != nil || replacesLoneSurrogates else { return nil }
            for unit in UTF8.encode(scalar ?? "\u{fffd}") ?? UTF8.encodedReplacementCharacter { text.append(unit) }
            index += length
        }
        return String(validating: text, as: UTF8.self)
    }

    /// Returns the character of a single-letter escape.
    private static func simple(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        default: letter
        }
    }

    /// Returns the character of the `\u` escape at that index, nil for half of a pair, and the length of the escape
    /// in bytes.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (Unicode.Scalar?, length: Int) {
        let first = unit(bytes, index + 2)
        let next = index + 6
        if first & 0xfc00 == 0xd800, next + 6 <= bytes.count, bytes[next] == UInt8(ascii: "\\"),
            bytes[next + 1] == UInt8(ascii: "u")
        {
            let second = unit(bytes, next + 2)
            if second & 0xfc00 == 0xdc00 {
                return (Unicode.Scalar(0x10000 + (first & 0x3ff) << 10 + second & 0x3ff), 12)
            }
        }
        return (Unicode.Scalar(first), 6)
    }

    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32 {
        bytes[start..<min(start + 4, bytes.count)].reduce(0) { $0 << 4 | UInt32(hexadecimal($1) ?? 0) }
    }

    /// Returns the value of a hexadecimal digit; nil for any other byte.
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension JSONDocument {
    /// Returns the text of a string.
    ///
    /// - Throws: ``UnreadableJSON`` with `.encoding` for invalid UTF-8 and half of a surrogate pair.
    func string(at index: Int) throws(UnreadableJSON) -> String {
        let entry = entries[index]
        let text = withText(of: entry) { bytes in
            entry.isPlain
                ? String(decoding: bytes, as: UTF8.self)
                : JSONText.unescaped(
                    bytes, hasEscapes: entry.hasEscapes, replacesLoneSurrogates: replacesLoneSurrogates)
        }
        if let text { return text }
        throw UnreadableJSON(
            .encoding,
            entry.hasEscapes ? "the text has invalid UTF-8 or half of a surrogate pair" : "the text is not valid UTF-8",
            at: Int(entry.offset) + markLength)
    }
}
