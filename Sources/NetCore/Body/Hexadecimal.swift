extension Bytes {
    /// The bytes in lowercase hexadecimal, two digits each.
    package var hexadecimal: String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: count * 2) { text in
            for (index, byte) in enumerated() {
                text[index * 2] = digits.utf8Start[Int(byte >> 4)]
                text[index * 2 + 1] = digits.utf8Start[Int(byte & 15)]
            }
            return count * 2
        }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number in lowercase hexadecimal, with leading zeros for its whole width: 16 digits for a `UInt64`.
    package var paddedHexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
