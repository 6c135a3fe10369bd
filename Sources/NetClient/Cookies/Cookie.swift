#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie as a client keeps it (RFC 6265bis section 5.7). Printing it shows everything but its value.
///
///     let cookie = Cookie(name: "theme", value: "dark", domain: "shop.example", isHostOnly: false)
///     print(cookie)  // theme=<redacted>; Domain=shop.example; Path=/
public struct Cookie: Sendable, Hashable {
    /// When a browser sends it along with requests that another site starts. It is kept and handed back, and no more: a
    /// client has no other sites.
    public enum SameSite: String, Sendable, Hashable, CaseIterable {
        case strict, lax, none
    }

    /// The order in which a jar took cookies. No part of what a cookie is: equal to every other.
    struct Rank: Sendable, Hashable {
        var number: UInt64 = 0

        static func == (left: Rank, right: Rank) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// The name; empty for a cookie that is nothing but a value.
    public var name: String
    /// The value.
    public var value: String
    /// The host it came from, or the domain it is for; lower-cased, without a leading dot.
    public var domain: String
    /// Whether it goes to that host alone, and not to those below it.
    public var isHostOnly: Bool
    /// The path it is for, with everything below.
    public var path: String
    /// When it ends; nil with the session, which is the life of the jar.
    public var expires: Date?
    /// Whether it goes over https only.
    public var isSecure: Bool
    /// Whether scripts in a browser must not see it.
    public var isHTTPOnly: Bool
    /// What `SameSite` said; nil where it said nothing.
    public var sameSite: SameSite?
    /// When it was first set.
    public var created: Date
    /// When it was last set or sent.
    public var lastUsed: Date
    /// Its place in its jar among those that were created at the same moment.
    var rank = Rank()

    /// Puts the parts together.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: The host or domain; it is lower-cased, and a leading dot is left out.
    ///   - isHostOnly: Whether it goes to that host alone. Default true.
    ///   - path: The path. Default `/`.
    ///   - expires: When it ends. Default nil: with the session.
    ///   - isSecure: Whether it goes over https only. Default false.
    ///   - isHTTPOnly: Whether scripts must not see it. Default false.
    ///   - sameSite: What `SameSite` said. Default nil.
    ///   - created: When it was made. Default the beginning of 1970, which sends it before others of its path.
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

    /// Returns true if it goes out before another of a path of the same length (section 5.8.3): the older first, of one moment the one
    /// that came first.
    func isOlder(than other: Cookie) -> Bool {
        created == other.created ? rank.number < other.rank.number : created < other.created
    }

    /// Whether it has ended.
    public func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// `name=value` as it goes out; the value alone where there is no name.
    var pair: String { name.isEmpty ? value : name + "=" + value }

    /// Why it cannot be kept or sent; nil for a good one. Names no value.
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
        // A dot at the start would be left out when it is read back.
        let isHost =
            !domain.isEmpty && domain.utf8.first != UInt8(ascii: ".")
            && domain.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") }
        if !isHost || domain != domain.lowercased() { return "its domain is no host name in lower case" }
        if path.utf8.first != UInt8(ascii: "/") || path.utf8.contains(where: SetCookie.isForbidden) {
            return "its path does not begin with a slash"
        }
        if ![expires ?? created, created, lastUsed].allSatisfy(\.timeIntervalSince1970.isFinite) {
            return "one of its times is none"
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

    /// No parts: one of them is a secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
