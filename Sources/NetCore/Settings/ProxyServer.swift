/// A proxy server: its address, its protocol and the credentials for it.
///
/// | scheme | what it does |
/// |---|---|
/// | `http` | forwards `http:` requests, tunnels the others (CONNECT, RFC 9110 section 9.3.6) |
/// | `https` | the same, over TLS |
/// | `socks5h`, `socks4a` | relays bytes and resolves names itself |
/// | `socks5`, `socks4` | relays bytes; names are resolved locally |
///
///     var server = ProxyServer("http://proxy.example:3128", user: "ann", password: "secret")
///     server.authentication = .digest
public struct ProxyServer: Sendable, Hashable {
    /// The authentication scheme for an HTTP proxy.
    public enum Authentication: Sendable, Hashable, CaseIterable {
        /// Basic (RFC 7617). The password is sent in plain text: use an `https` proxy where others can eavesdrop.
        case basic
        /// Digest (RFC 7616).
        case digest
        /// Negotiate (RFC 4559): Kerberos, with the ticket of the current user.
        case negotiate
        /// The scheme that the proxy asks for; costs another request for each connection.
        case any
    }

    /// Scheme, host and port, `http://proxy.example:3128`. The default scheme is `http`; the default port is 1080, or
    /// 443 for `https`.
    package var url: String
    /// The user name; nil uses the one in the URL. Default nil.
    public var user: String?
    /// The user's password. Never printed. Default nil.
    public var password: String?
    /// The authentication scheme for an HTTP proxy. Default ``Authentication/basic``.
    public var authentication = Authentication.basic
    /// True to send `http:` requests through a tunnel, too. Default false.
    public var tunnelsAlways = false
    /// The TLS settings for the connection to an `https` proxy itself. Default: those of ``TLSConfiguration``.
    public var tls = TLSConfiguration()

    /// Creates a proxy. An unusable URL makes the first call throw `.invalidRequest`.
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

    /// All values except user and password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": description, "authentication": authentication, "tunnelsAlways": tunnelsAlways, "tls": tls,
            ])
    }
}
