/// The URL that paths are joined to: `https://api.example.com/v1?key=x`.
///
/// A literal that is no URL does not trap: the first request prepared with it throws `.invalidRequest`. A text that is
/// no literal is checked at once: `try BaseURL(text)`.
public struct BaseURL: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// Host and port, without user and password.
    public let authority: String
    /// The path, percent-encoded, without a trailing slash.
    public let path: String
    /// The query, percent-encoded, without `?`; nil for none.
    public let query: String?
    /// The path with the slashes it ended in: what an absolute URL asks for.
    let wholePath: String
    /// Why the text is no URL that can be used; nil for a good one.
    package let problem: String?

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
            // No more than the first word: the rest may hold a password.
            let start = text.prefix(24).prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
            problem = "a URL must start with http:// or https://, this one starts with \"\(start)\""
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
        wholePath = String(path)
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
        if let problem = hostProblem(authority) { return problem }
        if let bad = (authority + path + query).unicodeScalars.first(where: isForbidden) {
            return "the URL has the character U+\(String(bad.value, radix: 16, uppercase: true)), "
                + "which must be percent-encoded, or in a host written in its ASCII form (xn--)"
        }
        return nil
    }

    private static func hostProblem(_ authority: Substring) -> String? {
        var (host, port) = (authority, Substring())
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            (host, port) = (authority[..<colon], authority[authority.index(after: colon)...])
        }
        if host.isEmpty { return "the URL has no host" }
        if !port.isEmpty, UInt16(port) == nil || !port.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) {
            return "the URL's port \"\(port)\" is no number from 0 to 65535"
        }
        if host.hasPrefix("["), host.hasSuffix("]"), host.count > 3 {
            let isAddress = host.dropFirst().dropLast().utf8.allSatisfy {
                Character(Unicode.Scalar($0)).isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
            return isAddress ? nil : "the URL's host \"\(host)\" is no IPv6 address"
        }
        let isBad = host.contains { ":[]%,;=&".contains($0) }
        return isBad ? "the URL's host \"\(host)\" is no host name; an IPv6 address stands in [brackets]" : nil
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 32 || scalar.value >= 127 || ["\"", "<", ">", "\\"].contains(scalar)
    }

    public var description: String { "\(scheme)://\(authority)\(path)" }

    /// Scheme, host and port, lower-cased, the default port left out.
    public var origin: String { Self.origin(scheme: scheme, authority: authority) }

    package static func origin(scheme: String, authority: String) -> String {
        let scheme = scheme.lowercased()
        var authority = authority.lowercased()
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            let port = authority[authority.index(after: colon)...]
            if port.isEmpty || UInt16(port) == (scheme == "https" ? 443 : 80) { authority.removeSubrange(colon...) }
        }
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
