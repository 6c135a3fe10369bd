#if Tools
internal import NetCore
internal import NetStore

/// Something that is wrong, in words, with the entries that show it.
struct Finding {
    /// How bad it is; the raw value is the class of its style in a report.
    enum Severity: String, CaseIterable {
        case error, warning, note

        /// A sign that says it without a colour.
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

    /// The name of the rule, as docs/doctor.md lists it.
    var rule: String
    var severity: Severity
    /// What is wrong, in a few words.
    var title: String
    /// The figures.
    var text: String
    /// What to do.
    var advice: String
    /// The expression that lists the entries.
    var filter: String
    /// How many entries show it.
    var count = 0
    /// Some of the entries, the first of them.
    var examples: [CallID] = []
}

extension [Finding] {
    /// The findings by severity, those of the same one in their order.
    var worstFirst: [Finding] {
        Finding.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
    }
}

extension ActivityFilter {
    /// A text in quotes, as a filter's term takes it for itself.
    static func quoted(_ text: String) -> String { "\"" + literal(text).replacing("\"", with: "\\\"") + "\"" }
}

extension Finding {
    /// A finding about calls; `filter` lists them.
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
