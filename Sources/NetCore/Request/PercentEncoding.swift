/// Percent-encoding of URL parts (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// Which bytes stay as they are.
    package enum Allowed {
        /// Letters, digits, `-`, `.`, `_`, `~`: everything else is escaped.
        case unreserved
        /// `unreserved` and the reserved characters, for a parameter with `allowReserved`; escapes already there are kept,
        /// any other `%` is escaped (RFC 6570 section 3.2.3).
        case reserved
        /// `reserved` without `#`, `[` and `]`, which a query cannot hold.
        case query
        /// `unreserved`, `sub-delims`, `:` and `@`: what may stand in a path segment.
        case segment
    }

    private static let hex: [UInt8] = Array("0123456789ABCDEF".utf8)

    /// Escapes every byte of `text` that is not allowed.
    package static func encode(_ text: some StringProtocol, allowing allowed: Allowed = .unreserved) -> String {
        let utf8 = text.utf8
        let percent = UInt8(ascii: "%")
        if utf8.allSatisfy({ stays($0, allowed) && $0 != percent }) { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 16)
        for (index, byte) in zip(utf8.indices, utf8) {
            if stays(byte, allowed), byte != percent || isEscape(utf8[index...]) {
                bytes.append(byte)
            } else {
                appendEscaped(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One value of a form as the `application/x-www-form-urlencoded` serializer writes it (WHATWG URL section 5.2):
    /// `*-._` stay, a space becomes `+`, `~` is escaped.
    static func formEncode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else if byte == UInt8(ascii: "*") || byte != UInt8(ascii: "~") && stays(byte, .unreserved) {
                bytes.append(byte)
            } else {
                appendEscaped(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hex[Int(byte >> 4)])
        bytes.append(hex[Int(byte & 0xf)])
    }

    /// Undoes percent-encoding; a `%` that two hexadecimal digits do not follow stays as it is.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
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
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isEscape(_ text: some Sequence<UInt8>) -> Bool {
        let digits = text.dropFirst().prefix(2).compactMap(digit)
        return digits.count == 2
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func stays(_ byte: UInt8, _ allowed: Allowed) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            return true
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"):
            return allowed != .unreserved
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "%"):
            return allowed == .reserved || allowed == .query
        case UInt8(ascii: "#"), UInt8(ascii: "["), UInt8(ascii: "]"):
            return allowed == .reserved
        default:
            return false
        }
    }
}
