#if Tools && Server
internal import NetCore

/// Text in columns.
enum Text {
    /// The text with spaces after it.
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The text with spaces before it.
    static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// The text cut to that many characters, the cut shown as `…`.
    static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }

    /// The text as lines of at most that many characters.
    static func wrap(_ text: String, to width: Int) -> [String] {
        var rest = text.split(separator: "\n").joined(separator: " ")[...]
        var lines: [String] = []
        while !rest.isEmpty {
            lines.append(String(rest.prefix(width)))
            rest = rest.dropFirst(width)
        }
        return lines
    }

    /// `0.42 ms`; `–` for nothing.
    static func milliseconds(_ duration: Duration?) -> String {
        guard let duration else { return "–" }
        return (duration * 1000).seconds(places: 2)
    }
}
#endif
