extension StructuredFieldParser {
    mutating func bareItem() throws(StructuredFieldError) -> StructuredField.BareItem {
        guard let first = next else { throw error("a value is missing") }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: ":"): return .byteSequence(try byteSequence())
        case UInt8(ascii: "?"): return .boolean(try boolean())
        case UInt8(ascii: "@"): return .date(try date())
        case UInt8(ascii: "%"): return .displayString(try displayString())
        case _ where StructuredFieldSyntax.beginsToken(first): return .token(token())
        default: throw error("no value can begin with this character")
        }
    }

    private mutating func number() throws(StructuredFieldError) -> StructuredField.BareItem {
        let isNegative = skip("-")
        var digits: Int64 = 0
        let whole = try takeDigits(into: &digits, atMost: 15)
        guard whole > 0 else { throw error("a digit must follow the minus") }
        guard next == UInt8(ascii: ".") else { return .integer(isNegative ? -digits : digits) }
        guard whole <= 12 else { throw error("a decimal has at most 12 digits before its point") }
        index += 1
        let fraction = try takeDigits(into: &digits, atMost: 3)
        guard fraction > 0 else { throw error("a digit must follow the point") }
        // Fifteen digits and a power of ten are exact in a Double, so their quotient is the nearest one to the text.
        let value = Double(digits) / [10, 100, 1000][fraction - 1]
        return .decimal(isNegative ? -value : value)
    }

    private mutating func takeDigits(into value: inout Int64, atMost limit: Int) throws(StructuredFieldError) -> Int {
        var count = 0
        while let digit = next, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") {
            guard count < limit else { throw error("at most \(limit) digits are allowed here") }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
            count += 1
            index += 1
        }
        return count
    }

    private mutating func date() throws(StructuredFieldError) -> Int64 {
        index += 1
        guard case .integer(let seconds) = try number() else { throw error("a date has whole seconds") }
        return seconds
    }

    private mutating func boolean() throws(StructuredFieldError) -> Bool {
        index += 1
        if skip("1") { return true }
        guard skip("0") else { throw error("a boolean is ?0 or ?1") }
        return false
    }

    private mutating func token() -> String {
        let start = index
        while index < bytes.count, StructuredFieldSyntax.isInToken(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func string() throws(StructuredFieldError) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = next {
            if skip("\"") { return String(decoding: text, as: UTF8.self) }
            guard byte >= 0x20, byte < 0x7f else { throw error("a string may contain only printable ASCII") }
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                throw error("a backslash may escape only a quotation mark or a backslash")
            }
            text.append(escaped)
            index += 1
        }
        throw error("a string has no closing quotation mark")
    }

    private mutating func byteSequence() throws(StructuredFieldError) -> Bytes {
        index += 1
        let start = index
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ":")) else {
            throw error("a byte sequence has no closing colon")
        }
        switch Base64.decode(bytes[start..<end]) {
        case .success(let decoded):
            index = end + 1
            return decoded
        case .failure(let place):
            index = place.index
            throw error("a byte sequence is not base64")
        }
    }

    /// Reads percent-encoded UTF-8 with lowercase digits (RFC 9651 section 4.2.10).
    private mutating func displayString() throws(StructuredFieldError) -> String {
        index += 1
        guard skip("\"") else { throw error("a quotation mark must follow the percent sign of a display string") }
        var text: [UInt8] = []
        while let byte = next {
            guard byte >= 0x20, byte < 0x7f else { throw error("a display string may contain only printable ASCII") }
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let valid = String(validating: text, as: UTF8.self) else {
                    throw error("a display string is not UTF-8")
                }
                return valid
            case UInt8(ascii: "%"):
                guard index + 1 < bytes.count, let high = Self.hexDigit(bytes[index]),
                    let low = Self.hexDigit(bytes[index + 1])
                else { throw error("two lowercase hexadecimal digits must follow a percent sign") }
                text.append(high << 4 | low)
                index += 2
            default:
                text.append(byte)
            }
        }
        throw error("a display string has no closing quotation mark")
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
