#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore

/// A failure to establish a connection: which side caused it, and what to do.
struct ConnectFailure {
    var code: NetError.Code
    var phase: NetError.Phase
    var message: String

    /// The facts about an attempt to connect.
    struct Attempt {
        /// Host and port of the URL, and of the alternative that was used.
        var host: String
        var route: Route
        /// The proxy's status if it refused a tunnel; libcurl then reports a failure to receive.
        var tunnelStatus = 0
        /// The reason of a SOCKS proxy's refusal, as `CURLPX_…`.
        var proxyReason = 0
        /// OpenSSL's verification result for the certificate of the server, or for that of the proxy.
        var verdict = 0
        let mayUseHTTP2: Bool
        /// True for a URL without TLS.
        var isPlain = false

        /// True if an HTTP proxy was asked for a tunnel, or was about to be, and hasn't responded.
        private var isAtTunnel = false
        /// True if there is an HTTP proxy, and the request hasn't been sent.
        private var isBeforeRequest = false
        /// True if an HTTP proxy without TLS accepted the connection and hasn't responded since.
        private var isProxySilent = false

        init(
            host: String, route: Route, easy: UnsafeMutableRawPointer?, isConnected: Bool, isSent: Bool,
            mayUseHTTP2: Bool = false
        ) {
            self.host = host
            self.mayUseHTTP2 = mayUseHTTP2
            if let used = route.alternative?.used { self.host += " at its alternative service \(used)" }
            self.route = route
            guard let easy else { return }
            tunnelStatus = net_easy_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
            isBeforeRequest = !isSent && route.proxy?.address.scheme.isHTTP == true
            isAtTunnel = isBeforeRequest && tunnelStatus == 0
            isProxySilent = isAtTunnel && isConnected && route.tlsProxy == nil
            proxyReason = net_easy_get_long(easy, CURLINFO_PROXY_ERROR)
            verdict = net_easy_get_long(easy, CURLINFO_SSL_VERIFYRESULT)
            if isAtProxy { verdict = net_easy_get_long(easy, CURLINFO_PROXY_SSL_VERIFYRESULT) }
        }

        /// True if the peer of TLS was still the proxy and not the server behind it.
        var isAtProxy: Bool { route.proxy?.address.scheme == .https && tunnelStatus == 0 }

        /// Returns the failure; nil if the code isn't about connecting.
        func failure(_ code: CURLcode, _ reason: String, _ settings: ConnectionSettings) -> ConnectFailure? {
            // 1xx doesn't open a tunnel either: libcurl treats an interim response to CONNECT as the final one.
            if let proxy = route.proxy, tunnelStatus >= 300 || 1..<200 ~= tunnelStatus { return refusal(by: proxy) }
            switch code {
            case CURLE_COULDNT_RESOLVE_PROXY:
                return ConnectFailure(
                    code: .dns, phase: .resolving,
                    message: "the name of the proxy \(route.proxy?.name ?? "") has no address: \(reason)")
            case CURLE_PROXY:
                return socksRefusal(reason)
            case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST:
                // libcurl gives no reason if it couldn't create a socket.
                let want = Self.hasDescriptors ? nil : "the process has no file descriptor left (see ulimit -n)"
                guard code == CURLE_COULDNT_CONNECT || want != nil else { break }
                return ConnectFailure(
                    code: .connect, phase: .connecting, message: "no connection to \(place): \(want ?? reason)")
            case CURLE_INTERFACE_FAILED:
                return ConnectFailure(
                    code: .connect, phase: .connecting,
                    message:
                        "no connection to \(host): connection.localAddress or .localPorts cannot be used: \(reason)")
            case CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
                guard isAtTunnel || isBeforeRequest && Self.isOfTunnel(reason) else { break }
                return ConnectFailure(
                    code: .connect, phase: .connecting,
                    message:
                        "the proxy \(route.proxy?.name ?? "") didn't respond to the request for a tunnel to \(host) "
                        + "as a proxy does; is it an HTTP proxy? (\(reason))")
            // Newer versions (8.14) report only the elapsed time.
            case CURLE_OPERATION_TIMEDOUT where isProxySilent || isBeforeRequest && Self.isOfTunnel(reason):
                return ConnectFailure(
                    code: .timeout, phase: .connecting,
                    message:
                        "the proxy \(route.proxy?.name ?? "") didn't respond to the request for a tunnel to \(host) "
                        + "within the connect timeout (\(reason))")
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

        /// True if the process can open another descriptor.
        private static var hasDescriptors: Bool {
            let descriptor = eventfd(0, Int32(EFD_CLOEXEC))
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            close(descriptor)
            return true
        }

        /// True if libcurl reports an incomplete response to CONNECT, whose status it may have.
        private static func isOfTunnel(_ reason: String) -> Bool {
            ["Proxy CONNECT aborted", "CONNECT response too large", "Too large response headers"]
                .contains { reason.hasPrefix($0) }
        }

        /// The target to which libcurl tried to connect.
        var place: String { route.place(of: host) }

        private func refusal(by proxy: ProxyRoute) -> ConnectFailure {
            let advice =
                switch tunnelStatus {
                case 401 where proxy.user == nil, 407 where proxy.user == nil:
                    "it wants a user and a password; set them in ProxyServer"
                case 401, 407: "it does not accept the user and password, or wants another ProxyServer.authentication"
                case 403: "it does not allow this destination"
                case 502, 503, 504: "it cannot reach the destination"
                case 400, 405, 501: "it doesn't open tunnels, or not to this port"
                default: "ask its operator"
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
