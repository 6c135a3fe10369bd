#if os(Linux)
internal import HTTPTypes
internal import NetCore

/// The routes of all requests. If no rule depends on the host, as usual, a lookup only checks the scheme. A class, so
/// that a lookup copies nothing.
package final class RouteTable: Sendable {
    let http: ProxyRoute?
    let https: ProxyRoute?
    private let exceptions: ProxyExceptions
    private let sockets: HostTable<UnixRoute>
    private let pins: HostTable<PinList>
    /// The origins that negotiate.
    private let negotiators: Set<String>
    private let isUniform: Bool
    /// The credentials of the proxies as `Basic` sends them.
    let proxyCredentials: [String]

    init(
        http: ProxyRoute?, https: ProxyRoute?, exceptions: ProxyExceptions, sockets: HostTable<UnixRoute>,
        pins: HostTable<PinList>, negotiators: Set<String>
    ) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
        self.sockets = sockets
        self.pins = pins
        self.negotiators = negotiators
        let hasExceptions = !exceptions.isEmpty && (http != nil || https != nil)
        isUniform = sockets.isEmpty && pins.isEmpty && !hasExceptions
        proxyCredentials = [http, https].compactMap { proxy in
            guard let proxy, let password = proxy.password else { return nil }
            // A user that Basic can't send has been refused before.
            return (try? Authorization.basic(user: proxy.user ?? "", password: password))?.value ?? password
        }
    }

    /// Returns the route of a request, which negotiates only if the request doesn't contain credentials.
    func route(for head: HTTPRequest) -> Route {
        let isSecure = head.scheme == "https"
        var route = route(isSecure: isSecure, authority: head.authority)
        guard !negotiators.isEmpty, head.headerFields[.authorization] == nil else { return route }
        let origin = Authority.origin(scheme: isSecure ? "https" : "http", authority: head.authority ?? "")
        route.negotiates = negotiators.contains(origin)
        return route
    }

    /// Returns the route to a URL's authority.
    func route(isSecure: Bool, authority: String?) -> Route {
        let proxy = isSecure ? https : http
        if isUniform { return Route(proxy: proxy, socket: nil, pins: nil) }
        let authority = Authority(authority ?? "")
        let host = authority.name
        let pins = isSecure ? pins.value(for: host) : nil
        if let socket = sockets.value(for: host) { return Route(proxy: nil, socket: socket, pins: pins) }
        guard let proxy else { return Route(proxy: nil, socket: nil, pins: pins) }
        let port = Int(authority.port(for: isSecure ? "https" : "http") ?? 80)
        return Route(proxy: exceptions.contains(host, port: port) ? nil : proxy, socket: nil, pins: pins)
    }

    /// True if every request goes directly to its server, without pins and negotiation.
    var isDirect: Bool {
        http == nil && https == nil && sockets.isEmpty && pins.isEmpty && negotiators.isEmpty
    }

    /// Routes that together use every kind of option.
    var samples: [Route] {
        let pins = pins.values.first
        return [http, https].map { Route(proxy: $0, socket: nil, pins: pins) }
            + sockets.values.map { Route(proxy: nil, socket: $0, pins: pins) }
            + (negotiators.isEmpty ? [] : [Route(proxy: nil, socket: nil, pins: pins, negotiates: true)])
    }
}
#endif
