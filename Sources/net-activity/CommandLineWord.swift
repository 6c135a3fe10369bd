#if Tools
internal import NetCore

/// A word of a command line as a shell hands it to a completion: with its quotes, open ones too.
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

    /// Returns whether shells take the text for nothing but itself, in single quotes at least.
    ///
    /// bash runs the commands in what a completion offers, so a host named `$(…)` must not be offered.
    static func isHarmless(_ text: some StringProtocol) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            !"$`\\'\"".unicodeScalars.contains(scalar) && !TerminalText.steers(scalar)
        }
    }

    /// Returns whether shells take the text for one word that means nothing but itself, without quotes.
    static func isPlain(_ text: String) -> Bool {
        isHarmless(text) && !text.isEmpty
            && !text.unicodeScalars.contains { " ;&|<>()*?{}!#^".unicodeScalars.contains($0) }
    }
}
#endif
