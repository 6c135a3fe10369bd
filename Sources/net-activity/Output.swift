#if Tools
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

/// How text leaves the program: cleaned of control characters, cut to a width, coloured only for a terminal.
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

    /// The text on one line, control characters shown as `·`: a stored URL or message must not steer the terminal.
    static func clean(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7f..<0xa0, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff: result += "·"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Columns the text may take at most: everything from Hangul on counts as two.
    static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 || $1 == "…" ? 1 : 2) }
    }

    /// The text cut to that many columns, the cut shown as `…`.
    static func cut(_ text: String, to limit: Int) -> String {
        guard columns(text) > limit else { return text }
        var result = ""
        var used = 1
        for character in text {
            used += columns(String(character))
            if used > limit { break }
            result.append(character)
        }
        return limit > 0 ? result + "…" : ""
    }

    /// The text as lines of at most that many columns, broken at spaces where there are any.
    static func wrap(_ text: String, to limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let joined = line.isEmpty ? String(word) : line + " " + word
            if columns(joined) <= limit {
                line = joined
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if columns(line + String(character)) > limit {
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
