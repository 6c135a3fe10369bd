/// The words of a search as a query of FTS5: all of them needed, the last one as a prefix, since it may still be written.
struct SearchWords {
    /// The query; nil without words.
    let query: String?

    init(_ text: String) {
        let words = text.unicodeScalars.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
        // In quotes, no word means anything but itself.
        query = words.isEmpty ? nil : words.map { "\"\(String(Substring($0)))\"" }.joined(separator: " ") + "*"
    }
}
