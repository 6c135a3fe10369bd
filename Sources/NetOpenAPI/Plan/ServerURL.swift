/// The URL of a server, as text: absolute, or relative to the document's location.
struct ServerURL: Hashable, Sendable {
    /// The scheme in lowercase; nil for a relative URL.
    let scheme: String?
    /// The text after the scheme and its colon; the whole text of a relative URL.
    private let rest: Substring

    init(_ text: String) {
        let head = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
        let tail = text[head.endIndex...]
        let isAbsolute = tail.first == ":" && head.first?.isLetter == true
        scheme = isAbsolute ? head.lowercased() : nil
        rest = isAbsolute ? tail.dropFirst() : text[...]
    }

    /// True if HTTP requests can be sent to the URL; a relative one takes the scheme of its base.
    var isHTTP: Bool { scheme.map { ["http", "https"].contains($0) && rest.hasPrefix("//") } ?? true }

    /// Returns the URL resolved against an absolute base (RFC 3986 section 5.2).
    func resolved(against base: ServerURL) -> String {
        let text = String(rest)
        guard scheme == nil, let baseScheme = base.scheme, base.rest.hasPrefix("//") else {
            return scheme.map { "\($0):\(text)" } ?? text
        }
        if text.hasPrefix("//") { return "\(baseScheme):\(text)" }
        let bare = base.rest.dropFirst(2).prefix { $0 != "?" && $0 != "#" }
        let authority = bare.prefix { $0 != "/" }
        let folder = bare.dropFirst(authority.count).split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = text.hasPrefix("/") ? text : folder.joined(separator: "/") + "/" + text
        return "\(baseScheme)://\(authority)\(Self.withoutDots(path))"
    }

    /// Returns the path without `.` and `..` segments (RFC 3986 section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (place, segment) in segments.enumerated() {
            let isLast = place == segments.count - 1
            if segment == ".." { _ = kept.popLast() }
            if segment != ".", segment != ".." { kept.append(segment) } else if isLast { kept.append("") }
        }
        return "/" + kept.joined(separator: "/")
    }
}
