#if Tools
internal import NetCore

/// Replays as text for people.
struct ReplayText {
    let outcome: ReplayOutcome

    func show() {
        guard let comparison = outcome.shown else { return }
        Output.paragraph("\(outcome.plan.method.rawValue) \(outcome.plan.shownURL)")
        if let base = outcome.base {
            Output.paragraph("sent to \(base) and not to where the call went: --base says so", indent: "  ")
        }
        if !outcome.plan.filled.isEmpty {
            Output.paragraph("given: " + outcome.plan.filled.joined(separator: ", "), indent: "  ")
        }
        for note in outcome.plan.notes { Output.paragraph(note, indent: "  ") }
        let count = outcome.comparisons.count
        if count > 1 {
            let responses = outcome.different == 0 ? "all \(count) responses are" : "\(outcome.different) of \(count) differ from"
            Output.paragraph("\(responses) \(outcome.different == 0 ? "the same as the stored one" : "the stored one")", indent: "  ")
        }
        let verdict = comparison.differs ? "differs: " + comparison.differing.joined(separator: ", ") : "the same"
        print("")
        Output.paragraph("The response is \(verdict).".replacing("is differs", with: "differs"))
        ComparisonText(comparison: comparison, titles: ("STORED", "REPLAY")).show()
        if let spread = outcome.spread { Output.paragraph("\(count) replays: \(spread)", indent: "  ") }
    }
}
#endif
