#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie as stored by a client (RFC 6265bis section 5.7). Printing it shows everything except its value.
///
///     let cookie = Cookie(name: "theme", value: "dark", domain: "shop.example", isHostOnly: false)
///     print(cookie)  // theme=<redacted>; Domain=shop.example; Path=/
public struct Cookie: Sendable, Hashable {
    /// The `SameSite` attribute, which specifies when a browser sends the cookie with requests that another site
    /// starts. It doesn't apply to a client that isn't a browser, so it is only stored and returned.
    public enum SameSite: String, Sendable, Hashable, CaseIterable {
        case strict, lax, none
    }

    /// The order in which cookies entered a jar. It isn't part of a cookie's identity, so all ranks compare as equal.
    struct Rank: Sendable, Hashable {
        var number: UInt64 = 0

        static func == (left: Rank, right: Rank) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// The name; empty for a cookie that consists of only a value.
    public var name: String
    /// The value, which may be a secret: it is never printed.
    public var value: String
    /// The host that set the cookie, or the domain that it is for; in lowercase, without a leading dot.
    public var domain: String
    /// True if the cookie is sent only to that host, not to its subdomains.
    public var isHostOnly: Bool
    /// The path that the cookie is for, including everything below it.
    public var path: String
    /// The expiration time; nil for a session cookie, which lives as long as its jar.
    public var expires: Date?
    /// True if the cookie is sent only over https.
    public var isSecure: Bool
    /// True if scripts in a browser must not see the cookie (`HttpOnly`).
    public var isHTTPOnly: Bool
    /// The value of `SameSite`; nil if it is missing or unknown.
    public var sameSite: SameSite?
    /// The time when the cookie was first set.
    public var created: Date
    /// The time when the cookie was last set or sent.
    public var lastUsed: Date
    /// The order among cookies of the same jar that were created at the same moment.
    var rank = Rank()

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - name: The name; empty for a cookie that consists of only a value.
    ///   - value: The value.
    ///   - domain: The host or domain; it is converted to lowercase, and a leading dot is removed.
    ///   - isHostOnly: True to send the cookie only to that host. Default true.
    ///   - path: The path. Default `/`.
    ///   - expires: The expiration time. Default nil: a session cookie.
    ///   - isSecure: True to send the cookie only over https. Default false.
    ///   - isHTTPOnly: True to hide the cookie from scripts in a browser. Default false.
    ///   - sameSite: The value of `SameSite`. Default nil.
    ///   - created: The creation time. Default: the beginning of 1970, which sends the cookie before others with the
    ///     same path.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/", expires: Date? = nil,
        isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite? = nil,
        created: Date = Date(timeIntervalSince1970: 0)
    ) {
        self.name = name
        self.value = value
        self.domain = (domain.utf8.first == UInt8(ascii: ".") ? String(domain.dropFirst()) : domain).lowercased()
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.created = created
        lastUsed = created
    }

    /// Returns true if the cookie is sent before another one whose path has the same length (section 5.8.3): the older
    /// cookie first; among those created at the same moment, the one that was stored first.
    func isOlder(than other: Cookie) -> Bool {
        created == other.created ? rank.number < other.rank.number : created < other.created
    }

    /// Returns true if the cookie has expired at `now`.
    public func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// `name=value` as sent; only the value if there is no name.
    var pair: String { name.isEmpty ? value : name + "=" + value }

    /// The reason why the cookie can't be stored or sent; nil if it is valid. Never contains the value.
    var problem: String? {
        if name.isEmpty && value.isEmpty { return "it has neither name nor value" }
        if name.utf8.count + value.utf8.count > SetCookie.maximumPairBytes {
            return "name and value have more than \(SetCookie.maximumPairBytes) bytes"
        }
        if name.utf8.contains(where: { SetCookie.isForbidden($0) || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "=") }
        )
            || value.utf8.contains(where: { SetCookie.isForbidden($0) || $0 == UInt8(ascii: ";") })
        {
            return "its name or value has a control character, or one that would end it"
        }
        if SetCookie.isReadAsName(value, name: name) { return "its value would be read as a name" }
        // A leading dot would be lost when the cookie is read back.
        let isHost =
            !domain.isEmpty && domain.utf8.first != UInt8(ascii: ".")
            && domain.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") }
        if !isHost || domain != domain.lowercased() { return "its domain isn't a lowercase host name" }
        if path.utf8.first != UInt8(ascii: "/") || path.utf8.contains(where: SetCookie.isForbidden) {
            return "its path does not begin with a slash"
        }
        if ![expires ?? created, created, lastUsed].allSatisfy(\.timeIntervalSince1970.isFinite) {
            return "one of its times isn't valid"
        }
        return nil
    }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    public var description: String {
        var text = name.isEmpty ? "" : name + "="
        text += RedactionPolicy.safeDefault.placeholder
        if !domain.isEmpty { text += isHostOnly ? "; host \(domain)" : "; Domain=\(domain)" }
        text += "; Path=\(path)"
        if let expires { text += "; Expires=\(HTTPDate.string(from: expires))" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        return text
    }

    /// No parts, because the value is a secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
