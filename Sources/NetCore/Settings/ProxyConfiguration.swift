/// Which proxy serves which requests.
///
///     var configuration = CurlTransport.Configuration()
///     configuration.proxy = .server(ProxyServer("socks5h://127.0.0.1:9050"), except: ["localhost", ".internal"])
///
/// Exceptions are what `NO_PROXY` holds: names, which count for the names below them too, `*` for all, addresses,
/// networks such as `10.0.0.0/8`, each with a port or without.
public struct ProxyConfiguration: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        case environment, none
        case servers(http: ProxyServer?, https: ProxyServer?, exceptions: [String])
    }

    package let source: Source

    /// From `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, read once when the transport starts. `HTTP_PROXY` in upper
    /// case is not looked at: in a CGI program it holds a field of the request.
    public static let environment = ProxyConfiguration(source: .environment)

    /// None.
    public static let none = ProxyConfiguration(source: .none)

    /// One for all requests.
    public static func server(_ server: ProxyServer, except hosts: [String] = []) -> ProxyConfiguration {
        servers(http: server, https: server, except: hosts)
    }

    /// One for `http:` and `ws:`, one for `https:` and `wss:`; nil for none.
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
