#if os(Linux)
internal import Glibc
package import NetCore

/// The validated proxies for each scheme. libcurl itself would read the environment for every request, which races with
/// `setenv`.
package struct ProxySettings: Sendable {
    /// A proxy, and the name of the variable that contains it.
    package typealias Variable = (name: String, value: ProxyServer)

    let http: ProxyRoute?
    let https: ProxyRoute?
    let exceptions: ProxyExceptions

    /// Validates a configuration; throws `.invalidRequest` with the name of the setting or variable.
    init(_ configuration: ProxyConfiguration, variable: (String) -> String?) throws(NetError) {
        switch configuration.source {
        case .none:
            (http, https, exceptions) = (nil, nil, ProxyExceptions(""))
        case .environment:
            let chosen = Self.environment(variable)
            http = try Self.route(chosen.http)
            https = try Self.route(chosen.https)
            exceptions = ProxyExceptions(chosen.exceptions)
        case .servers(let plain, let secure, let hosts):
            http = try Self.route(plain.map { ("proxy", $0) })
            https = try secure == plain ? http : Self.route(secure.map { ("proxy", $0) })
            exceptions = ProxyExceptions(hosts.joined(separator: ","))
        }
    }

    private static func route(_ server: (name: String, value: ProxyServer)?) throws(NetError) -> ProxyRoute? {
        guard let server else { return nil }
        return try ProxyRoute(server.value, setting: server.name)
    }

    /// Returns the values of the usual variables. `http_proxy` is read only in lowercase, because a CGI server sets the
    /// uppercase one from a header of the request. An empty variable counts as absent, as in curl.
    package static func environment(
        _ value: (String) -> String?
    ) -> (http: Variable?, https: Variable?, exceptions: String) {
        func first(_ names: [String]) -> (name: String, value: String)? {
            for name in names {
                if let value = value(name), !value.isEmpty { return (name, value) }
            }
            return nil
        }
        func proxy(_ names: String...) -> Variable? {
            first(names + ["all_proxy", "ALL_PROXY"]).map { ("the environment's \($0.name)", ProxyServer($0.value)) }
        }
        return (proxy("http_proxy"), proxy("https_proxy", "HTTPS_PROXY"), first(["no_proxy", "NO_PROXY"])?.value ?? "")
    }

    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
#endif
