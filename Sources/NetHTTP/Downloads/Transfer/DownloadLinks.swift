internal import HTTPTypes
internal import NetCore

/// The URLs of one file: that of the request, followed by its mirrors.
struct DownloadLinks: Sendable {
    /// A URL and the headers for it.
    struct Link: Sendable, Hashable {
        let url: String
        let headers: HTTPFields
        /// True for a mirror, whose validators can't be compared with those of another server.
        let isMirror: Bool
    }

    private var links: [Link]

    init(_ request: DownloadRequest) {
        links = [Link(url: request.url, headers: request.headers, isMirror: false)]
        add(mirrors: request.mirrors)
    }

    /// The current link.
    var current: Link { links[0] }
    /// True if the current link isn't a mirror's.
    var isOriginal: Bool { !links[0].isMirror }

    /// Returns a link for one of several ranges; the links take turns.
    subscript(number: Int) -> Link { links[number % links.count] }

    /// Adds mirrors that aren't in the list yet.
    mutating func add(mirrors: [String]) {
        for mirror in mirrors where links.count < 32 && !links.contains(where: { $0.url == mirror }) {
            links.append(Link(url: mirror, headers: [:], isMirror: true))
        }
    }

    /// Replaces the original link.
    mutating func renew(_ request: DownloadRequest) {
        links[0] = Link(url: request.url, headers: request.headers, isMirror: false)
    }

    /// Removes the current link; returns false, and keeps it, if it's the only one.
    mutating func drop() -> Bool {
        guard links.count > 1 else { return false }
        links.removeFirst()
        return true
    }

    /// Removes a mirror that failed for a range. Returns false, and keeps it, if it's the only link.
    mutating func drop(_ link: Link) -> Bool {
        guard links.count > 1 else { return false }
        links.removeAll { $0 == link }
        return true
    }

    /// Returns the mirrors in a response's `Link` header (RFC 6249).
    static func mirrors(_ head: ResponseHead, of url: String) -> [String] {
        guard head[.link] != nil else { return [] }
        // A mirror must not downgrade to an unencrypted connection.
        let schemes = url.hasPrefix("https:") ? ["https://"] : ["http://", "https://"]
        return head.headers.links.links.filter { $0.isRelation("duplicate") && $0["anchor"] == nil }
            .sorted { Self.rank($0) < Self.rank($1) }.map { $0.url(from: url) }
            .filter { link in schemes.contains { link.hasPrefix($0) } }
    }

    private static func rank(_ link: LinkHeader.Link) -> Int { link["pri"].flatMap { Int($0) } ?? 999_999 }
}
