#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A condition on the entries of a store: calls, WebSockets, jobs and log lines.
///
/// Parse it from text, in the language of `docs/filter.md`, or combine terms:
///
///     let typed = try ActivityFilter("~d api.example.com ~c 5xx | ~e")
///     let made = ActivityFilter.host("api.example.com") & (.status(500...599) | .failed)
///     print(typed == made)
///
/// Text is compared case-insensitively. A pattern matches anywhere in the text; a pattern with a `*`, which matches any
/// text, must match all of it. `?` matches any one character, including a question mark, so a pasted `/items?page=2`
/// still matches. A backslash makes the next character literal.
///
/// The language is that of mitmproxy without regular expressions: the letters mean the same, and two adjacent terms
/// mean "and", which binds more loosely than `|`.
public struct ActivityFilter: Sendable, Hashable {
    let node: FilterNode

    init(node: FilterNode) {
        self.node = node
    }

    /// Parses an expression; an empty one matches everything.
    ///
    /// - Parameter text: At most 4,096 characters, with at most 20 levels of parentheses.
    /// - Throws: An error with the column, the text found there, and the expected text.
    public init(_ text: String) throws(ActivityFilterError) {
        var parser = try FilterParser(text)
        node = try parser.parse()
    }

    /// Matches everything.
    public static let all = ActivityFilter(node: .every)

    /// True if a term searches captured headers, bodies or messages; otherwise, ``matches(_:content:now:)`` needs no
    /// content.
    public var needsContent: Bool {
        node.contains { term in
            guard case .text(let field, _) = term else { return false }
            switch field {
            case .header, .requestHeader, .responseHeader, .body, .requestBody, .responseBody: return true
            default: return false
            }
        }
    }

    /// Returns true if the entry meets the condition.
    ///
    /// - Parameters:
    ///   - item: An entry, ended or under way.
    ///   - content: The entry's captured headers and bodies. Default nil: terms that search them don't match.
    ///   - now: The time that `~since 15m` counts back from.
    public func matches(_ item: StoredItem, content: FilterContent? = nil, now: Date) -> Bool {
        FilterEvaluation(item: item, content: content, now: now).matches(node)
    }
}

extension ActivityFilter: CustomStringConvertible {
    /// An expression that parses to an equal value; `~all` for a filter that matches everything.
    public var description: String { FilterWriter.text(node) }
}
