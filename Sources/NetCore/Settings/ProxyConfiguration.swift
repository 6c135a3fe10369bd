/// The proxies that a transport uses, and the hosts that it connects to without one.
///
///     var configuration = CurlTransport.Configuration()
///     configuration.proxy = .server(ProxyServer("socks5h://127.0.0.1:9050"), except: ["localhost", ".internal"])
///
/// Exceptions have the syntax of `NO_PROXY`: names, which include their subdomains, `*` for all hosts, addresses, and
/// networks such as `10.0.0.0/8`, each with or without a port.
public struct ProxyConfiguration: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        case environment, none
        case servers(http: ProxyServer?, https: ProxyServer?, exceptions: [String])
    }

    package let source: Source

    /// The proxies of `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, read once when the transport starts.
    /// `HTTP_PROXY` in uppercase is ignored, because in a CGI program, it contains the `Proxy` header of the incoming
    /// request.
    public static let environment = ProxyConfiguration(source: .environment)

    /// No proxy.
    public static let none = ProxyConfiguration(source: .none)

    /// Uses one proxy for all requests.
    public static func server(_ server: ProxyServer, except hosts: [String] = []) -> ProxyConfiguration {
        servers(http: server, https: server, except: hosts)
    }

    /// Uses one proxy for `http:` and `ws:`, and another for `https:` and `wss:`; nil for none.
    public static func servers(
        http: ProxyServer?, https: ProxyServer?, except hosts: [String] = []
    ) -> ProxyConfiguration {
        ProxyConfiguration(source: .servers(http: http, https: https, exceptions: hosts))
    }
}

extension ProxyConfiguration: CustomStringConvertible {
    /// `environment`, `none`, or the proxies without users and passwords.
    public var description: String {
        switch source {
        case .environment: return "environment"
        case .none: return "none"
        case .servers(let http, let https, let exceptions):
            let names =
                http == https
                ? "\(http?.description ?? "none")"
                : "\(http?.description ?? "none") for http, "
                    + "\(https?.description ?? "none") for https"
            return exceptions.isEmpty ? names : names + " except \(exceptions.joined(separator: ", "))"
        }
    }
}
