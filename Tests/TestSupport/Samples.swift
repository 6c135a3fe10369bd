package import NetTesting

/// Texts that break careless encoders and parsers.
package enum Samples {
    package static let hostile = [
        "", " ", ".", "..", "/", "//", "../..", "a/b", "%2F", "%", "%%", "100%", "a+b", "a&b=c", "?x=1", "#top", "[1]",
        "a b c", "\r\nHost: evil", "\0", "\t", "é", "e\u{301}", "/\u{301}", "=\u{301}", "'\u{301}", "日本", "👩‍👩‍👧", ";",
        "\\",
        "~", "*", "-._", "\"", "<>", "{}", "|", "^", "`", "'", "$HOME", "$(id)", "%2e%2e", "\u{feff}",
    ]

    /// Returns a text of up to `length` scalars, mostly ASCII.
    package static func text(_ random: SeededRandom, length: Int) -> String {
        var text = ""
        for _ in 0..<Int(random.next() % UInt64(length + 1)) {
            let limit: UInt64 = random.next() % 4 == 0 ? 0xd7ff : 0x7f
            if let scalar = Unicode.Scalar(UInt32(random.next() % (limit + 1))) { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
