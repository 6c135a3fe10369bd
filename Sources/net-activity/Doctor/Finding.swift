#if Tools
internal import NetCore
internal import NetStore

/// A problem in words, with the entries that show it.
struct Finding {
    /// The severity; the raw value is also the CSS class in a report.
    enum Severity: String, CaseIterable {
        case error, warning, note

        /// A symbol for the severity that doesn't depend on color.
        var mark: String {
            switch self {
            case .error: "✗"
            case .warning: "!"
            case .note: "·"
            }
        }

        var colour: Output.Colour? {
            switch self {
            case .error: .red
            case .warning: .yellow
            case .note: nil
            }
        }
    }

    /// The name of the rule, as listed in docs/doctor.md.
    var rule: String
    var severity: Severity
    /// The problem, in a few words.
    var title: String
    /// The figures.
    var text: String
    /// Advice on what to do.
    var advice: String
    /// A filter expression for the entries.
    var filter: String
    /// The number of entries that show the problem.
    var count = 0
    /// The first of those entries.
    var examples: [CallID] = []
}

extension [Finding] {
    /// The findings by severity; those of equal severity keep their order.
    var worstFirst: [Finding] {
        Finding.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
    }
}

extension ActivityFilter {
    /// Returns a text in quotes, which a filter term matches literally.
    static func quoted(_ text: String) -> String { "\"" + literal(text).replacing("\"", with: "\\\"") + "\"" }
}

extension Finding {
    /// Creates a finding about calls; `filter` selects them.
    init(
        _ rule: String, _ severity: Severity, _ title: String, _ text: String, advice: String, filter: ActivityFilter,
        calls: [ExaminedCall]
    ) {
        self.init(
            rule: rule, severity: severity, title: title, text: text, advice: advice, filter: filter.description,
            count: calls.count, examples: calls.prefix(3).map(\.item.uid))
    }
}
#endif
