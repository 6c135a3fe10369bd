internal import NetCore

/// The path of a stub: literal segments, `{name}` for a segment or a part of one, `{name*}` for all remaining segments.
///
/// Matching compares decoded segments, so `/a%20b` and `/a b` are the same path, and `%2F` never splits a segment. `*`
/// by itself matches every path.
///
///     let template: PathTemplate = "/users/{id}/files/{name*}"
///     print(template.match("/users/7/files/a/b.txt") ?? [:])  // id: 7, name: a/b.txt
public struct PathTemplate: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(prefix: String, name: String, suffix: String)
        case rest(name: String)
    }

    /// The template as it was written.
    public let description: String
    private let segments: [Segment]

    /// Reads a template. The leading slash is optional.
    public init(_ text: String) {
        description = text
        segments = text == "*" ? [.rest(name: "path")] : Self.split(text).map(Self.segment)
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Returns the decoded parameters if the path, percent-encoded and without a query, matches; otherwise nil.
    public func match(_ path: String) -> [String: String]? {
        let parts = Self.split(path)
        var parameters: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if case .rest(let name) = segment {
                guard index <= parts.count else { return nil }
                parameters[name] = parts[index...].map { PercentEncoding.decode($0) }.joined(separator: "/")
                return parameters
            }
            guard index < parts.count else { return nil }
            let part = PercentEncoding.decode(parts[index])
            switch segment {
            case .literal(let text):
                guard part == text else { return nil }
            case .parameter(let prefix, let name, let suffix):
                guard part.count > prefix.count + suffix.count, part.hasPrefix(prefix), part.hasSuffix(suffix) else {
                    return nil
                }
                parameters[name] = String(part.dropFirst(prefix.count).dropLast(suffix.count))
            case .rest:
                return nil
            }
        }
        return parts.count == segments.count ? parameters : nil
    }

    /// The similarity of a path to this template, from 0 to 1; it determines the nearest stub.
    func likeness(to path: String) -> Double {
        if match(path) != nil { return 1 }
        let parts = Self.split(path).map { PercentEncoding.decode($0) }
        let equal = zip(segments, parts).count { segment, part in
            switch segment {
            case .literal(let text): text.lowercased() == part.lowercased()
            case .parameter(let prefix, _, let suffix): part.hasPrefix(prefix) && part.hasSuffix(suffix)
            case .rest: true
            }
        }
        return Double(equal) / Double(max(segments.count, parts.count, 1)) * 0.9
    }

    /// The number of segments that aren't literals; `{name*}` counts as 1,000.
    var parameterCount: Int {
        segments.reduce(0) { count, segment in
            switch segment {
            case .literal: count
            case .parameter: count + 1
            case .rest: count + 1000
            }
        }
    }

    private static func split(_ path: String) -> [Substring] {
        let trimmed = path.hasPrefix("/") ? path.dropFirst() : path[...]
        return trimmed.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func segment(_ text: Substring) -> Segment {
        guard let open = text.firstIndex(of: "{"), let close = text.lastIndex(of: "}"), open < close else {
            return .literal(PercentEncoding.decode(text))
        }
        let name = text[text.index(after: open)..<close]
        if name.hasSuffix("*") { return .rest(name: String(name.dropLast())) }
        return .parameter(
            prefix: PercentEncoding.decode(text[..<open]), name: String(name),
            suffix: PercentEncoding.decode(text[text.index(after: close)...]))
    }
}
