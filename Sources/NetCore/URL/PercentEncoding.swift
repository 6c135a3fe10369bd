/// Percent-encoding of URL parts (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// The bytes that aren't escaped: a bit for each of the 128 ASCII characters.
    package struct Allowed: Sendable {
        private let low, high: UInt64

        /// Letters, digits, `-`, `.`, `_` and `~`; everything else is escaped.
        package static var unreserved: Allowed { Allowed(low: 0x03ff_6000_0000_0000, high: 0x47ff_fffe_87ff_fffe) }
        /// `unreserved` and the reserved characters, for a parameter with `allowReserved`; existing escapes are kept,
        /// any other `%` is escaped (RFC 6570 section 3.2.3).
        package static var reserved: Allowed { Allowed(low: 0xafff_fffa_0000_0000, high: 0x47ff_fffe_afff_ffff) }
        /// `reserved` without `#`, `[` and `]`, which a query can't contain.
        package static var query: Allowed { Allowed(low: 0xafff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff) }
        /// `query` without `?`: a path with its slashes and escapes.
        package static var path: Allowed { Allowed(low: 0x2fff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff) }
        /// The characters that the form serializer doesn't escape: letters, digits and `*-._` (WHATWG URL section 5.2).
        static var form: Allowed { Allowed(low: 0x03ff_6400_0000_0000, high: 0x07ff_fffe_87ff_fffe) }

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            if byte < 64 { return low &>> UInt64(byte) & 1 == 1 }
            return byte < 128 && high &>> UInt64(byte &- 64) & 1 == 1
        }
    }

    private static let hex: StaticString = "0123456789ABCDEF"

    /// Returns `text` with all bytes escaped that aren't allowed.
    package static func encode(_ text: some StringProtocol, allowing allowed: Allowed = .unreserved) -> String {
        var result = ""
        append(text, allowing: allowed, to: &result)
        return result
    }

    /// Encodes one value of a form like the `application/x-www-form-urlencoded` serializer: a space becomes `+`.
    package static func formEncode(_ text: String) -> String {
        var result = ""
        append(text, allowing: .form, spaceIsPlus: true, to: &result)
        return result
    }

    /// Appends `text` with all bytes escaped that aren't allowed. If `spaceIsPlus` is true, a space becomes `+`.
    package static func append(
        _ text: some StringProtocol, allowing allowed: Allowed, spaceIsPlus: Bool = false, to result: inout String
    ) {
        var text = String(text)
        let changed: String? = text.withUTF8 { bytes in
            let count = escapes(in: bytes, allowed)
            return count == 0 ? nil : escaped(bytes, allowed, spaceIsPlus, count: bytes.count + 2 * count)
        }
        if result.isEmpty { result = changed ?? text } else { result += changed ?? text }
    }

    /// Returns the number of bytes that become an escape or a plus.
    private static func escapes(in bytes: UnsafeBufferPointer<UInt8>, _ allowed: Allowed) -> Int {
        var count = 0
        for index in bytes.indices where !stays(bytes, index, allowed) { count += 1 }
        return count
    }

    private static func escaped(
        _ bytes: UnsafeBufferPointer<UInt8>, _ allowed: Allowed, _ spaceIsPlus: Bool, count: Int
    ) -> String {
        String(unsafeUninitializedCapacity: count) { output in
            var end = 0
            for index in bytes.indices {
                let byte = bytes[index]
                if stays(bytes, index, allowed) {
                    output[end] = byte
                    end += 1
                } else if spaceIsPlus, byte == UInt8(ascii: " ") {
                    output[end] = UInt8(ascii: "+")
                    end += 1
                } else {
                    output[end] = UInt8(ascii: "%")
                    output[end + 1] = hex.utf8Start[Int(byte >> 4)]
                    output[end + 2] = hex.utf8Start[Int(byte & 0xf)]
                    end += 3
                }
            }
            return end
        }
    }

    @inline(__always)
    private static func stays(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ allowed: Allowed) -> Bool {
        let byte = bytes[index]
        return allowed.contains(byte) && (byte != UInt8(ascii: "%") || isEscape(bytes[index...]))
    }

    static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hex.utf8Start[Int(byte >> 4)])
        bytes.append(hex.utf8Start[Int(byte & 0xf)])
    }

    /// Decodes percent-encoding. A `%` that isn't followed by two hexadecimal digits is kept. If `plusIsSpace` is true,
    /// `+` becomes a space.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        String(decoding: bytes(text, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// Decodes percent-encoding to bytes, which needn't be UTF-8.
    package static func bytes(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8] {
        let utf8 = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var index = 0
        while index < utf8.count {
            let byte = utf8[index]
            if byte == UInt8(ascii: "%"), index + 2 < utf8.count, let high = digit(utf8[index + 1]),
                let low = digit(utf8[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return bytes
    }

    /// Returns true if the text begins with `%` and two hexadecimal digits.
    static func isEscape(_ text: some RandomAccessCollection<UInt8>) -> Bool {
        guard text.count > 2 else { return false }
        let first = text.index(after: text.startIndex)
        return text.first == UInt8(ascii: "%") && digit(text[first]) != nil
            && digit(text[text.index(after: first)]) != nil
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
