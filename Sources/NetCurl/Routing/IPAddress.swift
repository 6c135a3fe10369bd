#if os(Linux)
internal import Glibc

/// An IPv4 or IPv6 address as bytes.
struct IPAddress: Sendable, Hashable {
    /// The 4 or 16 bytes in network order.
    let bytes: [UInt8]

    /// Parses an address; nil unless it has one of the usual notations (RFC 6943 section 3.1.1, RFC 4291 section 2.2),
    /// without brackets.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes[..<4])
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    var isIPv6: Bool { bytes.count == 16 }

    /// True if both addresses have the same family and the same first `bits` bits.
    func shares(_ bits: Int, with other: IPAddress) -> Bool {
        guard bytes.count == other.bytes.count, bits <= bytes.count * 8 else { return false }
        let whole = bits / 8
        guard bytes[..<whole] == other.bytes[..<whole] else { return false }
        let rest = bits % 8
        return rest == 0 || (bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
    }
}
#endif
