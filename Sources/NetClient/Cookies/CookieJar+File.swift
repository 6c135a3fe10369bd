internal import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The JSON file that stores cookies, with one member for each part of a cookie.
struct CookieFile: StateFile {
    struct Entry: Codable {
        let name, value, domain: String
        let isHostOnly: Bool
        let path: String
        let expires: Double?
        let isSecure, isHTTPOnly: Bool
        let sameSite: String?
        let created, lastUsed: Double
        /// The order of cookies that were created at the same moment; missing in files of older versions.
        let rank: UInt64?

        init(_ cookie: Cookie) {
            name = cookie.name
            value = cookie.value
            domain = cookie.domain
            isHostOnly = cookie.isHostOnly
            path = cookie.path
            expires = cookie.expires?.timeIntervalSince1970
            isSecure = cookie.isSecure
            isHTTPOnly = cookie.isHTTPOnly
            sameSite = cookie.sameSite?.rawValue
            created = cookie.created.timeIntervalSince1970
            lastUsed = cookie.lastUsed.timeIntervalSince1970
            rank = cookie.rank.number
        }

        var cookie: Cookie {
            var cookie = Cookie(
                name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path,
                expires: expires.map(Date.init(timeIntervalSince1970:)), isSecure: isSecure, isHTTPOnly: isHTTPOnly,
                sameSite: sameSite.flatMap(Cookie.SameSite.init), created: Date(timeIntervalSince1970: created))
            cookie.lastUsed = Date(timeIntervalSince1970: lastUsed)
            cookie.rank.number = rank ?? 0
            return cookie
        }
    }

    /// An entry; nil if it is malformed, which must not make the other entries unreadable.
    struct Place: Codable {
        let entry: Entry?

        init(_ entry: Entry) { self.entry = entry }
        init(from decoder: any Decoder) { entry = try? Entry(from: decoder) }
        func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }
    }

    static let format = "swift-net cookies"
    static let contents = "cookies"

    var format: String = CookieFile.format
    var version = 1
    let cookies: [Place]

    /// Copies the cookies of a jar; omits session cookies unless `includingSession` is true.
    init(_ jar: CookieJar, includingSession: Bool) {
        cookies = jar.cookies.filter { includingSession || $0.expires != nil }.map { Place(Entry($0)) }
    }

    /// The cookies, without entries that aren't cookies or can't be sent.
    var usable: [Cookie] { cookies.lazy.compactMap(\.entry).map(\.cookie).filter { $0.problem == nil } }
}

extension CookieJar {
    /// Inserts cookies that were stored elsewhere, without checking again whether a server may set them; skips expired
    /// ones.
    package mutating func insert(kept cookies: [Cookie], now: Date) {
        let inOrder = cookies.sorted { $0.isOlder(than: $1) }
        for cookie in inOrder where !cookie.isExpired(at: now) { put(cookie, now: now) }
    }
}
