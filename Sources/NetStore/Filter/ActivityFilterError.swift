/// An expression that isn't a valid filter: the column, the text found there, and the expected text.
public struct ActivityFilterError: Error, Sendable, Hashable {
    /// The whole expression.
    public let expression: String
    /// The character where parsing stopped, counted from 1; one past the last if text is missing at the end.
    public let column: Int
    /// The text at the column, for people: `"~x"`, or `the end`.
    public let found: String
    /// The text that would be valid there, for people.
    public let expected: String

    init(_ expression: String, at offset: Int, found: String, expected: String) {
        self.expression = expression
        self.found = found
        self.expected = expected
        let scalars = expression.unicodeScalars
        let place = scalars.index(scalars.startIndex, offsetBy: offset, limitedBy: scalars.endIndex) ?? scalars.endIndex
        // A position within a character counts as that character's.
        column = expression.indices.prefix { $0 <= place }.count + (place == scalars.endIndex ? 1 : 0)
    }
}

extension ActivityFilterError: CustomStringConvertible {
    /// A sentence, then the expression with a caret below the column.
    ///
    /// ```text
    /// column 4 of the filter: found "abc", expected a status (503), a class of them (5xx) or a range (400-499)
    ///   ~c abc
    ///      ^
    /// ```
    public var description: String {
        let (line, caret) = excerpt
        return "column \(column) of the filter: found \(found), expected \(expected)\n  \(line)\n  "
            + String(repeating: " ", count: caret) + "^"
    }

    /// The expression, or the surroundings of the column if it's long, and the position of the caret.
    private var excerpt: (line: String, caret: Int) {
        let before = 50
        let after = 30
        let start = max(0, column - 1 - before)
        let rest = expression.dropFirst(start)
        let window = rest.prefix(before + after)
        let line = window.map { character -> Character in
            let isPlain = character.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && !$0.isLineBreak }
            return isPlain ? character : " "
        }
        let isCut = window.endIndex < rest.endIndex
        return ((start > 0 ? "…" : "") + String(line) + (isCut ? "…" : ""), column - 1 - start + (start > 0 ? 1 : 0))
    }
}

extension Unicode.Scalar {
    fileprivate var isLineBreak: Bool { (0x80...0x9f).contains(value) || value == 0x2028 || value == 0x2029 }
}
