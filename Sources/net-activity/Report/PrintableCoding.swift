#if Tools
/// Encodes bytes as printable ASCII without `<`, `>` and `&`: two characters encode 13 bits, compared to 12 in base64.
///
/// The first bits are the lowest ones; missing bits at the end are zero.
enum PrintableCoding {
    private static let alphabet: [UInt8] = (0x21...0x7e).filter { ![0x26, 0x3c, 0x3e].contains($0) }

    static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 16 / 13 + 2)
        var bits = 0
        var count = 0
        func append(_ value: Int) {
            text.append(alphabet[value / 91])
            text.append(alphabet[value % 91])
        }
        for byte in bytes {
            bits |= Int(byte) << count
            count += 8
            if count >= 13 {
                append(bits & 0x1fff)
                bits >>= 13
                count -= 13
            }
        }
        if count > 0 { append(bits) }
        return text
    }
}
#endif
