#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cookies and their rules (RFC 6265bis section 5): which cookies a server may set, and which ones a request sends.
///
/// A value type that uses neither a clock nor the network: the caller passes the time. ``CookieStore`` shares a jar
/// between the calls of a client. Printing a jar doesn't show values.
///
///     var jar = CookieJar()
///     let now = Date()
///     jar.store("id=7; Path=/; Max-Age=3600", from: "https://shop.example/login", now: now)
///     print(jar.field(for: "https://shop.example/cart", now: now) ?? "")  // id=7
public struct CookieJar: Sendable {
    /// The maximum number of cookies per domain. Beyond it, cookies that aren't `Secure` are evicted first, then the
    /// least recently used ones. Default 180.
    public var maximumCookiesPerDomain = 180
    /// The maximum number of cookies in total. Beyond it, the least recently used ones are evicted. Default 3,000.
    public var maximumCookies = 3000
    /// The public suffixes, for which servers can't set cookies. Default ``PublicSuffixes/singleLabels``.
    public var publicSuffixes: PublicSuffixes

    /// The cookies by domain; no array is empty.
    var domains: [String: [Cookie]] = [:]
    /// The number of cookies, including expired ones that haven't been removed yet.
    public internal(set) var count = 0
    /// The login that the cookies belong to, until the jar is emptied.
    var login = CallIdentity.unique()
    /// The number of cookies inserted so far.
    var taken: UInt64 = 0
    /// The time when expired cookies were last removed.
    var swept: Date?

    /// The maximum lifetime of a cookie in seconds: 400 days.
    public static let maximumAge: Int64 = 400 * 86_400

    /// Creates an empty jar.
    ///
    /// - Parameter publicSuffixes: The public suffixes, for which servers can't set cookies. Default
    ///   ``PublicSuffixes/singleLabels``.
    public init(publicSuffixes: PublicSuffixes = .singleLabels) {
        self.publicSuffixes = publicSuffixes
    }

    /// All cookies, sorted by domain, path and name, including expired ones that haven't been removed yet.
    public var cookies: [Cookie] {
        domains.values.joined().sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) }
    }

    /// Stores the cookie of one `Set-Cookie` header of a response from `url`.
    ///
    /// - Returns: False if the jar didn't change, because the header doesn't set a cookie or isn't allowed to.
    @discardableResult
    public mutating func store(_ setCookie: String, from url: String, now: Date) -> Bool {
        guard let target = CookieTarget(url: url) else { return false }
        return store(SetCookie(setCookie), from: target, now: now)
    }

    /// Returns the value of the `Cookie` header for a request to `url`; nil if no cookie matches.
    public mutating func field(for url: String, now: Date) -> String? {
        CookieTarget(url: url).flatMap { field(for: $0, now: now, except: []) }
    }

    /// Inserts a cookie in place of the one with the same name, domain and path. An expired cookie only removes that
    /// one.
    ///
    /// Throws `.invalidRequest` for a cookie that can't be sent: one with a control character, a `;` or more than 4,096
    /// bytes.
    public mutating func insert(_ cookie: Cookie, now: Date) throws(NetError) {
        if let problem = cookie.problem {
            throw NetError(.invalidRequest, phase: .preparing, message: "the cookie cannot be stored: \(problem)")
        }
        put(cookie, now: now)
    }

    /// Removes all cookies.
    public mutating func removeAll() {
        (domains, count) = ([:], 0)
        login = .unique()
    }

    /// Removes the cookies for which `isRemoved` returns true.
    public mutating func removeAll(where isRemoved: (Cookie) throws -> Bool) rethrows {
        for (domain, cookies) in domains { replace(try cookies.filter { !(try isRemoved($0)) }, in: domain) }
    }

    /// Removes the session cookies.
    public mutating func endSession() {
        removeAll { $0.expires == nil }
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies and of domains.
    public var description: String { "\(count) cookies of \(domains.count) domains" }

    /// No parts, because the values are secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
