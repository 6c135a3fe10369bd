/// Base64 with the standard alphabet (RFC 4648 section 4), as in structured fields.
package enum Base64 {
    /// The position of the first byte that isn't base64.
    package struct InvalidByte: Error {
        package let index: Int
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Encodes bytes, with padding.
    package static func encode(_ bytes: Bytes) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var start = 0
        while start < bytes.count {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? alphabet[Int(group >> UInt32(18 - 6 * place)) & 63] : UInt8(ascii: "="))
            }
            start += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text. Accepts missing padding and any value in the unused bits of the last digit, as RFC 9651 section
    /// 4.2.7 requires.
    package static func decode(_ text: ArraySlice<UInt8>) -> Result<Bytes, InvalidByte> {
        var digits = text
        while digits.last == UInt8(ascii: "="), text.count - digits.count < 2 { digits.removeLast() }
        let isPadded = digits.count < text.count
        guard digits.count % 4 != 1, !isPadded || (2...3).contains(digits.count % 4) else {
            return .failure(InvalidByte(index: digits.endIndex))
        }
        var output: [UInt8] = []
        output.reserveCapacity(digits.count * 3 / 4)
        var group: UInt32 = 0
        var bits = 0
        for index in digits.indices {
            let value = values[Int(digits[index])]
            guard value != 0xff else { return .failure(InvalidByte(index: index)) }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        return .success(Bytes(output))
    }
}
