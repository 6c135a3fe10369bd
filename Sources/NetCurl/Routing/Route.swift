#if os(Linux)
internal import CCurl
internal import NetCore

/// The path of a request to its server: the proxy, Unix socket or alternative service, and the public keys that are
/// accepted. The parts are objects that all requests share, so comparing and copying a route is cheap.
package struct Route: Sendable, Equatable {
    let proxy: ProxyRoute?
    let socket: UnixRoute?
    let pins: PinList?
    /// The alternative service. `EasyHandle` sets it on the handle, together with the overrides for the origin.
    var alternative: AlternativeRoute?
    /// True if the server gets the current user's ticket (`Negotiate` authentication) when it asks for one.
    var negotiates = false

    package static func == (one: Route, other: Route) -> Bool {
        one.proxy === other.proxy && one.socket === other.socket && one.pins === other.pins
            && one.alternative === other.alternative && one.negotiates == other.negotiates
    }

    /// True if a proxy receives the request itself rather than a request for a tunnel to the server.
    func forwards(isPlain: Bool) -> Bool {
        guard isPlain, let proxy, !proxy.server.tunnelsAlways else { return false }
        return proxy.address.scheme.isHTTP
    }

    /// Returns the target of a connection to the host, for messages.
    func place(of host: String) -> String {
        if let socket { return "\(host) by the Unix socket \(socket.isAbstract ? "@" : "")\(socket.path)" }
        if let proxy { return "\(host) through the proxy \(proxy.name)" }
        return host
    }

    /// The proxy, if it's an HTTPS proxy.
    var tlsProxy: ProxyRoute? { proxy?.address.scheme == .https ? proxy : nil }

    /// Sets the options that differ from the handle's previous route. `isStream` is true for a byte stream, which
    /// always uses a tunnel.
    func apply(to writer: inout EasyWriter, replacing old: Route?, isStream: Bool) {
        if old == nil || old?.proxy !== proxy { setProxy(&writer, isStream: isStream) }
        if old?.socket !== socket {
            if let socket, socket.isAbstract {
                writer.set(CURLOPT_ABSTRACT_UNIX_SOCKET, socket.path, "connection.unixSockets")
            } else {
                writer.set(CURLOPT_UNIX_SOCKET_PATH, socket?.path, "connection.unixSockets")
            }
        }
        if old?.pins !== pins { writer.set(CURLOPT_PINNEDPUBLICKEY, pins?.text, "tls.pins") }
        if (old?.negotiates ?? false) != negotiates { setNegotiation(&writer) }
    }

    private func setNegotiation(_ writer: inout EasyWriter) {
        writer.set(CURLOPT_HTTPAUTH, negotiates ? net_auth_negotiate : net_auth_basic, "negotiateOrigins")
        // libcurl negotiates only if there is a user, even one with an empty name.
        writer.set(CURLOPT_USERNAME, negotiates ? "" : nil, "negotiateOrigins")
        writer.set(CURLOPT_PASSWORD, negotiates ? "" : nil, "negotiateOrigins")
    }

    private func setProxy(_ writer: inout EasyWriter, isStream: Bool) {
        // An empty string means no proxy; with nil libcurl would read the environment.
        writer.set(CURLOPT_PROXY, proxy?.address.text ?? "", "proxy")
        let tunnels = isStream || proxy?.server.tunnelsAlways == true
        writer.set(CURLOPT_HTTPPROXYTUNNEL, tunnels ? 1 : 0, "proxy")
        guard let proxy else { return }
        writer.set(CURLOPT_PROXYUSERNAME, proxy.user, "proxy")
        writer.set(CURLOPT_PROXYPASSWORD, proxy.password, "proxy")
        writer.set(CURLOPT_PROXYAUTH, proxy.authentication, "proxy")
        if proxy.address.scheme == .https {
            proxy.tls.apply(to: &writer, .proxy)
            proxy.tls.applySystemAuthorities(to: &writer, .proxy)
            writer.set(CURLOPT_PROXY_PINNEDPUBLICKEY, proxy.pins?.text, "proxy")
        }
    }
}

/// A validated proxy. A class: routes compare it by identity.
package final class ProxyRoute: Sendable {
    let address: ProxyAddress
    let server: ProxyServer
    let user: String?
    let password: String?
    let tls: TLSSettings
    let pins: PinList?

    init(_ server: ProxyServer, setting: String) throws(NetError) {
        let address = try ProxyAddress(server.url, setting: setting)
        self.address = address
        self.server = server
        // libcurl negotiates only if there is a user, even one with an empty name.
        user = server.user ?? address.user ?? (server.authentication == .negotiate ? "" : nil)
        password = server.password ?? address.password
        tls = try TLSSettings(server.tls, setting: "\(setting).tls")
        pins = tls.pins.value(for: Authority(address.host).name)
    }

    /// The scheme, host and port, for messages.
    var name: String { address.text }

    var authentication: Int {
        switch server.authentication {
        case .basic: net_auth_basic
        case .digest: net_auth_digest
        case .negotiate: net_auth_negotiate
        case .any: net_auth_any
        }
    }
}

extension ProxyRoute: CustomReflectable {
    /// The scheme, host and port, without user and password.
    package var customMirror: Mirror { Mirror(self, children: ["url": name]) }
}

/// A validated Unix socket. A class: routes compare it by identity.
package final class UnixRoute: Sendable {
    let path: String
    let isAbstract: Bool

    init(_ socket: UnixSocket) {
        switch socket {
        case .path(let path): (self.path, isAbstract) = (path, false)
        case .abstract(let name): (path, isAbstract) = (name, true)
        }
    }
}
#endif
