#if os(Linux)
internal import Glibc

/// Which proxy serves which scheme. libcurl would read the environment for every request, which races with `setenv`.
package struct ProxySettings: Sendable, Equatable {
    /// The proxy for `http:` URLs; empty for none.
    package var http: String
    /// The proxy for `https:` URLs; empty for none.
    package var https: String
    /// Hosts that are reached directly, separated by commas; `*` for all.
    package var exceptions: String

    package init(http: String, https: String, exceptions: String) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// No proxy at all.
    package static let none = ProxySettings(http: "", https: "", exceptions: "")

    /// The usual variables, read now: `http_proxy` in lower case only, because a CGI server sets the other.
    package static func environment(_ value: (String) -> String? = Self.variable) -> ProxySettings {
        let all = value("all_proxy") ?? value("ALL_PROXY") ?? ""
        return ProxySettings(
            http: value("http_proxy") ?? all, https: value("https_proxy") ?? value("HTTPS_PROXY") ?? all,
            exceptions: value("no_proxy") ?? value("NO_PROXY") ?? "")
    }

    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
#endif
