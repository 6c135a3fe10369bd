internal import HTTPTypes
internal import NetCore

/// The URLs of one file: that of the request, then its mirrors.
struct DownloadLinks: Sendable {
    /// A URL and the headers for it.
    struct Link: Sendable, Hashable {
        let url: String
        let headers: HTTPFields
        /// True for a mirror, whose validators say nothing about the parts of another server.
        let isMirror: Bool
    }

    private var links: [Link]

    init(_ request: DownloadRequest) {
        links = [Link(url: request.url, headers: request.headers, isMirror: false)]
        add(mirrors: request.mirrors)
    }

    /// The link that is used now.
    var current: Link { links[0] }
    /// True if the link isn't a mirror's.
    var isOriginal: Bool { !links[0].isMirror }

    /// Returns a link for one of several ranges: they take turns.
    subscript(number: Int) -> Link { links[number % links.count] }

    /// Adds mirrors that aren't known yet.
    mutating func add(mirrors: [String]) {
        for mirror in mirrors where links.count < 32 && !links.contains(where: { $0.url == mirror }) {
            links.append(Link(url: mirror, headers: [:], isMirror: true))
        }
    }

    /// Puts a new link in the place of the original one.
    mutating func renew(_ request: DownloadRequest) {
        links[0] = Link(url: request.url, headers: request.headers, isMirror: false)
    }

    /// Drops the current link; returns false, and keeps it, if it's the only one.
    mutating func drop() -> Bool {
        guard links.count > 1 else { return false }
        links.removeFirst()
        return true
    }

    /// Drops a mirror that has failed for a range. Returns false, and keeps it, if it's the only link.
    mutating func drop(_ link: Link) -> Bool {
        guard links.count > 1 else { return false }
        links.removeAll { $0 == link }
        return true
    }

    /// The mirrors that a response names (RFC 6249).
    static func mirrors(_ head: ResponseHead, of url: String) -> [String] {
        guard head[.link] != nil else { return [] }
        // No mirror gives up the encryption.
        let schemes = url.hasPrefix("https:") ? ["https://"] : ["http://", "https://"]
        return head.headers.links.links.filter { $0.isRelation("duplicate") && $0["anchor"] == nil }
            .sorted { Self.rank($0) < Self.rank($1) }.map { $0.url(from: url) }
            .filter { link in schemes.contains { link.hasPrefix($0) } }
    }

    private static func rank(_ link: LinkHeader.Link) -> Int { link["pri"].flatMap { Int($0) } ?? 999_999 }
}
