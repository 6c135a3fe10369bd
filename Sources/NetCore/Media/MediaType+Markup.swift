extension MediaType {
    /// Returns the type of text in angle brackets: HTML by the tags of the WHATWG MIME Sniffing standard (section 7.1),
    /// SVG, XML.
    static func markup(_ head: [UInt8]) -> MediaType? {
        var text = head[...]
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        text = text.drop { $0 <= 32 }
        var hasComment = false
        while text.starts(with: "<!--".utf8) {
            hasComment = true
            text = afterComment(text).drop { $0 <= 32 }
        }
        let start = String(decoding: text.prefix(512), as: UTF8.self).lowercased()
        if begins(start, with: "<svg") || begins(start, with: "<!doctype svg") { return MediaType("image", "svg+xml") }
        if start.hasPrefix("<?xml") {
            return start.contains("<svg") ? MediaType("image", "svg+xml") : MediaType("text", "xml")
        }
        return hasComment || tags.contains { begins(start, with: $0) } ? MediaType("text", "html") : nil
    }

    private static let tags = [
        "<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style",
        "<title", "<b", "<body", "<br", "<p",
    ]

    /// Returns true if the text begins with the complete tag: `<a>` and `<a href>` are HTML, `<atom>` isn't.
    private static func begins(_ text: String, with tag: String) -> Bool {
        guard text.hasPrefix(tag) else { return false }
        let next = text.utf8.dropFirst(tag.utf8.count).first ?? UInt8(ascii: ">")
        return next <= 32 || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
    }

    /// Returns the text after a comment; empty if the comment doesn't end in the head.
    private static func afterComment(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var index = text.startIndex + 4
        while index < text.endIndex, !text[index...].starts(with: "-->".utf8) { index += 1 }
        return text[min(index + 3, text.endIndex)...]
    }
}
