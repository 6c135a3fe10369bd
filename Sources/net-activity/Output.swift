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
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// No line of a table is wider: the terminal's columns, 100 without a terminal.
    static let width: Int = {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 100
        }
        return max(20, Int(size.ws_col))
    }()

    /// Colours, as the terminal's codes.
    enum Colour: String {
        case red = "31"
        case yellow = "33"
        case green = "32"
        case bold = "1"
    }

    /// Whether colours are wanted: the output is a terminal, and NO_COLOR is not set (https://no-color.org).
    static let isColoured: Bool = {
        guard isTerminal else { return false }
        return (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }()

    static func colour(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour else { return text }
        return "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m"
    }

    /// A word of a command line, for a POSIX shell.
    static func shellWord(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte >= 48 && byte <= 57 || byte | 0x20 >= 97 && byte | 0x20 <= 122 || "/._-:=@%+,".utf8.contains(byte)
            }
        return isPlain ? text : "'" + TerminalText.clean(text).replacing("'", with: "'\\''") + "'"
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
