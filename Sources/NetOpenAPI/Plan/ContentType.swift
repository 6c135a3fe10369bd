/// A media type as a key of `content`.
struct ContentType: Hashable {
    /// As written.
    let text: String
    /// Type and subtype in lower case, without parameters.
    let essence: String
    /// The parameter `charset`; nil for none.
    let charset: String?

    init(_ text: String) {
        self.text = text
        let bare = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        essence = bare.split(separator: " ").joined().lowercased()
        charset = Self.charset(in: text.dropFirst(bare.count))
    }

    /// The types of a list, which commas within quotation marks do not part.
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

    /// Whether the charset is one that text cannot be written or read in.
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
    /// A sequence of JSON values, one a line or one a record.
    var isSequence: Bool { Self.lines.contains(essence) || hasRecordSeparators }
    /// Whether each value of a sequence begins with a record separator (RFC 7464).
    var hasRecordSeparators: Bool { essence == "application/json-seq" || essence.hasSuffix("+json-seq") }
    private static let lines: Set<String> = [
        "application/jsonl", "application/x-ndjson", "application/ndjson", "application/x-jsonl",
        "application/jsonlines",
        "application/x-jsonlines", "application/x-json-stream", "application/stream+json", "application/json-lines",
    ]

    /// The best of several for what a request sends: less is better.
    var requestRank: Int {
        if isExactJSON { return text == essence ? 0 : 1 }
        if isJSON { return 2 }
        if isForm { return 3 }
        if isMultipart { return 4 }
        if essence == "*/*" { return 5 }
        if isText { return 6 }
        return 7
    }

    /// The best of several for what comes back: less is better.
    var responseRank: Int {
        if isExactJSON { return text == essence ? 0 : 1 }
        if isJSON { return 2 }
        if isEvents || isSequence { return 3 }
        if isText { return 4 }
        if essence == "*/*" { return 5 }
        return 6
    }

    /// Whether it can stand in a field: typed by hand, some are not even close.
    var isUsable: Bool {
        essence.split(separator: "/", omittingEmptySubsequences: false).count == 2
            && text.utf8.allSatisfy { $0 >= 32 && $0 < 127 }
    }
}

extension Substring {
    /// Without blanks at its ends.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
