/// A text pattern: `*` matches any text, `?` one character, and a backslash makes the next character literal.
///
/// Matching remembers only the last `*`, so it takes at most pattern length times text length steps, for any pattern.
struct Glob: Sendable {
    private enum Token: Sendable, Equatable {
        case any
        case one
        case literal(Character)
    }

    private let tokens: [Token]

    init(_ pattern: String) {
        var tokens: [Token] = []
        var rest = pattern[...]
        while let character = rest.popFirst() {
            switch character {
            case "*": if tokens.last != .any { tokens.append(.any) }
            case "?": tokens.append(.one)
            case "\\": tokens.append(.literal(rest.popFirst() ?? "\\"))
            default: tokens.append(.literal(character))
            }
        }
        self.tokens = tokens
    }

    /// A text that the pattern matches.
    var example: String {
        String(
            tokens.compactMap { token -> Character? in
                switch token {
                case .any: nil
                case .one: "x"
                case .literal(let character): character
                }
            })
    }

    func matches(_ text: String) -> Bool {
        let text = Array(text)
        var (place, index) = (0, 0)
        var star: (index: Int, place: Int)?
        while place < text.count {
            if index < tokens.count, tokens[index] == .any {
                star = (index, place)
                index += 1
            } else if index < tokens.count, tokens[index] == .one || tokens[index] == .literal(text[place]) {
                index += 1
                place += 1
            } else if let last = star {
                star = (last.index, last.place + 1)
                (index, place) = (last.index + 1, last.place + 1)
            } else {
                return false
            }
        }
        return tokens[index...].allSatisfy { $0 == .any }
    }
}
