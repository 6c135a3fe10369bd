/// The URL that paths are joined to: `https://api.example.com/v1?key=x`.
///
/// A literal that is no URL does not trap: the first request prepared with it throws `.invalidRequest`.
public struct BaseURL: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// Host and port, without user and password.
    public let authority: String
    /// The path, percent-encoded, without a trailing slash.
    public let path: String
    /// The query, percent-encoded, without `?`; nil for none.
    public let query: String?
    /// Why the text is no URL that can be used; nil for a good one.
    let problem: String?

    /// Reads an absolute URL; throws `.invalidRequest` and says what is wrong.
    public init(_ text: String) throws(NetError) {
        self.init(parsing: text)
        if let problem { throw NetError(.invalidRequest, phase: .preparing, message: problem) }
    }

    public init(stringLiteral value: String) {
        self.init(parsing: value)
    }

    private init(parsing text: String) {
        var rest = Substring(text)
        var problem: String?
        var scheme = ""
        if let end = rest.range(of: "://") {
            scheme = rest[..<end.lowerBound].lowercased()
            rest = rest[end.upperBound...]
        }
        if scheme != "http" && scheme != "https" {
            problem = "a URL must start with http:// or https://, this one starts with \"\(text.prefix(12))\""
        }
        if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
        var query: Substring?
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        var path = rest[slash...]
        while path.hasSuffix("/") { path = path.dropLast() }
        problem = problem ?? Self.problem(authority: authority, path: path, query: query ?? "")
        self.scheme = scheme
        self.authority = String(authority)
        self.path = String(path)
        self.query = query.flatMap { $0.isEmpty ? nil : String($0) }
        self.problem = problem
    }

    private static func problem(authority: Substring, path: Substring, query: Substring) -> String? {
        if authority.contains("@") {
            return "the URL holds a user or password; send them as an Authorization field instead"
        }
        var host = authority
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[...end]
        } else if let colon = authority.lastIndex(of: ":") {
            host = authority[..<colon]
        }
        let port = authority[host.endIndex...].dropFirst()
        if host.isEmpty { return "the URL has no host" }
        if !port.isEmpty, UInt16(port) == nil || !port.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) {
            return "the URL's port \"\(port)\" is no number from 0 to 65535"
        }
        let bad = { (byte: UInt8) in byte <= 32 || byte >= 127 || byte == 34 || byte == 60 || byte == 62 || byte == 92 }
        if (authority + path + query).utf8.contains(where: bad) {
            return "the URL has a character that must be percent-encoded"
        }
        return nil
    }

    public var description: String { "\(scheme)://\(authority)\(path)" }

    /// Scheme, host and port, lower-cased, the default port left out.
    public var origin: String { Self.origin(scheme: scheme, authority: authority) }

    static func origin(scheme: String, authority: String) -> String {
        var authority = authority.lowercased()
        let standard = scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(standard) { authority.removeLast(standard.count) }
        return "\(scheme)://\(authority)"
    }
}

extension StringProtocol {
    /// The first place of a short text; FoundationEssentials has none for `Substring` everywhere.
    fileprivate func range(of text: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
