/// A media type as a key of `content`.
struct MediaType: Hashable {
    /// As written.
    let text: String
    /// Type and subtype in lower case, without parameters.
    let essence: String

    init(_ text: String) {
        self.text = text
        let bare = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        essence = bare.split(separator: " ").joined().lowercased()
    }

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
