#if Tools
internal import HTTPTypes

/// The access control of the live page's server: admits requests that contain the token of the link, and none from
/// pages of another origin.
///
/// The token is in the path, since all ports of 127.0.0.1 share their cookies. A foreign page whose host name resolves
/// to 127.0.0.1 (DNS rebinding) sends that name as `Host`, and is refused.
struct LiveGate: Sendable {
    /// A resource of the server.
    enum Place: Sendable, Hashable {
        case page
        case list
        case findings
        /// The captured content of a part's entries.
        case part(Int64)
        /// The news since the entry with this number.
        case events(after: Int64)
    }

    /// The response to a refused request.
    struct Refusal: Error, Hashable {
        let status: HTTPResponse.Status
        let text: String
    }

    let port: Int
    let token: String

    /// Returns 128 random bits in hexadecimal.
    static func makeToken(_ random: inout some RandomNumberGenerator) -> String {
        (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &random)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// The link to open.
    var link: String { "http://127.0.0.1:\(port)/\(token)/" }

    /// Returns the requested resource.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - target: The request target as sent: path and query.
    ///   - field: Returns the value of the header with the given lowercase name.
    func place(method: String, target: String, field: (String) -> String?) throws(Refusal) -> Place {
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = field("host"), hosts.contains(host.lowercased()) else {
            throw Refusal(status: .misdirectedRequest, text: "This server is only \(hosts.joined(separator: " and ")).")
        }
        guard method == "GET" else {
            throw Refusal(status: .methodNotAllowed, text: "This server is read-only: it accepts only GET.")
        }
        let isForeign = field("origin").map { $0.lowercased() != "http://\(host.lowercased())" } ?? false
        // Following a link from another site only shows the page to the user; the site can't read it.
        let isFollowed = field("sec-fetch-mode") == "navigate" && field("sec-fetch-dest") == "document"
        guard !isForeign, isFollowed || ["same-origin", "none"].contains(field("sec-fetch-site") ?? "none") else {
            throw Refusal(status: .forbidden, text: "Pages from other origins can't read this server.")
        }
        let (path, query) = Self.parts(of: target)
        let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let given = words.first, isToken(given) else {
            throw Refusal(status: .forbidden, text: "Open the link that net-activity serve printed.")
        }
        switch (words.dropFirst().first, words.dropFirst(2).first, words.count) {
        case ("", nil, _): return .page
        case ("list", nil, _): return .list
        case ("findings", nil, _): return .findings
        case ("events", nil, _):
            // A browser that reconnects keeps the URL and sends its last ID in the header.
            let last = field("last-event-id") ?? query.split(separator: "=").last.map(String.init)
            if let last = last.flatMap(Int64.init), last >= 0 { return .events(after: last) }
        case ("part", let number?, 3):
            if let number = Int64(number), number >= 0 { return .part(number) }
        default: break
        }
        throw Refusal(status: .notFound, text: "Not found.")
    }

    private static func parts(of target: String) -> (path: Substring, query: Substring) {
        guard let mark = target.firstIndex(of: "?") else { return (target[...], "") }
        return (target[..<mark], target[target.index(after: mark)...])
    }

    /// Compares in constant time, so that timing reveals nothing.
    private func isToken(_ given: Substring) -> Bool {
        let (given, wanted) = (Array(given.utf8), Array(token.utf8))
        guard given.count == wanted.count else { return false }
        return zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
#endif
