#if Server
public import NetCore

/// The reverse proxies that a server trusts to report the addresses of its clients.
///
/// A proxy that isn't listed can't make a client look like another one, and neither can the client itself. List every
/// proxy on the way to the server; each must append the address of its own peer to the header.
///
///     var configuration = TrustedProxies(["10.0.0.0/8", "2001:db8::7"])
///     configuration.header = .forwarded
public struct TrustedProxies: Sendable, Hashable {
    /// The header in which proxies name their peers.
    public enum Header: Sendable, Hashable {
        /// Either header: `Forwarded` or `X-Forwarded-For`. If both are present, they must lead to the same address.
        /// The default.
        case any
        /// `Forwarded` (RFC 7239); `X-Forwarded-For` is ignored.
        case forwarded
        /// `X-Forwarded-For`; `Forwarded` is ignored.
        case xForwardedFor
    }

    /// The addresses and networks, as passed to the initializer.
    public let addresses: [String]
    /// The header to read. Default `.any`.
    public var header: Header
    private let ranges: [AddressRange]
    private let hasUnixSockets: Bool

    /// Creates a list of addresses (`192.0.2.7`, `::1`) and networks in CIDR notation (`10.0.0.0/8`). `unix:` matches
    /// peers on a Unix domain socket, which have no address. Other entries match nothing, and ``validate()`` throws
    /// for them.
    public init(_ addresses: [String], header: Header = .any) {
        self.addresses = addresses
        self.header = header
        ranges = addresses.compactMap { AddressRange($0) }
        hasUnixSockets = addresses.contains("unix:")
    }

    /// No proxy: the client is the peer of the connection. The default of servers.
    public static let none = TrustedProxies([])
    /// Proxies on this machine: 127.0.0.0/8, `::1` and Unix domain sockets.
    public static let loopback = TrustedProxies(["127.0.0.0/8", "::1", "unix:"])
    /// Proxies on this machine and in private networks: those of RFC 1918, RFC 4193 and RFC 6598, and link-local
    /// addresses. Only for servers that no client can reach from such a network.
    public static let privateNetworks = TrustedProxies([
        "127.0.0.0/8", "::1", "unix:", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10",
        "169.254.0.0/16", "fc00::/7", "fe80::/10",
    ])

    /// Throws `.invalidRequest` for entries that are neither an address nor a network.
    public func validate() throws(NetError) {
        let invalid = addresses.filter { $0 != "unix:" && AddressRange($0) == nil }
        guard invalid.isEmpty else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "trusted proxies are addresses or networks such as 10.0.0.0/8, not "
                    + invalid.map { "\"\($0)\"" }.joined(separator: ", "))
        }
    }

    /// Returns true if a peer is trusted; nil is a peer on a Unix domain socket.
    package func contains(_ address: PeerAddress?) -> Bool {
        guard let address else { return hasUnixSockets }
        return ranges.contains { $0.contains(address) }
    }
}

extension TrustedProxies: ExpressibleByArrayLiteral {
    /// Creates a list from a literal: `["10.0.0.0/8", "::1"]`.
    public init(arrayLiteral addresses: String...) { self.init(addresses) }
}
#endif
