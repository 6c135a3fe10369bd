#if Redis
internal import NetCore

/// The address of a broker: `redis://[[user]:password@]host[:port][/database]`, or `rediss://` for TLS.
///
/// The user and the password are percent-decoded. The description contains neither.
struct RedisAddress: Sendable, Hashable {
    /// True for `rediss`: the connection is encrypted, and the broker's certificate is verified.
    let isSecure: Bool
    /// A name or an address; an IPv6 address has no brackets.
    let host: String
    /// Default 6379.
    let port: Int
    /// Default 0.
    let database: Int
    /// nil for the broker's default user.
    let user: String?
    /// nil if the broker requires none.
    let password: String?

    static let defaultPort = 6379

    /// Parses an address. Throws `.invalidRequest`, which names the invalid part but not its text, since it may be a
    /// password.
    init(_ url: String) throws(NetError) {
        let (scheme, rest) = try Self.split(url)
        isSecure = scheme == "rediss"
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/"))
        let authority = Authority(rest[..<(slash ?? rest.endIndex)])
        (user, password) = try Self.credentials(authority.userInformation)
        guard let place = HostAndPort(authority.hostAndPort), place.port != 0 else {
            throw Self.invalid(
                authority.host.isEmpty
                    ? "it has no host"
                    : "its host or port isn't valid (a / or @ in a password is written %2F or %40, and an IPv6 address "
                        + "in brackets)")
        }
        host = place.host.hasPrefix("[") ? String(place.host.dropFirst().dropLast()) : place.host
        port = place.port ?? Self.defaultPort
        database = try Self.database(slash.map { rest[rest.utf8.index(after: $0)...] } ?? "")
    }

    private static func split(_ url: String) throws(NetError) -> (scheme: String, rest: Substring) {
        for scheme in ["redis", "rediss"] {
            let prefix = "\(scheme)://"
            guard url.utf8.count >= prefix.utf8.count,
                url.utf8.prefix(prefix.utf8.count).elementsEqual(prefix.utf8, by: { $0 == $1 || $0 | 0x20 == $1 })
            else { continue }
            let rest = url[url.utf8.index(url.startIndex, offsetBy: prefix.utf8.count)...]
            guard !rest.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
                throw invalid("it has a query or a fragment (in a password, ? is written %3F and # is written %23)")
            }
            return (scheme, rest)
        }
        throw invalid("it doesn't begin with redis:// or rediss://")
    }

    private static func credentials(
        _ information: String?
    ) throws(NetError) -> (user: String?, password: String?) {
        guard let information else { return (nil, nil) }
        guard let colon = information.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw invalid("there is no colon before its password")
        }
        let user = try decode(information[..<colon])
        let password = try decode(information[information.utf8.index(after: colon)...])
        guard !password.isEmpty else {
            guard user.isEmpty else { throw invalid("it has a user without a password") }
            return (nil, nil)
        }
        return (user.isEmpty ? nil : user, password)
    }

    private static func decode(_ text: Substring) throws(NetError) -> String {
        let decoded = PercentEncoding.decode(text)
        // Invalid UTF-8 would be replaced, and the broker would receive a different password.
        guard !decoded.unicodeScalars.contains("\u{FFFD}") || text.unicodeScalars.contains("\u{FFFD}") else {
            throw invalid("its user or password isn't UTF-8 after percent-decoding")
        }
        return decoded
    }

    private static func database(_ text: Substring) throws(NetError) -> Int {
        if text.isEmpty { return 0 }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int32(text) else {
            throw invalid("its database isn't a number (a / in a password is written %2F)")
        }
        return Int(number)
    }

    private static func invalid(_ reason: String) -> NetError {
        NetError(
            .invalidRequest, phase: .preparing,
            message: "the address of the broker isn't valid: \(reason); expected "
                + "redis://[[user]:password@]host[:port][/database], or rediss:// for TLS")
    }
}

extension RedisAddress: CustomStringConvertible, CustomReflectable {
    /// The address without the user and the password, such as `redis://127.0.0.1:6379/0`.
    var description: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return "\(isSecure ? "rediss" : "redis")://\(name):\(port)/\(database)"
    }

    /// Omits the user and the password.
    var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
#endif
