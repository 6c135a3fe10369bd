#if Tools
internal import NetCore

/// A line of `doctor --json`.
struct FindingLine: Encodable {
    let rule, severity, title, text, advice, filter: String
    let count: Int
    let examples: [String]

    init(_ finding: Finding) {
        (rule, severity, title) = (finding.rule, finding.severity.rawValue, finding.title)
        (text, advice, filter) = (finding.text, finding.advice, finding.filter)
        count = finding.count
        examples = finding.examples.map(\.description)
    }
}
#endif
