/// The value of a parameter whose name ends in `*`: text in a named charset (RFC 8187).
package enum ExtendedValue {
    /// Decodes `UTF-8'en'na%C3%AFve`; nil if it's malformed, or in a charset other than UTF-8 and ISO 8859-1.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let charset = Charset(name: String(parts[0])), charset == .utf8 || charset == .latin1
        else { return nil }
        var bytes: [UInt8] = []
        var rest = parts[2].utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard isPlain(byte) else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return charset.decode(Bytes(bytes))
    }

    /// Encodes a text in UTF-8, without a language.
    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        var result = "UTF-8''"
        for byte in text.utf8 {
            if isPlain(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result.unicodeScalars.append(contentsOf: ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return result
    }

    /// Returns true for the characters of a token except `%`, `'` and `*`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        FieldValueReader.isTokenByte(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "'")
            && byte != UInt8(ascii: "*")
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
            (byte & 0xdf) - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
