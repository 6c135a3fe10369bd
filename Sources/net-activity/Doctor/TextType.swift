#if Tools
/// Media types whose bytes are text.
enum TextType {
    static func isText(_ type: String?) -> Bool {
        guard let type = type?.lowercased() else { return false }
        return type.hasPrefix("text/")
            || ["json", "xml", "javascript", "x-www-form-urlencoded", "yaml", "csv"]
                .contains { type.contains($0) }
    }
}
#endif
