#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension CookieJar {
    /// Stores a cookie that a response from `target` has set. Returns false if there is no cookie, or if the target
    /// isn't allowed to set it.
    package mutating func store(_ received: SetCookie?, from target: CookieTarget, now: Date) -> Bool {
        guard let received, let cookie = admit(received, from: target, now: now) else { return false }
        put(cookie, now: now)
        return true
    }

    /// Returns the cookie that the header describes; nil if the target isn't allowed to set it (section 5.7).
    private func admit(_ received: SetCookie, from target: CookieTarget, now: Date) -> Cookie? {
        guard let (domain, isHostOnly) = scope(of: received, from: target) else { return nil }
        var path = received.path ?? ""
        if path.isEmpty { path = target.defaultPath }
        let cookie = Cookie(
            name: received.name, value: received.value, domain: domain, isHostOnly: isHostOnly, path: path,
            expires: expiry(of: received, now: now), isSecure: received.isSecure, isHTTPOnly: received.isHTTPOnly,
            sameSite: received.sameSite, created: now)
        if cookie.isSecure {
            guard target.isSecure else { return nil }
        } else {
            if received.sameSite == Cookie.SameSite.none { return nil }
            if !target.isSecure, isOverlay(cookie, now: now) { return nil }
        }
        // Every stored cookie can be sent and read back, wherever it came from.
        guard cookie.problem == nil else { return nil }
        return isPrefixHonoured(cookie, hasPath: received.path != nil) ? cookie : nil
    }

    private func scope(of received: SetCookie, from target: CookieTarget) -> (domain: String, isHostOnly: Bool)? {
        guard let domain = received.domain, !domain.isEmpty else { return (target.host, true) }
        guard domain.utf8.allSatisfy({ $0 > 32 && $0 < 127 }), domain.utf8.last != UInt8(ascii: ".") else { return nil }
        if publicSuffixes.contains(domain) { return domain == target.host ? (domain, true) : nil }
        guard CookieTarget.isHost(target.host, within: domain) else { return nil }
        return (domain, Authority.isAddress(domain))
    }

    private func expiry(of received: SetCookie, now: Date) -> Date? {
        let limit = now.addingTimeInterval(Double(Self.maximumAge))
        if let age = received.maxAge {
            return age <= 0 ? .distantPast : now.addingTimeInterval(Double(min(age, Self.maximumAge)))
        }
        return received.expires.map { min($0, limit) }
    }

    /// Returns true if a cookie from a connection without TLS, which anyone on the path could have written, would hide
    /// a `Secure` one.
    private func isOverlay(_ cookie: Cookie, now: Date) -> Bool {
        let below = CookieTarget(host: cookie.domain, path: cookie.path, isSecure: false)
        return domains.contains { domain, cookies in
            (CookieTarget.isHost(domain, within: cookie.domain) || CookieTarget.isHost(cookie.domain, within: domain))
                && cookies.contains { old in
                    old.isSecure && old.name == cookie.name && below.matches(path: old.path) && !old.isExpired(at: now)
                }
        }
    }

    /// Returns true if the cookie satisfies the requirements of its name's prefix, `__Secure-` or `__Host-`. The value
    /// of a cookie without a name must not begin with such a prefix.
    private func isPrefixHonoured(_ cookie: Cookie, hasPath: Bool) -> Bool {
        if cookie.name.isEmpty {
            return !Self.hasPrefix(cookie.value, "__secure-") && !Self.hasPrefix(cookie.value, "__host-")
        }
        if Self.hasPrefix(cookie.name, "__host-") {
            return cookie.isSecure && cookie.isHostOnly && hasPath && cookie.path == "/"
        }
        return cookie.isSecure || !Self.hasPrefix(cookie.name, "__secure-")
    }

    private static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        text.utf8.prefix(prefix.utf8.count).map { (65...90).contains($0) ? $0 | 0x20 : $0 } == Array(prefix.utf8)
    }

    mutating func put(_ cookie: Cookie, now: Date) {
        var cookie = cookie
        // A cookie that replaces an expired one doesn't inherit its creation time.
        var cookies = (domains[cookie.domain] ?? []).filter { !$0.isExpired(at: now) }
        let place = cookies.firstIndex { $0.isReplaced(by: cookie) }
        if cookie.isExpired(at: now) {
            if let place { cookies.remove(at: place) }
        } else if let place {
            // A cookie that is set again keeps its place in the order, also among cookies created at the same moment.
            cookie.created = cookies[place].created
            cookie.rank = cookies[place].rank
            cookies[place] = cookie
        } else {
            taken += 1
            cookie.rank.number = taken
            cookies.append(cookie)
        }
        replace(cookies, in: cookie.domain)
        evict(from: cookie.domain, now: now)
    }

    mutating func replace(_ cookies: [Cookie], in domain: String) {
        let before = count
        count += cookies.count - (domains[domain]?.count ?? 0)
        if count == 0, before > 0 { login = .unique() }
        domains[domain] = cookies.isEmpty ? nil : cookies
    }

    private mutating func evict(from domain: String, now: Date) {
        guard domains[domain]?.count ?? 0 > maximumCookiesPerDomain || count > maximumCookies else { return }
        // Done once for all cookies of a response, which arrive at the same time.
        if swept != now {
            swept = now
            removeAll { $0.isExpired(at: now) }
        }
        while let cookies = domains[domain], cookies.count > max(1, maximumCookiesPerDomain) {
            remove(
                cookies.min {
                    $0.isSecure == $1.isSecure ? $0.isLongerUnused(than: $1) : !$0.isSecure
                })
        }
        while count > max(1, maximumCookies) {
            remove(domains.values.joined().min { $0.isLongerUnused(than: $1) })
        }
    }

    private mutating func remove(_ cookie: Cookie?) {
        guard let cookie else { return }
        replace((domains[cookie.domain] ?? []).filter { !$0.isReplaced(by: cookie) }, in: cookie.domain)
    }
}

extension Cookie {
    /// Returns true if the cookie is evicted before another one: the longest unused first; among those used at the same
    /// moment, the one that was stored first.
    fileprivate func isLongerUnused(than other: Cookie) -> Bool {
        (lastUsed, rank.number) < (other.lastUsed, other.rank.number)
    }

    /// Returns true if the other cookie takes this one's place.
    func isReplaced(by other: Cookie) -> Bool {
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
    }
}
