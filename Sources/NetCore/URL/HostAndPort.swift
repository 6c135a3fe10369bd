/// A host with an optional port, as in a URL (RFC 3986 section 3.2), without any other part of a URL.
package struct HostAndPort: Sendable, Hashable {
    /// A name or an address as written; an IPv6 address includes its brackets.
    package var host: String
    package var port: Int?

    /// Parses a host and port; nil for an empty host, invalid characters, or a port that isn't a number up to 65535.
    package init?(_ text: some StringProtocol) {
        let authority = Authority(text)
        guard authority.userInformation == nil else { return nil }
        let host = authority.host
        if let digits = authority.portText {
            guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = authority.port else { return nil }
            port = Int(number)
        }
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let isPlain = host.utf8.allSatisfy { byte in
            byte > 32 && byte != 127 && !"/?#@\\<>\"'`{}|^[]".utf8.contains(byte) && (byte != 58 || isAddress)
        }
        let isBracketed =
            isAddress
            && host.utf8.dropFirst().dropLast().allSatisfy { byte in
                (48...57).contains(byte) || (97...102).contains(byte | 0x20) || byte == 58 || byte == 46 || byte == 37
            }
        guard !host.isEmpty, isAddress ? isBracketed && host.utf8.count > 3 : isPlain else { return nil }
        self.host = host
    }
}
