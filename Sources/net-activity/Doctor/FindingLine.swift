#if Tools
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

    /// One line, keys sorted.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
#endif
