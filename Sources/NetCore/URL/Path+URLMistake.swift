extension Path {
    /// A part of a URL in the literal text of a path. It would be escaped and sent as part of a segment, so that a
    /// server would most likely respond with 404.
    enum URLMistake: Sendable, Hashable {
        case wholeURL
        case query

        var message: String {
            switch self {
            case .wholeURL:
                "the path is a whole URL; make the request with Request(url:), or set absoluteURL of its options"
            case .query:
                "the path has a \"?\", and what follows it would be part of a name; pass the query as query:, for example "
                    + "query: [\"limit\": 1], or write a question mark that belongs to the name as a value, \\(name)"
            }
        }
    }

    /// Returns the part of a URL that the literal text contains; nil if there is none. A `#` isn't a mistake: OpenAPI
    /// documents use it in keys to distinguish operations of one path, and servers generated from them accept it.
    static func mistake(in text: some StringProtocol, isFirst: Bool) -> URLMistake? {
        // In place, because a path is created for each request.
        let found = text.utf8.withContiguousStorageIfAvailable { mistake(in: $0, isFirst: isFirst) }
        if let found { return found }
        return Array(text.utf8).withUnsafeBufferPointer { mistake(in: $0, isFirst: isFirst) }
    }

    private static func mistake(in text: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> URLMistake? {
        if isFirst, let first = text.first, first | 0x20 == UInt8(ascii: "h") || first | 0x20 == UInt8(ascii: "w"),
            beginsURL(text)
        {
            return .wholeURL
        }
        return text.contains(UInt8(ascii: "?")) ? .query : nil
    }

    /// Returns true if text begins with the scheme of a URL and `://`.
    private static func beginsURL(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        ["https://", "http://", "wss://", "ws://"].contains { scheme in
            text.count >= scheme.utf8.count && zip(text, scheme.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        }
    }
}
