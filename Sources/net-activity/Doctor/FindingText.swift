#if Tools
internal import NetCore
internal import NetStore

/// Findings as text for people.
struct FindingText {
    let findings: [Finding]
    let entries: Int
    /// The file as a word of a command line, followed by a space; empty for the default file.
    let file: String

    func show() {
        let looked = "Looked at \(Figures.grouped(entries)) calls and sockets"
        guard !findings.isEmpty else { return Output.paragraph("\(looked): no problems found.") }
        Output.paragraph("\(looked): \(Figures.counted(findings.count, "finding")).")
        for finding in findings { show(finding) }
    }

    private func show(_ finding: Finding) {
        print("")
        for (index, line) in Output.wrap(TerminalText.clean(finding.title), to: Output.width - 2).enumerated() {
            print(
                Output.colour((index == 0 ? finding.severity.mark : " ") + " " + line, finding.severity.colour ?? .bold)
            )
        }
        Output.paragraph(finding.text, indent: "  ")
        Output.paragraph("→ " + finding.advice, indent: "  ")
        // Commands stay on one line, so that they can be copied.
        print("  net-activity list \(file)\(Output.shellWord(finding.filter))")
        if !finding.examples.isEmpty {
            let ids = finding.examples.map { String($0.description.suffix(8)) }
            Output.paragraph(
                "\(finding.rule): \(ids.joined(separator: " "))\(finding.count > ids.count ? " …" : "")", indent: "  ")
        }
    }
}
#endif
