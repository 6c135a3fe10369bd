/// A proxy: where it is, how it is spoken to, and who we are for it.
///
/// | scheme | what it does |
/// |---|---|
/// | `http` | forwards `http:` requests, tunnels the others (CONNECT, RFC 9110 section 9.3.6) |
/// | `https` | the same, spoken to by TLS |
/// | `socks5h`, `socks4a` | relays bytes and looks names up itself |
/// | `socks5`, `socks4` | relays bytes; names are looked up here |
///
///     var server = ProxyServer("http://proxy.example:3128", user: "ann", password: "secret")
///     server.authentication = .digest
public struct ProxyServer: Sendable, Hashable {
    /// How an HTTP proxy is told who we are.
    public enum Authentication: Sendable, Hashable, CaseIterable {
        /// RFC 7617. The password travels as it is: use an `https` proxy where others can listen.
        case basic
        /// RFC 7616.
        case digest
        /// RFC 4559: Kerberos, with the ticket of the running user.
        case negotiate
        /// What the proxy asks for; costs another request for each connection.
        case any
    }

    /// Scheme, host and port, `http://proxy.example:3128`. Without a scheme it is `http`, without a port 1080, for `https`
    /// 443.
    package var url: String
    /// The user's name. One in the URL is taken where this is nil.
    public var user: String?
    /// The user's password. Never printed.
    public var password: String?
    /// How an HTTP proxy is told who we are. Default ``Authentication/basic``.
    public var authentication = Authentication.basic
    /// Whether `http:` requests go through a tunnel too. Default false.
    public var tunnelsAlways = false
    /// TLS with an `https` proxy itself. Defaults as everywhere.
    public var tls = TLSConfiguration()

    /// Makes a proxy. A URL that cannot be used fails the first call.
    public init(_ url: String, user: String? = nil, password: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
    }
}

extension ProxyServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Scheme, host and port.
    public var description: String {
        (try? ProxyAddress(url, setting: "proxy"))?.text ?? "a proxy with an unusable URL"
    }

    public var debugDescription: String { description }

    /// No user and no password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": description, "authentication": authentication, "tunnelsAlways": tunnelsAlways, "tls": tls,
            ])
    }
}
