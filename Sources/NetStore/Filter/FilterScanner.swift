/// A scanner over the characters of an expression.
struct FilterScanner {
    /// A word, or the text between quotes.
    struct Value {
        var tokens: [FilterPattern.Token] = []
        /// The text as written, without quotes and backslashes.
        var text = ""

        var pattern: FilterPattern { FilterPattern(tokens) }

        fileprivate mutating func append(_ scalar: Unicode.Scalar, isLiteral: Bool) {
            text.unicodeScalars.append(scalar)
            switch scalar {
            case "*" where !isLiteral: tokens.append(.any)
            case "?" where !isLiteral: tokens.append(.one)
            default: tokens.append(.literal(scalar))
            }
        }
    }

    private let expression: String
    private let scalars: [Unicode.Scalar]
    private(set) var offset = 0

    init(_ expression: String) {
        self.expression = expression
        scalars = Array(expression.unicodeScalars)
    }

    var count: Int { scalars.count }
    var isAtEnd: Bool { offset == scalars.count }
    var next: Unicode.Scalar? { isAtEnd ? nil : scalars[offset] }
    var isAtSpace: Bool { next?.properties.isWhitespace ?? true }

    /// True if a term may end here.
    var isAtBoundary: Bool {
        guard let next else { return true }
        return next.properties.isWhitespace || Self.isOperator(next)
    }

    /// True if a word or a quote starts here.
    var isAtValue: Bool {
        guard let next else { return false }
        return !Self.isOperator(next) && next != "~"
    }

    /// The column of the next character, from 1.
    var column: Int { error(at: offset, found: "", expected: "").column }

    mutating func skipSpace() {
        while let next, next.properties.isWhitespace { offset += 1 }
    }

    /// Skips spaces, then the symbol if it follows; returns true if it did.
    mutating func skip(_ symbol: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == symbol else { return false }
        offset += 1
        return true
    }

    /// Reads a tilde and the following letters, digits and hyphens.
    mutating func name() -> String {
        offset += 1
        var name = String.UnicodeScalarView()
        while let next, next.properties.isAlphabetic || ("0"..."9").contains(next) || next == "-" || next == "_" {
            name.append(next)
            offset += 1
        }
        return String(name)
    }

    /// Reads a word or a text between quotes.
    mutating func value() throws(ActivityFilterError) -> Value {
        guard let quote = next, quote == "\"" || quote == "'" else { return try word() }
        let start = offset
        var value = Value()
        offset += 1
        while let next, next != quote { try append(next, to: &value) }
        guard !isAtEnd else {
            throw error(at: start, found: quoted(from: start), expected: "a closing \(quote)")
        }
        offset += 1
        guard isAtBoundary else { throw unexpected("a space after the closing \(quote)") }
        return value
    }

    private mutating func word() throws(ActivityFilterError) -> Value {
        let start = offset
        var value = Value()
        while let next, !next.properties.isWhitespace, next != "(", next != ")" {
            switch next {
            case "\"", "'", "~":
                throw unexpected("a space before it, or quotes around the word")
            case "&" where !isWithinWord(from: start): return value
            case "|":
                guard isWithinWord(from: start) else { return value }
                throw unexpected("spaces around it for \"or\", else quotes around the word")
            default: try append(next, to: &value)
            }
        }
        return value
    }

    /// True if the symbol is between two characters of a word, like the `&` of a query.
    private func isWithinWord(from start: Int) -> Bool {
        guard offset > start, offset + 1 < scalars.count else { return false }
        let after = scalars[offset + 1]
        return !after.properties.isWhitespace && !Self.isOperator(after) && !["~", "\"", "'"].contains(after)
    }

    private mutating func append(_ scalar: Unicode.Scalar, to value: inout Value) throws(ActivityFilterError) {
        guard scalar == "\\" else {
            value.append(scalar, isLiteral: false)
            offset += 1
            return
        }
        guard offset + 1 < scalars.count else {
            throw unexpected("a character after it, which it takes literally")
        }
        value.append(scalars[offset + 1], isLiteral: true)
        offset += 2
    }

    static func isOperator(_ scalar: Unicode.Scalar) -> Bool { ["(", ")", "&", "|", "!"].contains(scalar) }

    /// Returns the error for the text at the current position.
    func unexpected(_ expected: String) -> ActivityFilterError {
        error(at: offset, found: isAtEnd ? "the end" : quoted(from: offset), expected: expected)
    }

    func error(at offset: Int, found: String, expected: String) -> ActivityFilterError {
        ActivityFilterError(expression, at: offset, found: found, expected: expected)
    }

    /// Returns the text that starts at the offset, in quotes: an operator, or everything up to the next space.
    private func quoted(from offset: Int) -> String {
        let rest = scalars[offset...]
        if let first = rest.first, Self.isOperator(first) || first == "\"" || first == "'" || first == "~" {
            let isAlone = Self.isOperator(first) || rest.dropFirst().first?.properties.isWhitespace ?? true
            if isAlone { return first == "\"" ? "'\"'" : "\"\(first)\"" }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: rest.prefix { !$0.properties.isWhitespace })
        return "\"\(Self.shortened(String(text)))\""
    }

    /// Returns at most forty characters, on one line.
    static func shortened(_ text: String) -> String {
        let line = String(text.prefix(40).map { $0.isNewline ? " " : $0 })
        return text.count > 40 ? line + "…" : line
    }
}
