#if Server
/// An address, or a network in CIDR notation (RFC 4632 section 3.1).
package struct AddressRange: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    private let isIPv6: Bool
    private let bits: Int

    /// Parses `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32` or `[::1]`. Bits after the prefix are ignored. nil for
    /// anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first else { return nil }
        let isBracketed = first.hasPrefix("[") && first.hasSuffix("]")
        guard let address = PeerAddress(isBracketed ? String(first.dropFirst().dropLast()) : String(first)) else {
            return nil
        }
        var bits = address.isIPv6 ? 128 : 32
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int(parts[1])
            else { return nil }
            // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
            let isMapped = !address.isIPv6 && first.contains(":")
            guard (isMapped ? 96...128 : 0...bits).contains(number) else { return nil }
            bits = isMapped ? number - 96 : number
        }
        self.bits = bits
        (high, low) = address.prefix(bits)
        isIPv6 = address.isIPv6
    }

    /// Returns true if an address is in the range. An IPv4 range contains no IPv6 addresses, and vice versa.
    package func contains(_ address: PeerAddress) -> Bool {
        address.isIPv6 == isIPv6 && address.prefix(bits) == (high, low)
    }
}
#endif
