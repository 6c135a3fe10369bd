#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cookies and their rules (RFC 6265bis section 5): what a server may set, and what goes with which request.
///
/// A value without clock or network: time comes in. `CookieStore` in NetHTTP shares one between the calls of a client.
/// Printing a jar shows no values.
///
///     var jar = CookieJar()
///     let now = Date()
///     jar.store("id=7; Path=/; Max-Age=3600", from: "https://shop.example/login", now: now)
///     print(jar.field(for: "https://shop.example/cart", now: now) ?? "")  // id=7
public struct CookieJar: Sendable {
    /// The most cookies of one domain; of more, those that are not `Secure` go first, then the longest unused. Default 180.
    public var maximumCookiesPerDomain = 180
    /// The most cookies in all; of more, the longest unused go. Default 3,000.
    public var maximumCookies = 3000
    /// Which domains belong to everybody. Default ``PublicSuffixes/singleLabels``.
    public var publicSuffixes: PublicSuffixes

    /// By domain; no list is empty.
    var domains: [String: [Cookie]] = [:]
    /// How many there are.
    public internal(set) var count = 0
    /// How many cookies were put in.
    var taken: UInt64 = 0
    /// When those that had ended were last cleared away.
    var swept: Date?

    /// The longest life of a cookie: 400 days.
    public static let maximumAge: Int64 = 400 * 86_400

    /// An empty jar.
    public init(publicSuffixes: PublicSuffixes = .singleLabels) {
        self.publicSuffixes = publicSuffixes
    }

    /// All cookies, sorted by domain, path and name; those that have ended and were not yet cleared away are among them.
    public var cookies: [Cookie] {
        domains.values.joined().sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) }
    }

    /// Takes the value of one `Set-Cookie` field of a response from `url`.
    ///
    /// - Returns: Whether the jar changed: false where the field sets nothing, or may not.
    @discardableResult
    public mutating func store(_ setCookie: String, from url: String, now: Date) -> Bool {
        guard let target = CookieTarget(url: url) else { return false }
        return store(SetCookie(setCookie), from: target, now: now)
    }

    /// The value of the `Cookie` field for a request to `url`; nil where no cookie goes with it.
    public mutating func field(for url: String, now: Date) -> String? {
        CookieTarget(url: url).flatMap { field(for: $0, now: now, except: []) }
    }

    /// Puts a cookie in, in place of the one with its name, domain and path; one that has ended takes that one out.
    ///
    /// Throws `.invalidRequest` for one that could not be sent: a control character, a `;`, more than 4,096 bytes.
    public mutating func insert(_ cookie: Cookie, now: Date) throws(NetError) {
        if let problem = cookie.problem {
            throw NetError(.invalidRequest, phase: .preparing, message: "the cookie cannot be kept: \(problem)")
        }
        put(cookie, now: now)
    }

    /// Takes out every cookie.
    public mutating func removeAll() { (domains, count) = ([:], 0) }

    /// Takes out every cookie that `isRemoved` says.
    public mutating func removeAll(where isRemoved: (Cookie) throws -> Bool) rethrows {
        for (domain, cookies) in domains { replace(try cookies.filter { !(try isRemoved($0)) }, in: domain) }
    }

    /// Takes out the cookies that end with the session.
    public mutating func endSession() {
        removeAll { $0.expires == nil }
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// How many cookies of how many domains.
    public var description: String { "\(count) cookies of \(domains.count) domains" }

    /// No parts: the values are secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
