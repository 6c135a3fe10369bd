internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Tags as a JSON array, which `sqlite3` users can read with `json_each`.
enum StoredTags {
    static func text(_ tags: [String]) -> String {
        guard !tags.isEmpty else { return "[]" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(tags) else { return "[]" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Parses tags; empty for text that isn't an array of strings.
    static func tags(from text: String) -> [String] {
        guard text != "[]" else { return [] }
        return (try? JSONCoding.standard.decode([String].self, from: Bytes(text.utf8))) ?? []
    }
}
