#if Tools
internal import NetCore

/// Replays as text for people.
struct ReplayText {
    let outcome: ReplayOutcome

    func show() {
        guard let comparison = outcome.shown else { return }
        Output.paragraph("\(outcome.plan.method.rawValue) \(outcome.plan.shownURL)")
        if let base = outcome.base {
            note("sent to \(base.scheme ?? "")://\(base.authority ?? "") instead of the server of the call (--base)")
        }
        if !outcome.plan.filled.isEmpty { note("given: " + outcome.plan.filled.joined(separator: ", ")) }
        for text in outcome.plan.notes { note(text) }
        let count = outcome.comparisons.count
        if count > 1 { note("sent \(count) times, \(outcome.different) responses differ") }
        print("")
        let parts = comparison.differing.joined(separator: ", ")
        Output.paragraph(comparison.differs ? "The response differs: \(parts)." : "The response is the same.")
        ComparisonText(comparison: comparison, titles: ("STORED", "REPLAY")).show()
        if let spread = outcome.spread {
            print("")
            note("\(count) replays: \(spread)")
        }
    }

    private func note(_ text: String) { Output.paragraph(text, indent: "  ") }
}
#endif
