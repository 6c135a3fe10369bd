import NetCore

/// A value of traceparent, and whether it's valid.
struct TraceParentCase: Decodable {
    let id, traceparent: String
    let valid: Bool

    /// Returns the problem; nil if everything is as expected.
    func problem() -> String? {
        guard let parent = TraceParent(traceparent) else { return valid ? "was not read" : nil }
        guard valid else { return "was read as \(parent)" }
        let ids = traceparent.split { $0 == "-" || $0 == " " || $0 == "\t" }
        let expected = "00-\(ids[1])-\(ids[2])-"
        guard parent.description.hasPrefix(expected) else { return "is written as \(parent), expected \(expected)…" }
        return TraceParent(parent.description) == parent ? nil : "is written as \(parent), which is read as another"
    }
}
