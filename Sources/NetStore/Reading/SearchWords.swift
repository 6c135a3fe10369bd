/// The words of a search as an FTS5 query: all words are required; the last one is a prefix, since it may be
/// incomplete.
struct SearchWords {
    /// The query; nil if there are no words.
    let query: String?

    init(_ text: String) {
        let words = text.unicodeScalars.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
        // Quotes keep words from being read as FTS5 operators.
        query = words.isEmpty ? nil : words.map { "\"\(String(Substring($0)))\"" }.joined(separator: " ") + "*"
    }
}
