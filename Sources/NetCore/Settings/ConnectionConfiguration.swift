/// Settings for connections below TLS: destinations, name resolution, local addresses and TCP options.
///
/// An unusable value makes the first call throw `.invalidRequest`, which names the setting.
///
///     var connection = ConnectionConfiguration()
///     connection.overrides = ["api.example.com:443": .addresses(["192.0.2.7", "2001:db8::7"])]
///     connection.localAddress = .interface("eth1")
///     connection.addressFamily = .ipv4
public struct ConnectionConfiguration: Sendable, Hashable {
    /// A different destination for connections to one host and port. The `Host` header, TLS and the certificate are
    /// still those of the URL.
    public enum Override: Sendable, Hashable {
        /// Connects to these addresses on the same port, without name resolution.
        case addresses([String])
        /// Connects to another host and port, `staging.example.com:8443`. Through an HTTP proxy, this always uses a
        /// tunnel.
        case host(String)
    }

    /// The IP address families that are used.
    public enum AddressFamily: Sendable, Hashable, CaseIterable {
        /// IPv4 and IPv6; the first to respond is used (RFC 8305).
        case any
        /// Only IPv4.
        case ipv4
        /// Only IPv6.
        case ipv6
    }

    /// The local end to which connections are bound.
    public enum LocalAddress: Sendable, Hashable {
        /// A network interface by name, `eth1`.
        case interface(String)
        /// An address of this machine, or a host name for one.
        case host(String)
    }

    /// Destinations by host and port, `api.example.com:443`. `*:443` applies to every host without a separate entry.
    /// Default none.
    public var overrides: [String: Override] = [:]
    /// The time for which resolved names are cached, in whole seconds; nil for no limit. Default 60 s.
    public var dnsCacheLife: Duration? = .seconds(60)
    /// The URL of a DNS-over-HTTPS server that resolves names (RFC 8484), such as `https://dns.example/dns-query`.
    /// Default nil: names are resolved by the system.
    ///
    /// The system resolves the server's own name, unless there is an override for it. TLS trusts the same authorities
    /// as for other connections; the configured proxies aren't used for it. A name that the server can't resolve
    /// throws `.dns`, without a fallback to the system.
    public var dnsOverHTTPS: String?
    /// The IP address families that are used. Default ``AddressFamily/any``.
    public var addressFamily = AddressFamily.any
    /// The head start of the first address's family, usually IPv6, over the other (RFC 8305 section 5). Default 200 ms.
    public var fallbackDelay = Duration.milliseconds(200)
    /// The local end to which connections are bound. Default nil: chosen by the system.
    public var localAddress: LocalAddress?
    /// The local ports, tried in order. Default nil: chosen by the system.
    public var localPorts: ClosedRange<Int>?
    /// Unix sockets by host: a name, `*.example.com` for its subdomains, or `*` for all hosts. Such a connection
    /// doesn't need a port and doesn't use a proxy. Default none.
    public var unixSockets: [String: UnixSocket] = [:]
    /// The idle time before the first TCP keep-alive probe, and the interval between probes (RFC 9293 section 3.8.4);
    /// nil for no probes. Default 60 s.
    public var tcpKeepAlive: Duration? = .seconds(60)
    /// True to send small segments immediately instead of combining them (Nagle's algorithm). Default true.
    public var tcpNoDelay = true

    /// Creates a configuration with the defaults.
    public init() {}
}

extension ConnectionConfiguration: CustomReflectable {
    /// The settings, with the secrets in the DNS server's URL hidden.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "overrides": overrides, "dnsCacheLife": dnsCacheLife as Any,
                "dnsOverHTTPS": dnsOverHTTPS.map(Printed.url) as Any, "addressFamily": addressFamily,
                "fallbackDelay": fallbackDelay, "localAddress": localAddress as Any, "localPorts": localPorts as Any,
                "unixSockets": unixSockets, "tcpKeepAlive": tcpKeepAlive as Any, "tcpNoDelay": tcpNoDelay,
            ], displayStyle: .struct)
    }
}
