internal import NetCore

/// Builds Markdown (CommonMark with tables) from texts that may contain anything.
struct Markdown {
    private(set) var text = ""

    mutating func heading(_ title: String, level: Int = 2) {
        paragraph(String(repeating: "#", count: level) + " " + Self.inline(title))
    }

    mutating func paragraph(_ line: String) {
        if !text.isEmpty { text += "\n" }
        text += line + "\n"
    }

    /// Appends a code block in which nothing is interpreted as markup, whatever the content.
    mutating func code(_ content: String, language: String = "") {
        var (longest, run) = (2, 0)
        for scalar in content.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let lines = content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            TerminalText.clean(String($0))
        }
        paragraph(fence + language + "\n" + lines.joined(separator: "\n") + "\n" + fence)
    }

    mutating func table(_ head: [String], _ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        func line(_ cells: [String]) -> String { "| " + cells.map(Self.inline).joined(separator: " | ") + " |" }
        let rule = "|" + String(repeating: "---|", count: head.count)
        paragraph(([line(head), rule] + rows.map(line)).joined(separator: "\n"))
    }

    /// Returns foreign text for use within a line: without Markdown or HTML markup, line breaks, or characters that
    /// change the text direction.
    static func inline(_ text: String) -> String {
        var escaped = ""
        for character in TerminalText.clean(text) {
            if "\\`*_{}[]<>|#~&".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}
