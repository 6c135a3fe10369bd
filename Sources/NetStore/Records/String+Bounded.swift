extension String {
    /// Returns the text, or a copy of its beginning: a substring would keep the whole text in memory.
    package func bounded(to bytes: Int) -> String {
        utf8.count <= bytes ? self : String(decoding: Array(utf8.prefix(bytes)), as: UTF8.self)
    }
}
