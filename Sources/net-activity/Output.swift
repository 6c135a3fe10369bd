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

/// Formats the program's output: with a limited width, and with colors only on a terminal.
enum Output {
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// The maximum width of a table: the terminal's columns at the start of the program, 100 without a terminal.
    static let width = size.columns

    /// The terminal's current columns and rows; 100 columns and 24 rows without a terminal.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (100, 24) }
        return (max(20, Int(size.ws_col)), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Colors, with the terminal's codes.
    enum Colour: String {
        case red = "31"
        case yellow = "33"
        case green = "32"
        case bold = "1"
    }

    /// True to use colors: the output is a terminal, and NO_COLOR isn't set (https://no-color.org).
    static let isColoured: Bool = {
        guard isTerminal else { return false }
        return (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }()

    static func colour(_ text: some StringProtocol, _ colour: Colour?) -> String {
        guard isColoured, let colour else { return String(text) }
        return "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m"
    }

    /// Returns a word of a command line, quoted for a POSIX shell.
    static func shellWord(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte >= 48 && byte <= 57 || byte | 0x20 >= 97 && byte | 0x20 <= 122 || "/._-:=@%+,".utf8.contains(byte)
            }
        return isPlain ? text : "'" + TerminalText.clean(text).replacing("'", with: "'\\''") + "'"
    }

    /// Prints a text, wrapped into lines.
    static func paragraph(_ text: String, indent: String = "") {
        for line in wrap(TerminalText.clean(text), to: width - indent.count) { print("\(indent)\(line)") }
    }

    /// Returns the text in lines of at most `limit` columns, broken at spaces if possible.
    static func wrap(_ text: String, to limit: Int) -> [Substring] {
        let scalars = text.unicodeScalars
        var lines: [Substring] = []
        // The start and width of the current line, and the last space after a word in it with the width up to there.
        var (start, width, isBlank) = (text.startIndex, 0, true)
        var space: (index: String.Index, width: Int)?
        for index in scalars.indices {
            let scalar = scalars[index]
            let columns = TerminalText.columns(scalar)
            // A combining mark stays with its letter.
            if width + columns > limit, width > 0, scalar == " " || !scalar.properties.isGraphemeExtend {
                let end = scalar == " " ? (index: index, width: width + 1) : space
                lines.append(text[start..<(end?.index ?? index)])
                start = end.map { scalars.index(after: $0.index) } ?? index
                width -= end?.width ?? width
                (space, isBlank) = (nil, width <= 0)
                if scalar == " " {
                    width = 0
                    continue
                }
            }
            width += columns
            if scalar != " " {
                isBlank = false
            } else if !isBlank {
                space = (index, width)
            }
        }
        return lines + [text[start...]]
    }
}
#endif
