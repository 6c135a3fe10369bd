#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The JSON file that stores cookies, with one member for each part of a cookie.
private struct CookieFile: Codable {
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
    }

    static let format = "swift-net cookies"

    /// An entry; nil if it is malformed, which must not make the other entries unreadable.
    struct Place: Codable {
        let entry: Entry?

        init(_ entry: Entry) { self.entry = entry }
        init(from decoder: any Decoder) { entry = try? Entry(from: decoder) }
        func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }
    }

    let format: String
    let version: Int
    let cookies: [Place]
}

extension CookieJar {
    /// Returns the contents of a cookie file; omits session cookies unless `includingSession` is true.
    package func file(includingSession: Bool) throws(NetError) -> Bytes {
        let kept = cookies.filter { includingSession || $0.expires != nil }.map { cookie in
            CookieFile.Place(
                CookieFile.Entry(
                    name: cookie.name, value: cookie.value, domain: cookie.domain, isHostOnly: cookie.isHostOnly,
                    path: cookie.path, expires: cookie.expires?.timeIntervalSince1970, isSecure: cookie.isSecure,
                    isHTTPOnly: cookie.isHTTPOnly, sameSite: cookie.sameSite?.rawValue,
                    created: cookie.created.timeIntervalSince1970, lastUsed: cookie.lastUsed.timeIntervalSince1970,
                    rank: cookie.rank.number))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Bytes(try encoder.encode(CookieFile(format: CookieFile.format, version: 1, cookies: kept)))
        } catch {
            // The description of the error may contain a value.
            throw NetError(.encoding, phase: .preparing, message: "the cookies cannot be written as JSON")
        }
    }

    /// Returns the cookies of a file; skips entries that aren't cookies or can't be sent.
    ///
    /// Throws `.decoding` if the file as a whole is damaged; the error shows nothing of its contents.
    package static func cookies(fromFile bytes: Bytes) throws(NetError) -> [Cookie] {
        let file: CookieFile
        do {
            file = try JSONCoding.standard.decode(CookieFile.self, from: bytes)
        } catch {
            throw damaged("it is no JSON of the form that was written")
        }
        guard file.format == CookieFile.format, file.version == 1 else {
            throw damaged("it is of another format or version")
        }
        var cookies: [Cookie] = []
        for entry in file.cookies.lazy.compactMap(\.entry) {
            var cookie = Cookie(
                name: entry.name, value: entry.value, domain: entry.domain, isHostOnly: entry.isHostOnly,
                path: entry.path, expires: entry.expires.map(Date.init(timeIntervalSince1970:)),
                isSecure: entry.isSecure, isHTTPOnly: entry.isHTTPOnly,
                sameSite: entry.sameSite.flatMap(Cookie.SameSite.init),
                created: Date(timeIntervalSince1970: entry.created))
            cookie.lastUsed = Date(timeIntervalSince1970: entry.lastUsed)
            cookie.rank.number = entry.rank ?? 0
            if cookie.problem == nil { cookies.append(cookie) }
        }
        return cookies
    }

    private static func damaged(_ reason: String) -> NetError {
        NetError(.decoding, phase: .preparing, message: "this is no file of cookies: \(reason)")
    }

    /// Inserts cookies that were stored elsewhere, without checking again whether a server may set them; skips expired ones.
    package mutating func insert(kept cookies: [Cookie], now: Date) {
        let inOrder = cookies.sorted { $0.isOlder(than: $1) }
        for cookie in inOrder where !cookie.isExpired(at: now) { put(cookie, now: now) }
    }
}
