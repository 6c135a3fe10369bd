/// A pattern of case IDs: an ID in which `*` stands for any characters, as in `12.*`.
struct CasePattern {
    private let parts: [Substring]

    init(_ text: String) { parts = text.split(separator: "*", omittingEmptySubsequences: false) }

    func matches(_ id: String) -> Bool {
        guard let first = parts.first, id.hasPrefix(first) else { return false }
        guard let last = parts.dropFirst().last else { return id == first }
        var rest = id.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
