/// The parsed and validated URL of a proxy.
package struct ProxyAddress: Sendable, Hashable {
    package enum Scheme: String, Sendable, Hashable, CaseIterable {
        case http, https, socks4, socks4a, socks5, socks5h

        /// True for HTTP, false for SOCKS.
        package var isHTTP: Bool { self == .http || self == .https }
    }

    package var scheme: Scheme
    /// A host name or an address; IPv6 in brackets.
    package var host: String
    package var port: Int
    /// The user name before `@`, percent-decoded.
    package var user: String?
    package var password: String?

    /// Parses a URL. Throws `.invalidRequest`, which names the setting and never quotes a possible password.
    package init(_ url: String, setting: String) throws(NetError) {
        func refuse(_ message: String) -> NetError { NetError.unusable(setting, message) }
        let reference = URLReference(url.contains("://") ? url : "http://" + url)
        let names = Scheme.allCases.map(\.rawValue).joined(separator: ", ")
        guard let scheme = reference.scheme.flatMap({ Scheme(rawValue: $0.lowercased()) }) else {
            throw refuse("the proxy's URL must begin with one of \(names)")
        }
        self.scheme = scheme
        guard let authority = reference.authority, reference.path.isEmpty || reference.path == "/",
            reference.query == nil, reference.fragment == nil
        else { throw refuse("a proxy's URL is a scheme, a host and a port, like http://proxy.example:3128") }
        let parts = Authority(authority)
        if let information = parts.userInformation {
            let names = information.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = PercentEncoding.decode(names[0])
            password = names.count > 1 ? PercentEncoding.decode(names[1]) : nil
        }
        guard let parsed = HostAndPort(parts.hostAndPort), parsed.port != 0 else {
            throw refuse("the proxy's URL has no usable host and port, like proxy.example:3128")
        }
        host = parsed.host
        port = parsed.port ?? (scheme == .https ? 443 : 1080)
    }

    /// Scheme, host and port, for messages and for libcurl.
    package var text: String { "\(scheme.rawValue)://\(host):\(port)" }
}

extension ProxyAddress: CustomReflectable {
    /// Scheme, host and port.
    package var customMirror: Mirror { Mirror(self, children: ["url": text], displayStyle: .struct) }
}
