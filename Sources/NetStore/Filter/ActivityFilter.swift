#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A condition on the entries of a store: calls, WebSockets, jobs and lines of a log.
///
/// It is read from text, in the language that `docs/filter.md` describes, or made of terms:
///
///     let typed = try ActivityFilter("~d api.example.com ~c 5xx | ~e")
///     let made = ActivityFilter.host("api.example.com") & (.status(500...599) | .failed)
///     print(typed == made)
///
/// Values of text are compared in any case. A value is looked for within the text; one with a `*`, which stands for any text, has
/// to be the whole text. `?` stands for any one character, so the URL `/items?page=2` finds itself. A backslash takes the next
/// character literally.
///
/// The language is that of mitmproxy without regular expressions: its letters mean the same, two terms side by side mean "and",
/// and bind less than `|` does. `description` is an expression that is read as an equal value.
public struct ActivityFilter: Sendable, Hashable {
    let node: FilterNode

    init(node: FilterNode) {
        self.node = node
    }

    /// Reads an expression; an empty one matches everything.
    ///
    /// At most 4,096 characters, with parentheses at most 20 deep. Throws what was found where, and what was expected.
    public init(_ text: String) throws(ActivityFilterError) {
        var parser = try FilterParser(text)
        node = try parser.parse()
    }

    /// Matches everything.
    public static let all = ActivityFilter(node: .every)

    /// Whether there is a term that looks into captured headers, bodies or messages: without, ``matches(_:content:now:)`` needs no
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

    /// Whether the entry meets the condition.
    ///
    /// - Parameters:
    ///   - item: An entry, ended or under way.
    ///   - content: What was captured of it. Default nil: terms about headers and bodies don't match.
    ///   - now: What `~since 15m` counts from.
    public func matches(_ item: StoredItem, content: FilterContent? = nil, now: Date) -> Bool {
        FilterEvaluation(item: item, content: content, now: now).matches(node)
    }
}

extension ActivityFilter: CustomStringConvertible {
    /// An expression that is read as an equal value; `~all` for one that matches everything.
    public var description: String { FilterWriter.text(node) }
}
