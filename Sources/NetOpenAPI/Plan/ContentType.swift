/// A media type that is a key of `content`.
struct ContentType: Hashable {
    /// The media type as written.
    let text: String
    /// The type and subtype in lowercase, without parameters.
    let essence: String
    /// The `charset` parameter; nil if there is none.
    let charset: String?

    init(_ text: String) {
        self.text = text
        let bare = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        essence = bare.split(separator: " ").joined().lowercased()
        charset = Self.charset(in: text.dropFirst(bare.count))
    }

    /// Returns the media types of a comma-separated list; commas within quotation marks don't separate.
    static func list(_ text: String) -> [ContentType] {
        var isQuoted = false
        let parts = text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        return parts.map { $0.trimmed }.filter { !$0.isEmpty }.map { ContentType(String($0)) }
    }

    private static func charset(in parameters: Substring) -> String? {
        for parameter in parameters.split(separator: ";") {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmed.lowercased() == "charset" else { continue }
            return pair[1].trimmed.filter { $0 != "\"" }
        }
        return nil
    }

    /// True if the charset is one in which text can't be encoded or decoded.
    var hasUnknownCharset: Bool { charset.map { TextCharset(named: $0) == nil } ?? false }

    var isJSON: Bool {
        (essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")) && !isSequence
    }

    var isExactJSON: Bool { essence == "application/json" }
    var isForm: Bool { essence == "application/x-www-form-urlencoded" }
    var isMultipart: Bool { essence == "multipart/form-data" }
    var isEvents: Bool { essence == "text/event-stream" }
    var isText: Bool { essence.hasPrefix("text/") && !isEvents && !isJSON }
    var isWildcard: Bool { essence.contains("*") }
    /// True for a sequence of JSON values, one per line or one per record.
    var isSequence: Bool { Self.lines.contains(essence) || hasRecordSeparators }
    /// True if each value of a sequence begins with a record separator (RFC 7464).
    var hasRecordSeparators: Bool { essence == "application/json-seq" || essence.hasSuffix("+json-seq") }
    private static let lines: Set<String> = [
        "application/jsonl", "application/x-ndjson", "application/ndjson", "application/x-jsonl",
        "application/jsonlines",
        "application/x-jsonlines", "application/x-json-stream", "application/stream+json", "application/json-lines",
    ]

    /// The rank among several media types of a request body; the lowest is preferred.
    var requestRank: Int {
        if isExactJSON { return text == essence ? 0 : 1 }
        if isJSON { return 2 }
        if isForm { return 3 }
        if isMultipart { return 4 }
        if essence == "*/*" { return 5 }
        if isText { return 6 }
        return 7
    }

    /// The rank among several media types of a response; the lowest is preferred.
    var responseRank: Int {
        if isExactJSON { return text == essence ? 0 : 1 }
        if isJSON { return 2 }
        if isEvents || isSequence { return 3 }
        if isText { return 4 }
        if essence == "*/*" { return 5 }
        return 6
    }

    /// Returns true if values of this type can be decoded; an object or a list only in the formats for which there is a
    /// decoder.
    func isReadable(isStructured: Bool) -> Bool {
        if isJSON || isEvents || isSequence || essence == "*/*" { return true }
        let hasStructure = ["xml", "yaml", "cbor", "protobuf", "msgpack"].contains { essence.hasSuffix($0) }
        return !isStructured && !hasStructure
    }

    /// The subtype in words, for a name.
    var words: String {
        let subtype = essence.split(separator: "/").last.map(String.init) ?? essence
        return subtype == "*" ? essence.prefix { $0 != "/" } + " other" : subtype
    }

    /// True if the text is well-formed enough for a header; some documents contain malformed media types.
    var isUsable: Bool {
        essence.split(separator: "/", omittingEmptySubsequences: false).count == 2
            && text.utf8.allSatisfy { $0 >= 32 && $0 < 127 }
    }
}

extension Substring {
    /// The text without leading and trailing spaces and tabs.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
