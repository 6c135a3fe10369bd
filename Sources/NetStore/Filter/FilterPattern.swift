/// The text of a term: characters, and wildcards among them.
struct FilterPattern: Sendable, Hashable {
    /// A part of a pattern.
    enum Token: Sendable, Hashable {
        case literal(Unicode.Scalar)
        /// `?`: any one character (a Unicode scalar).
        case one
        /// `*`: any text, including the empty text.
        case any
    }

    /// The canonical spelling of the pattern: literal `*`, `?` and `\` follow a backslash.
    let text: String
    private let matcher: FilterMatcher

    /// True if the pattern contains a literal colon, as in a host with a port.
    let hasColon: Bool

    init(_ tokens: [Token]) {
        var kept: [Token] = []
        for token in tokens where !(token == .any && kept.last == .any) { kept.append(token) }
        text = Self.spelled(kept)
        hasColon = kept.contains(.literal(":"))
        matcher = FilterMatcher(kept)
    }

    /// Parses wildcards and backslashes; a backslash at the end is literal.
    init(_ text: String) {
        var tokens: [Token] = []
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\": tokens.append(.literal(rest.popFirst() ?? "\\"))
            case "*": tokens.append(.any)
            case "?": tokens.append(.one)
            default: tokens.append(.literal(scalar))
            }
        }
        self.init(tokens)
    }

    static func == (left: FilterPattern, right: FilterPattern) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    /// Returns true if the text matches.
    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }

    /// Returns true if UTF-8 text matches. Other bytes match only wildcards.
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool { matcher.matches(bytes) }

    private static func spelled(_ tokens: [Token]) -> String {
        var text = String.UnicodeScalarView()
        for token in tokens {
            switch token {
            case .any: text.append("*")
            case .one: text.append("?")
            case .literal(let scalar):
                if scalar == "*" || scalar == "?" || scalar == "\\" { text.append("\\") }
                text.append(scalar)
            }
        }
        return String(text)
    }
}
