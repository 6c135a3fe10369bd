#if os(Linux)
internal import NetCore

/// Hosts that are reached without a proxy, in the format of `NO_PROXY`. libcurl itself supports networks only since
/// 7.86.
package struct ProxyExceptions: Sendable, Equatable {
    private enum Rule: Sendable, Equatable {
        case all
        /// A host name and its subdomains.
        case name(String, port: Int?)
        case network(IPAddress, bits: Int, port: Int?)
    }

    private let rules: [Rule]

    /// Parses entries separated by commas or whitespace. Invalid entries match nothing.
    package init(_ text: String) {
        rules = text.split { $0 == "," || $0.isWhitespace }.compactMap(Self.rule)
    }

    package var isEmpty: Bool { rules.isEmpty }

    private static func rule(_ entry: Substring) -> Rule? {
        if entry == "*" { return .all }
        let parts = entry.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let address = IPAddress(unbracketed(parts[0])), let bits = Int(parts[1]),
                (0...address.bytes.count * 8).contains(bits)
            else { return nil }
            return .network(address, bits: bits, port: nil)
        }
        // An IPv6 address without brackets has no port.
        if let address = IPAddress(unbracketed(entry)) {
            return .network(address, bits: address.bytes.count * 8, port: nil)
        }
        var name = entry[...]
        if name.hasPrefix("*.") { name = name.dropFirst() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        guard let place = HostAndPort(name) else { return nil }
        let host = Authority(place.host).name
        if let address = IPAddress(host) {
            return .network(address, bits: address.bytes.count * 8, port: place.port)
        }
        return host.isEmpty ? nil : .name(host, port: place.port)
    }

    private static func unbracketed(_ text: some StringProtocol) -> String {
        text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
    }

    /// True if a host, in lowercase and without brackets, is reached directly.
    package func contains(_ host: String, port: Int) -> Bool {
        let address = rules.isEmpty ? nil : IPAddress(host)
        return rules.contains { rule in
            switch rule {
            case .all:
                return true
            case .name(let name, let only):
                guard only == nil || only == port, address == nil, host.hasSuffix(name) else { return false }
                let rest = host.utf8.dropLast(name.utf8.count)
                return rest.isEmpty || rest.last == UInt8(ascii: ".")
            case .network(let network, let bits, let only):
                return (only == nil || only == port) && address?.shares(bits, with: network) == true
            }
        }
    }
}
#endif
