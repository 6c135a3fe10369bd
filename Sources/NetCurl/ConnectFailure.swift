#if os(Linux)
internal import CCurl
internal import NetCore

/// Why a connection does not stand, with the side that is to blame and what to do.
struct ConnectFailure {
    var code: NetError.Code
    var phase: NetError.Phase
    var message: String

    /// What is known of an attempt to connect.
    struct Attempt {
        /// Host and port of the URL, and of the alternative that was tried.
        var host: String
        var route: Route
        /// The proxy's status, when it refused a tunnel; libcurl then speaks of a failure to receive.
        var tunnelStatus = 0
        /// Why a SOCKS proxy refused, as `CURLPX_…`.
        var proxyReason = 0
        /// OpenSSL's verdict on the certificate of the server, or on that of the proxy.
        var verdict = 0

        /// Whether an HTTP proxy was asked for a tunnel, or about to be, and had not answered.
        private var isAtTunnel = false

        init(host: String, route: Route, easy: UnsafeMutableRawPointer?, isSent: Bool) {
            self.host = host
            if let used = route.alternative?.used { self.host += " at its alternative service \(used)" }
            self.route = route
            guard let easy else { return }
            tunnelStatus = net_easy_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
            isAtTunnel = !isSent && tunnelStatus == 0 && route.proxy?.address.scheme.isHTTP == true
            proxyReason = net_easy_get_long(easy, CURLINFO_PROXY_ERROR)
            verdict = net_easy_get_long(easy, CURLINFO_SSL_VERIFYRESULT)
            if isAtProxy { verdict = net_easy_get_long(easy, CURLINFO_PROXY_SSL_VERIFYRESULT) }
        }

        /// Whether TLS was still with the proxy and not with the server behind it.
        var isAtProxy: Bool { route.proxy?.address.scheme == .https && tunnelStatus == 0 }

        /// nil when the code says nothing of connecting.
        func failure(_ code: CURLcode, _ reason: String, _ settings: ConnectionSettings) -> ConnectFailure? {
            if let proxy = route.proxy, tunnelStatus >= 300 { return refusal(by: proxy) }
            switch code {
            case CURLE_COULDNT_RESOLVE_PROXY:
                return ConnectFailure(
                    code: .dns, phase: .resolving,
                    message: "the name of the proxy \(route.proxy?.name ?? "") has no address: \(reason)")
            case CURLE_PROXY:
                return socksRefusal(reason)
            case CURLE_COULDNT_CONNECT:
                return ConnectFailure(
                    code: .connect, phase: .connecting, message: "no connection to \(place): \(reason)")
            case CURLE_INTERFACE_FAILED:
                return ConnectFailure(
                    code: .connect, phase: .connecting,
                    message:
                        "no connection to \(host): connection.localAddress or .localPorts cannot be used: \(reason)")
            case CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
                guard isAtTunnel else { break }
                return ConnectFailure(
                    code: .connect, phase: .connecting,
                    message: "the proxy \(route.proxy?.name ?? "") did not answer the request for a tunnel to \(host) "
                        + "as a proxy does; is it one for HTTP? (\(reason))")
            default:
                break
            }
            guard let tls = TLSFailure(code: code, reason: reason, verdict: verdict) else { return nil }
            let identity = isAtProxy ? route.proxy?.tls.hasIdentity == true : settings.tls.hasIdentity
            let peer = isAtProxy ? "the proxy \(route.proxy?.name ?? "")" : host
            return ConnectFailure(
                code: .tls, phase: .securing,
                message: tls.message(peer: peer, setting: isAtProxy ? "ProxyServer.tls" : "tls", hasIdentity: identity))
        }

        /// Where libcurl tried to connect.
        private var place: String {
            if let socket = route.socket {
                return "\(host) by the Unix socket \(socket.isAbstract ? "@" : "")\(socket.path)"
            }
            if let proxy = route.proxy { return "\(host) through the proxy \(proxy.name)" }
            return host
        }

        private func refusal(by proxy: ProxyRoute) -> ConnectFailure {
            let advice =
                switch tunnelStatus {
                case 401 where proxy.user == nil, 407 where proxy.user == nil:
                    "it wants a user and a password; set them in ProxyServer"
                case 401, 407: "it does not accept the user and password, or wants another ProxyServer.authentication"
                case 403: "it does not allow this destination"
                case 502, 503, 504: "it cannot reach the destination"
                case 400, 405, 501: "it makes no tunnels, or not to this port"
                default: "ask whoever runs it"
                }
            return ConnectFailure(
                code: .connect, phase: .connecting,
                message: "the proxy \(proxy.name) refused a tunnel to \(host) with status \(tunnelStatus): \(advice)")
        }

        private func socksRefusal(_ reason: String) -> ConnectFailure {
            let why: String? =
                switch CURLproxycode(rawValue: UInt32(clamping: proxyReason)) {
                case CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_IDENTD_DIFFER:
                    route.proxy?.user == nil
                        ? "it wants a user and a password; set them in ProxyServer"
                        : "it does not accept the user and password"
                case CURLPX_REPLY_CONNECTION_REFUSED: "the destination refused its connection"
                case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_TTL_EXPIRED:
                    "it cannot reach the destination"
                case CURLPX_REPLY_NOT_ALLOWED: "it does not allow this destination"
                case CURLPX_RESOLVE_HOST:
                    "the destination's name has no address here; socks5h lets the proxy look it up"
                default: nil
                }
            let name = route.proxy.map { "the proxy \($0.name)" } ?? "the proxy"
            return ConnectFailure(
                code: .connect, phase: .connecting,
                message: "\(name) refused a connection to \(host): \(why.map { "\($0) (\(reason))" } ?? reason)")
        }
    }
}
#endif
