#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension CookieJar {
    /// Returns the value of the `Cookie` header; nil if no cookie matches. Omits the names in `except`.
    package mutating func field(for target: CookieTarget, now: Date, except: Set<String>) -> String? {
        cookies(for: target, now: now, except: except).field
    }

    /// Returns the cookies for a request, those with longer paths first, then older ones (section 5.8.3). Omits the names
    /// in `except`.
    mutating func cookies(for target: CookieTarget, now: Date, except: Set<String>) -> [Cookie] {
        var found: [Cookie] = []
        var domain = target.host[...]
        while true {
            let key = String(domain)
            for (place, cookie) in (domains[key] ?? []).enumerated()
            where cookie.isFor(target) && !cookie.isExpired(at: now) {
                domains[key]?[place].lastUsed = now
                if !except.contains(cookie.name) { found.append(cookie) }
            }
            guard let dot = domain.utf8.firstIndex(of: UInt8(ascii: ".")) else { break }
            domain = domain[domain.utf8.index(after: dot)...]
        }
        found.sort { left, right in
            let (length, other) = (left.path.utf8.count, right.path.utf8.count)
            return length == other ? left.isOlder(than: right) : length > other
        }
        return found
    }
}

extension [Cookie] {
    /// The value of a `Cookie` header with these cookies; nil if there are none.
    var field: String? { isEmpty ? nil : map(\.pair).joined(separator: "; ") }
}

extension Cookie {
    /// Returns true if the cookie is sent with requests to the target.
    fileprivate func isFor(_ target: CookieTarget) -> Bool {
        (isHostOnly ? target.host == domain : CookieTarget.isHost(target.host, within: domain))
            && (target.isSecure || !isSecure) && target.matches(path: path)
    }
}
