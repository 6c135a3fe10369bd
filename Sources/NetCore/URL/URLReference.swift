/// A URL or a relative reference, split into the five parts of RFC 3986 appendix B. Nothing is decoded or validated.
package struct URLReference: Sendable, Hashable {
    package var scheme: String?
    package var authority: String?
    package var path = ""
    package var query: String?
    package var fragment: String?

    /// Splits text into its parts. Every text is a valid reference.
    package init(_ text: String) {
        var rest = Substring(text).utf8
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(Substring(rest[rest.index(after: mark)...]))
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(Substring(rest[rest.index(after: mark)...]))
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = String(Substring(rest[..<colon]))
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(Substring(rest[..<end]))
            rest = rest[end...]
        }
        path = String(Substring(rest))
    }

    private init() {}

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, isLetter(first) else { return false }
        return text.allSatisfy { isLetter($0) || $0 >= 48 && $0 <= 57 || $0 == 43 || $0 == 45 || $0 == 46 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }

    /// Returns the URL of this reference relative to `base`, which must have a scheme (RFC 3986 section 5.2.2).
    package func resolved(against base: URLReference) -> URLReference {
        var target = URLReference()
        target.fragment = fragment
        target.scheme = scheme ?? base.scheme
        target.query = query
        if scheme != nil || authority != nil {
            target.authority = authority
            target.path = Self.removingDots(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.removingDots(path)
        } else {
            target.path = Self.removingDots(merged(with: base))
        }
        return target
    }

    /// Returns the path merged with the path of `base` (section 5.2.3).
    private func merged(with base: URLReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(base.path[...slash]) + path
    }

    /// Removes dot segments (section 5.2.4): `.` is dropped, and `..` also drops the segment before it.
    private static func removingDots(_ path: String) -> String {
        let isRooted = path.utf8.first == UInt8(ascii: "/")
        var kept: [Substring] = []
        let segments = (isRooted ? path.dropFirst() : path[...]).split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return (isRooted ? "/" : "") + kept.joined(separator: "/")
    }
}

extension URLReference: CustomStringConvertible {
    /// The reference as text (section 5.3).
    package var description: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }
}
