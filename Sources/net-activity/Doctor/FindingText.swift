#if Tools
internal import NetCore
internal import NetStore

/// Findings as text for people.
struct FindingText {
    let findings: [Finding]
    let counts: (calls: Int, jobs: Int, sockets: Int)
    /// The file as a word of a command line, followed by a space; empty for the default file.
    let file: String

    func show() {
        let looked = "Looked at \(examined)"
        guard !findings.isEmpty else { return Output.paragraph("\(looked): no problems found.") }
        Output.paragraph("\(looked): \(Figures.counted(findings.count, "finding")).")
        for finding in findings { show(finding) }
    }

    /// The examined entries, in the words of `stats` if there are jobs.
    private var examined: String {
        guard counts.jobs > 0 else { return "\(Figures.grouped(counts.calls + counts.sockets)) calls and sockets" }
        let parts = [
            Figures.counted(counts.calls, "call"), Figures.counted(counts.jobs, "job"),
            Figures.counted(counts.sockets, "socket"),
        ]
        return counts.sockets == 0
            ? parts.prefix(2).joined(separator: " and ")
            : parts.prefix(2).joined(separator: ", ") + " and \(parts[2])"
    }

    /// Adds the file to the commands in a text.
    private func named(_ text: String) -> String {
        text.replacing("net-activity show ID", with: "net-activity show \(file)ID")
            .replacing("net-activity doctor --rule", with: "net-activity doctor \(file)--rule")
    }

    private func show(_ finding: Finding) {
        print("")
        for (index, line) in Output.wrap(TerminalText.clean(finding.title), to: Output.width - 2).enumerated() {
            print(
                Output.colour((index == 0 ? finding.severity.mark : " ") + " " + line, finding.severity.colour ?? .bold)
            )
        }
        Output.paragraph(named(finding.text), indent: "  ")
        Output.paragraph("→ " + named(finding.advice), indent: "  ")
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
