/// The names of all terms, and the values expected after them.
enum FilterTermName: Sendable, Hashable {
    case all
    case flag(FilterFlag)
    case text(FilterField)
    case status
    case slower
    case faster
    case larger
    case since
    case until
    case run

    /// The names without the tilde, in the order of the documentation.
    static let names: [(name: String, term: FilterTermName)] =
        FilterField.allCases.filter { $0 != .word }.map { ($0.rawValue, .text($0)) }
        + FilterFlag.allCases.map { ($0.rawValue, .flag($0)) }
        + [
            ("c", .status), ("slower", .slower), ("faster", .faster), ("larger", .larger), ("since", .since),
            ("until", .until), ("run", .run), ("all", .all),
        ]

    init?(_ name: String) {
        guard let found = Self.names.first(where: { $0.name == name }) else { return nil }
        self = found.term
    }

    /// A description of the value that follows; nil for a term without a value.
    var value: String? {
        switch self {
        case .all, .flag: nil
        case .text(let field): field.value
        case .status: "a status (503), a class of them (5xx) or a range (400-499)"
        case .slower, .faster: "a duration such as 500ms, 2s, 1.5m, 1h or 2d"
        case .larger: "a size such as 800B, 1KB, 1.5MB, 1GB (powers of 1000), 1KiB or 1MiB (of 1024)"
        case .since, .until: "a time before now (15m), a date (2026-11-24) or a date and time (2026-11-24T08:00:00Z)"
        case .run: "the number of a run"
        }
    }

    /// Returns the names to suggest for an unknown name: those with the same first letter, or all names if there are
    /// none.
    static func alternatives(to name: String) -> String {
        let alike = names.map(\.name).filter { $0.first == name.first }
        return (alike.isEmpty ? names.map(\.name) : alike).sorted().map { "~" + $0 }.joined(separator: " ")
    }
}

extension FilterField {
    fileprivate var value: String {
        switch self {
        case .word: "a word"
        case .host: "a host, or a part of it"
        case .url: "a URL, or a part of it"
        case .method: "a method"
        case .header, .requestHeader, .responseHeader: "a part of a header such as \"accept: text\""
        case .body, .requestBody, .responseBody: "text of a body"
        case .contentType: "a content type, or a part of it"
        case .operation: "an operation, or a part of it"
        case .tag: "a tag, or a part of it"
        case .comment: "text of a comment"
        case .error: "an error such as timeout, or a part of its message"
        case .cache: "a decision of the cache such as hit or miss"
        }
    }
}
