#if Tools
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How text leaves the program: of a bounded width, coloured only for a terminal.
enum Output {
    /// No line of a table is wider.
    static let width = 100

    /// Colours, as the terminal's codes.
    enum Colour: String {
        case red = "31"
        case yellow = "33"
        case green = "32"
        case bold = "1"
    }

    /// Whether colours are wanted: the output is a terminal, and NO_COLOR is not set (https://no-color.org).
    static let isColoured: Bool = {
        guard isatty(STDOUT_FILENO) == 1 else { return false }
        return (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }()

    static func colour(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour else { return text }
        return "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m"
    }

    /// The text as lines of at most that many columns, broken at spaces where there are any.
    static func wrap(_ text: String, to limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let joined = line.isEmpty ? String(word) : line + " " + word
            if TerminalText.columns(joined) <= limit {
                line = joined
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if TerminalText.columns(line + String(character)) > limit {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        lines.append(line)
        return lines
    }
}
#endif
