package import HTTPTypes

/// The parts of a URL that matter for cookies: host, path, and whether the connection is secure (RFC 6265bis section
/// 5.1).
package struct CookieTarget: Sendable, Hashable {
    package let host: String
    package let path: String
    package let isSecure: Bool

    package init(host: String, path: String, isSecure: Bool) {
        self.host = host.lowercased()
        self.path = path
        self.isSecure = isSecure
    }

    /// Creates the target of a request; nil if it has no host.
    package init?(_ head: HTTPRequest) {
        guard let host = head.authority.map({ Authority($0).host }), !host.isEmpty else { return nil }
        let path = head.path ?? "/"
        let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? path.endIndex
        self.init(host: host, path: String(path[..<end]), isSecure: head.scheme?.lowercased() == "https")
    }

    /// Creates the target of an http or https URL; nil for anything else.
    package init?(url: String) {
        let url = URLReference(url)
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.authority.map({ Authority($0).host }), !host.isEmpty
        else { return nil }
        self.init(host: host, path: url.path, isSecure: scheme == "https")
    }

    /// The path of a cookie that is set without one: everything up to the last slash (section 5.1.4).
    package var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash != path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Returns true if a cookie with the given path is sent to this one.
    package func matches(path cookiePath: String) -> Bool {
        let path = self.path.isEmpty ? "/" : self.path
        guard path.utf8.starts(with: cookiePath.utf8) else { return false }
        return path.utf8.count == cookiePath.utf8.count || cookiePath.utf8.last == UInt8(ascii: "/")
            || path.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
    }

    /// Returns true if the host is the domain or a subdomain of it; an address matches only itself (section 5.1.3).
    package static func isHost(_ host: String, within domain: String) -> Bool {
        if host == domain { return true }
        return host.utf8.count > domain.utf8.count && !domain.isEmpty
            && host.utf8.suffix(domain.utf8.count).elementsEqual(domain.utf8)
            && host.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".") && !Authority.isAddress(host)
    }
}
