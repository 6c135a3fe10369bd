/// The words of a search as a query of FTS5: each a prefix, all of them needed.
struct SearchWords {
    /// The query; nil without words.
    let query: String?

    init(_ text: String) {
        let words = text.unicodeScalars.split {
            !$0.properties.isAlphabetic && !$0.properties.isWhitespace && !Self.isDigit($0)
        }
        .flatMap { $0.split { $0.properties.isWhitespace } }
        // In quotes, no word means anything but itself.
        query = words.isEmpty ? nil : words.map { "\"\(String(Substring($0)))\"*" }.joined(separator: " ")
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType != nil }
}
