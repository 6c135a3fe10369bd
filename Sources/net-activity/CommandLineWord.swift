#if Tools
internal import NetCore

/// A word of a command line as a shell passes it to a completion, possibly with unclosed quotes.
struct CommandLineWord {
    /// The word without quotes.
    let text: String

    init(_ word: String) {
        var (text, quote, isEscaped) = ("", nil as Character?, false)
        for character in word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        self.text = text
    }

    /// Returns true if the text has no special meaning to shells, at least within single quotes.
    ///
    /// bash executes commands within a completion's suggestions, so a host named `$(…)` must not be suggested.
    static func isHarmless(_ text: some StringProtocol) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            !"$`\\'\"".unicodeScalars.contains(scalar) && !TerminalText.steers(scalar)
        }
    }

    /// Returns true if shells read the text as one word without special meaning, even without quotes.
    static func isPlain(_ text: String) -> Bool {
        isHarmless(text) && !text.isEmpty
            && !text.unicodeScalars.contains { " ;&|<>()*?{}!#^".unicodeScalars.contains($0) }
    }
}
#endif
