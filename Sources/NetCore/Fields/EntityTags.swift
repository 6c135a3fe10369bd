/// Lists of entity tags (RFC 9110 section 8.8.3).
package enum EntityTags {
    /// Returns the tags of a list in their order. Commas within quotes don't separate.
    package static func list(_ text: String) -> [String] {
        var reader = FieldValueReader(text)
        var tags: [String] = []
        while !reader.isAtEnd {
            reader.skipBlanks()
            let isWeak = reader.skip("W") && reader.skip("/")
            if let quoted = reader.quotedString(keepingBackslashes: true) {
                tags.append((isWeak ? "W/\"" : "\"") + quoted + "\"")
            } else if let bare = reader.token() {
                tags.append(bare)
            }
            reader.skipElement()
            _ = reader.skip(",")
        }
        return tags
    }

    /// Weak comparison (RFC 9110 section 8.8.3.2); tolerates missing quotes.
    package static func isSame(_ left: String, _ right: String) -> Bool { opaque(left) == opaque(right) }

    private static func opaque(_ tag: String) -> Substring {
        var tag = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        if tag.utf8.count > 1, tag.hasPrefix("\""), tag.hasSuffix("\"") { tag = tag.dropFirst().dropLast() }
        return tag
    }
}
