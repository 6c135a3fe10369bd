#if Server
internal import NetCore

/// The web pages whose scripts may open a WebSocket, checked by the `Origin` header that browsers send (RFC 6455
/// section 10.2).
///
/// A browser sends cookies with the handshake, whichever page opens the WebSocket: without this check, any page could
/// act on behalf of a logged-in user. Programs that aren't browsers send no `Origin`, and are allowed unless
/// ``allowsMissing`` is false. The policy doesn't stop such programs: they can send any `Origin`.
///
///     var policy = OriginPolicy.list(["https://example.com", "https://*.example.com"])
///     policy.allowsMissing = false
public struct OriginPolicy: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case any
        case same
        case list([Pattern])
    }

    private struct Pattern: Sendable, Hashable {
        /// The origin; for a wildcard, the scheme and the part after `*`, such as `https://` and `.example.com:8443`.
        let scheme: String
        let place: String
        let isWildcard: Bool
    }

    private let rule: Rule
    /// The entries of a list that aren't origins; they match nothing.
    public let invalid: [String]
    /// If true, requests without an origin are allowed. Default true.
    public var allowsMissing = true

    private init(_ rule: Rule, invalid: [String] = []) {
        self.rule = rule
        self.invalid = invalid
    }

    /// Allows the server's own pages: host and port are those of the request's `Host`. The default of servers.
    ///
    /// The scheme isn't compared, since a server behind a proxy doesn't know its own scheme. A `Host` without a port
    /// has the default port of the origin's scheme. If a proxy changes `Host`, use a list.
    public static let sameOrigin = OriginPolicy(.same)
    /// Allows all pages. For servers that don't identify users by cookies or by their network location.
    public static let any = OriginPolicy(.any)

    /// Allows pages of these origins only: the server's own origin has to be listed, too.
    ///
    /// An entry is an origin as browsers send it: `https://example.com`, `http://localhost:3000`,
    /// `chrome-extension://id`, or `null`, which all sandboxed pages and local files send. `https://*.example.com`
    /// matches all hosts below `example.com`, one or more levels deep, but not `example.com` itself.
    public static func list(_ origins: [String]) -> OriginPolicy {
        var (patterns, invalid) = ([Pattern](), [String]())
        for origin in origins {
            if let pattern = pattern(origin) { patterns.append(pattern) } else { invalid.append(origin) }
        }
        return OriginPolicy(.list(patterns), invalid: invalid)
    }

    /// Returns true if a request may open a WebSocket.
    ///
    /// - Parameters:
    ///   - origin: The value of `Origin`; nil if absent.
    ///   - host: The value of `Host`; nil if absent.
    package func allows(origin: String?, host: String?) -> Bool {
        if rule == .any { return true }
        guard let origin else { return allowsMissing }
        switch rule {
        case .any: return true
        case .same:
            guard let origin = Self.origin(origin), ["http", "https"].contains(origin.scheme), let host,
                let place = HostAndPort(host)
            else { return false }
            let own = HostAndPort(origin.place)
            let standard = Authority.defaultPort(of: origin.scheme).map { Int($0) }
            return own?.host == place.host.lowercased() && own.map { $0.port ?? standard } == (place.port ?? standard)
        case .list(let patterns):
            guard let origin = origin == "null" ? ("null", "") : Self.origin(origin) else { return false }
            return patterns.contains { pattern in
                guard pattern.scheme == origin.scheme else { return false }
                guard pattern.isWildcard else { return pattern.place == origin.place }
                // At least one label must remain before the dot.
                return origin.place.hasSuffix(pattern.place) && origin.place.utf8.count > pattern.place.utf8.count
            }
        }
    }

    /// Returns the scheme and the host, with a port that isn't the scheme's default, in lowercase (RFC 6454 section
    /// 6.1). nil for text that isn't an origin: with a path, several origins, or `null`.
    private static func origin(_ text: String) -> (scheme: String, place: String)? {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            let first = bytes.first, (97...122).contains(first | 0x20),
            bytes[..<colon].allSatisfy({ byte in
                (97...122).contains(byte | 0x20) || (48...57).contains(byte) || "+-.".utf8.contains(byte)
            }), let place = HostAndPort(String(decoding: bytes[(colon + 3)...], as: UTF8.self)),
            !place.host.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "*") })
        else { return nil }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let authority = place.port.map { "\(place.host):\($0)" } ?? place.host
        let origin = Authority.origin(scheme: scheme, authority: authority)
        return (scheme, String(origin.dropFirst(scheme.count + 3)))
    }

    private static func pattern(_ text: String) -> Pattern? {
        if text == "null" { return Pattern(scheme: "null", place: "", isWildcard: false) }
        guard let wildcard = text.firstRange(of: "://*.") else {
            return origin(text).map { Pattern(scheme: $0.scheme, place: $0.place, isWildcard: false) }
        }
        let rest = text[..<wildcard.lowerBound] + "://" + text[wildcard.upperBound...]
        return origin(String(rest)).map { Pattern(scheme: $0.scheme, place: ".\($0.place)", isWildcard: true) }
    }
}
#endif
