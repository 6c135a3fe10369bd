#if Tools && Server
internal import NetCore

/// Formatting of text in columns.
enum Text {
    /// Returns the text with spaces appended.
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Returns the text with spaces prepended.
    static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Returns the text truncated to the given number of characters; `…` marks the truncation.
    static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }

    /// Returns the text as lines of at most the given number of characters.
    static func wrap(_ text: String, to width: Int) -> [String] {
        var rest = text.split(separator: "\n").joined(separator: " ")[...]
        var lines: [String] = []
        while !rest.isEmpty {
            lines.append(String(rest.prefix(width)))
            rest = rest.dropFirst(width)
        }
        return lines
    }

    /// Returns a duration such as `0.42 ms`; `–` for nil.
    static func milliseconds(_ duration: Duration?) -> String {
        guard let duration else { return "–" }
        return (duration * 1000).seconds(places: 2)
    }
}
#endif
