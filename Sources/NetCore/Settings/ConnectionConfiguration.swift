/// Where connections go and where they come from, below TLS.
///
/// A value that cannot be used fails the first call with `.invalidRequest`, which names it.
///
///     var connection = ConnectionConfiguration()
///     connection.overrides = ["api.example.com:443": .addresses(["192.0.2.7", "2001:db8::7"])]
///     connection.localAddress = .interface("eth1")
///     connection.addressFamily = .ipv4
public struct ConnectionConfiguration: Sendable, Hashable {
    /// Where connections to one host and port go instead. Field `Host`, TLS and its certificate stay those of the URL.
    public enum Override: Sendable, Hashable {
        /// To these addresses, the same port: no name is looked up.
        case addresses([String])
        /// To another host and port, `staging.example.com:8443`. Through an HTTP proxy this is always a tunnel.
        case host(String)
    }

    /// Which addresses are used.
    public enum AddressFamily: Sendable, Hashable, CaseIterable {
        /// Both; whichever answers first (RFC 8305).
        case any
        /// IPv4 alone.
        case ipv4
        /// IPv6 alone.
        case ipv6
    }

    /// What our end of a connection is bound to.
    public enum LocalAddress: Sendable, Hashable {
        /// A network interface by name, `eth1`.
        case interface(String)
        /// An address of this machine, or a name of one.
        case host(String)
    }

    /// By host and port, `api.example.com:443`. `*:443` is every host without an entry of its own; only for addresses.
    /// Default none.
    public var overrides: [String: Override] = [:]
    /// How long a looked-up name is remembered, in whole seconds; nil for ever. Default 60 s.
    public var dnsCacheLife: Duration? = .seconds(60)
    /// Which addresses are used. Default ``AddressFamily/any``.
    public var addressFamily = AddressFamily.any
    /// How long the family of the first address, mostly IPv6, is ahead of the other (RFC 8305 section 5). Default 200 ms.
    public var fallbackDelay = Duration.milliseconds(200)
    /// What our end is bound to. Default what the system chooses.
    public var localAddress: LocalAddress?
    /// The ports of our end, tried one after another. Default what the system chooses.
    public var localPorts: ClosedRange<Int>?
    /// Sockets of this machine by host: a name, `*.example.com` for the names below it, `*` for all. They need no port and no
    /// proxy. Default none.
    public var unixSockets: [String: UnixSocket] = [:]
    /// After how long a silence TCP asks whether the peer is still there, and how often it repeats that (RFC 9293 section
    /// 3.8.4); nil for never. Default 60 s.
    public var tcpKeepAlive: Duration? = .seconds(60)
    /// Whether small pieces are sent at once instead of being gathered (Nagle's algorithm). Default true.
    public var tcpNoDelay = true

    /// The defaults.
    public init() {}
}
