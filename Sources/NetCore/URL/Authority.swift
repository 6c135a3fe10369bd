/// The authority of a URL, split into user information, host and port (RFC 3986 section 3.2).
///
/// Parsing validates nothing and never fails; ``BaseURL`` and ``HostAndPort`` validate their parts.
package struct Authority: Sendable, Hashable {
    /// The text before the last `@`; nil if there is none.
    package var userInformation: String?
    /// The host as written; an IPv6 address includes its brackets.
    package var host: String
    /// The text after the colon, which may be empty; nil if there is no colon.
    package var portText: String?

    package init(_ text: some StringProtocol) {
        var rest = Substring(text).utf8
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            userInformation = String(Substring(rest[..<at]))
            rest = rest[rest.index(after: at)...]
        }
        if let colon = Self.portColon(in: rest) {
            portText = String(Substring(rest[rest.index(after: colon)...]))
            rest = rest[..<colon]
        }
        host = String(Substring(rest))
    }

    /// Returns the index of the colon before a port; colons within brackets belong to the address.
    package static func portColon<Text: BidirectionalCollection<UInt8>>(in authority: Text) -> Text.Index? {
        var index = authority.endIndex
        while index > authority.startIndex {
            authority.formIndex(before: &index)
            if authority[index] == UInt8(ascii: "]") { return nil }
            if authority[index] == UInt8(ascii: ":") { return index }
        }
        return nil
    }

    /// The port; nil if there is none, or if it isn't a number up to 65535.
    package var port: UInt16? {
        guard let portText, let first = portText.utf8.first, (48...57).contains(first) else { return nil }
        return UInt16(portText)
    }

    /// Returns the port that a connection uses: the given one, or the scheme's default.
    package func port(for scheme: String) -> UInt16? { port ?? Self.defaultPort(of: scheme) }

    /// Returns 80 for http and ws, 443 for https and wss, nil for other schemes.
    package static func defaultPort(of scheme: String) -> UInt16? {
        switch scheme.lowercased() {
        case "http", "ws": 80
        case "https", "wss": 443
        default: nil
        }
    }

    /// The host in lowercase, without the brackets of an address and the dot of the root: equal hosts have equal names.
    package var name: String {
        if host.utf8.first == UInt8(ascii: "[") { return host.dropFirst().prefix { $0 != "]" }.lowercased() }
        return (host.utf8.last == UInt8(ascii: ".") ? host.dropLast() : host[...]).lowercased()
    }

    /// Returns the scheme, host and port in lowercase, without a default port (RFC 6454 section 6.1). `authority` is a
    /// host and port without user information; only the scheme's own default port is dropped.
    package static func origin(scheme: String, authority: String) -> String {
        let scheme = scheme.lowercased()
        var authority = authority.lowercased()
        let kept: Int? = authority.withUTF8 { bytes in
            guard let colon = portColon(in: bytes) else { return nil }
            let port = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
            return port.isEmpty || UInt16(port) == defaultPort(of: scheme) ? colon : nil
        }
        if let kept { authority = String(decoding: authority.utf8.prefix(kept), as: UTF8.self) }
        return "\(scheme)://\(authority)"
    }

    /// The origin of a URL with this authority, without user information.
    package func origin(scheme: String) -> String { Self.origin(scheme: scheme, authority: hostAndPort) }

    /// The host and port as written, without user information.
    package var hostAndPort: String { portText.map { "\(host):\($0)" } ?? host }

    /// Removes an explicit port 80, so that the authority can be used with https (RFC 6797 section 8.3).
    package mutating func dropPort80() {
        if portText == "80" { portText = nil }
    }

    /// True if the host is an IP address. A host whose last label is a number counts as an address, as in the URL
    /// standard: `127.1` connects to 127.0.0.1.
    package var isAddress: Bool { Self.isAddress(host) }

    package static func isAddress(_ host: String) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") || host.utf8.contains(UInt8(ascii: ":")) { return true }
        var labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard let last = labels.last, !last.isEmpty else { return false }
        if last.allSatisfy({ (48...57).contains($0) }) { return true }
        return last.starts(with: "0x".utf8)
            && last.dropFirst(2).allSatisfy { (48...57).contains($0) || (97...102).contains($0 | 0x20) }
    }

    /// True if the host can only be this machine: `localhost` and names below it (RFC 6761 section 6.3), 127.0.0.0/8
    /// and `[::1]`. Forms that only some systems resolve that way don't count.
    package var isLoopback: Bool {
        if host.utf8.first == UInt8(ascii: "[") { return name == "::1" }
        let name = name
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { part in
                part.utf8.allSatisfy { (48...57).contains($0) } && (part == "0" || part.first != "0")
                    && UInt8(part) != nil
            }
    }
}
