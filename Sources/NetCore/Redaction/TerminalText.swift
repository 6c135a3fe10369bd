/// Makes foreign text safe for a terminal or a log: without control characters, and of a known width.
package enum TerminalText {
    /// Returns the text on one line, with control characters shown as `·`, so that a URL or message can't control the
    /// terminal.
    package static func clean(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if steers(scalar) { result += "·" } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// Returns true if the character affects a terminal or misleads a reader: control characters, line separators,
    /// and zero-width characters, including those that change the direction of text.
    package static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff, 0xfff9...0xfffb:
            true
        default: false
        }
    }

    /// Returns an upper bound for the width of the text in columns. Every character from Hangul on counts as two,
    /// except the line and block drawing characters and check marks that our programs print.
    package static func columns(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// Returns an upper bound for the width of the character in columns.
    package static func columns(_ scalar: Unicode.Scalar) -> Int { isNarrow(scalar.value) ? 1 : 2 }

    private static func isNarrow(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x1100, 0x2026, 0x2500...0x259f, 0x2713...0x2718: true
        default: false
        }
    }

    /// Returns the text truncated to that many columns; `…` shows the cut.
    package static func cut(_ text: String, to limit: Int) -> String {
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

    /// Returns the text padded with spaces or truncated to exactly that many columns.
    package static func fit(_ text: String, to width: Int) -> String {
        let shown = cut(text, to: width)
        return shown + String(repeating: " ", count: max(0, width - columns(shown)))
    }

    /// Formats a number of bytes for people: `512 B`, `1.5 kB`, `20.0 MB`.
    package static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        while value >= 999.95, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return unit == 0 ? "\(count) B" : "\(Duration.seconds(value).seconds(places: 1)) \(units[unit])"
    }
}
