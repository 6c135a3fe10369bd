#if Server
/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2) becomes that
/// IPv4 address, since dual-stack sockets report their peers in this form.
package struct PeerAddress: Sendable, Hashable {
    /// The 128 bits of an IPv6 address; for IPv4, the lower 32 bits of `low`.
    package let high: UInt64
    package let low: UInt64
    package let isIPv6: Bool

    /// Parses an address without brackets and port. An IPv6 zone (`%eth0`) is dropped. nil for anything else, such as
    /// IPv4 numbers with leading zeros, which some parsers read as octal.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        if let number = Self.ipv4(bytes[...]) {
            self.init(ipv4: number)
        } else if let (high, low) = Self.ipv6(bytes.prefix { $0 != UInt8(ascii: "%") }) {
            self.init(high: high, low: low)
        } else {
            return nil
        }
    }

    package init(ipv4: UInt32) {
        self.init(isIPv6: false, 0, UInt64(ipv4))
    }

    package init(high: UInt64, low: UInt64) {
        if high == 0, low >> 32 == 0xffff {
            self.init(ipv4: UInt32(truncatingIfNeeded: low))
        } else {
            self.init(isIPv6: true, high, low)
        }
    }

    private init(isIPv6: Bool, _ high: UInt64, _ low: UInt64) {
        self.isIPv6 = isIPv6
        self.high = high
        self.low = low
    }

    /// Returns the address with only its first bits; the others are 0.
    package func prefix(_ bits: Int) -> (high: UInt64, low: UInt64) {
        guard isIPv6 else { return (0, low & (0xffff_ffff << UInt64(max(0, 32 - bits))) & 0xffff_ffff) }
        // A shift by 64 or more results in 0.
        return (high & (.max << UInt64(max(0, 64 - bits))), low & (.max << UInt64(max(0, 128 - bits))))
    }

    // MARK: Parsing

    private static func ipv4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard let value = digits(part, radix: 10, atMost: 3), value < 256, part.count == 1 || part.first != 48
            else { return nil }
            number = number << 8 | UInt32(value)
        }
        return number
    }

    private static func ipv6(_ text: ArraySlice<UInt8>) -> (UInt64, UInt64)? {
        let colon = UInt8(ascii: ":")
        // `::` replaces the missing groups, at most once.
        var halves: [ArraySlice<UInt8>] = [text]
        if let index = text.indices.dropLast().first(where: { text[$0] == colon && text[$0 + 1] == colon }) {
            halves = [text[..<index], text[(index + 2)...]]
        }
        guard let first = groups(halves[0], mayEndInIPv4: halves.count == 1),
            let second = halves.count == 1 ? [] : groups(halves[1], mayEndInIPv4: true)
        else { return nil }
        let missing = 8 - first.count - second.count
        guard halves.count == 1 ? missing == 0 : missing > 0 else { return nil }
        let all = first + Array(repeating: 0, count: missing) + second
        func join(_ groups: ArraySlice<UInt16>) -> UInt64 { groups.reduce(0) { $0 << 16 | UInt64($1) } }
        return (join(all[..<4]), join(all[4...]))
    }

    private static func groups(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        for (index, part) in parts.enumerated() {
            if let value = digits(part, radix: 16, atMost: 4) {
                groups.append(UInt16(value))
            } else if mayEndInIPv4, index == parts.count - 1, let number = ipv4(part) {
                groups += [UInt16(number >> 16), UInt16(number & 0xffff)]
            } else {
                return nil
            }
        }
        return groups
    }

    private static func digits(_ text: ArraySlice<UInt8>, radix: Int, atMost maximum: Int) -> Int? {
        guard !text.isEmpty, text.count <= maximum else { return nil }
        var value = 0
        for byte in text {
            let digit: Int
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(byte) - 48
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                digit = Int(byte | 0x20) - 87
            default: return nil
            }
            guard digit < radix else { return nil }
            value = value * radix + digit
        }
        return value
    }
}

extension PeerAddress: CustomStringConvertible {
    /// The address in the format of RFC 5952: lowercase, without leading zeros, `::` for the longest run of zeros.
    package var description: String {
        guard isIPv6 else {
            return stride(from: 24, through: 0, by: -8).map { "\(low >> UInt64($0) & 255)" }.joined(separator: ".")
        }
        let groups = [high, low].flatMap { half in
            stride(from: 48, through: 0, by: -16).map { half >> UInt64($0) & 0xffff }
        }
        var longest = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        func text(_ groups: ArraySlice<UInt64>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard longest.count > 1 else { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }
}
#endif
