#if Tools
internal import NetCore
internal import NetStore

/// A comparison as text for people.
struct ComparisonText {
    let comparison: ExchangeComparison
    /// The titles of the two columns of times.
    let titles: (old: String, new: String)

    func show() {
        facts()
        if let headers = comparison.requestHeaders { show("request headers", headers) }
        if let body = comparison.requestBody { show("request body", body) }
        show("headers", comparison.headers)
        if comparison.trailers.isCompared, !comparison.trailers.differences.isEmpty {
            show("trailers", comparison.trailers)
        }
        show("body", comparison.body)
        times()
    }

    private func facts() {
        for fact in comparison.facts {
            let (old, new) = ((fact.old ?? "none").bounded(to: 2000), (fact.new ?? "none").bounded(to: 2000))
            line(fact.name, "\(TerminalText.clean(old)) → \(TerminalText.clean(new))", isDifferent: true)
        }
        if !comparison.facts.contains(where: { $0.name == "status" }), let status = comparison.new.status {
            line("status", "\(status), the same", isDifferent: false)
        }
    }

    private func show(_ name: String, _ headers: HeaderComparison) {
        guard headers.isCompared else { return line(name, "not captured, not compared", isDifferent: false) }
        let count = headers.differences.count
        line(
            name, count == 0 ? "the same" : "\(Figures.counted(count, "difference"))", isDifferent: count > 0)
        for difference in headers.differences { Output.paragraph(difference.text, indent: "  ") }
        if !headers.noise.isEmpty {
            Output.paragraph(
                "not counted: " + headers.noise.map(\.name).joined(separator: ", "), indent: "  ")
        }
        if !headers.hidden.isEmpty {
            Output.paragraph("hidden, not compared: " + headers.hidden.joined(separator: ", "), indent: "  ")
        }
    }

    private func show(_ name: String, _ body: ContentComparison) {
        var text = body.isSame ? "the same" : Figures.counted(body.count, "difference")
        if body.kind == nil, body.isSame { text = "not compared" }
        if let kind = body.kind, !body.isSame { text = "\(kind.rawValue), \(text)" }
        if let old = body.oldSize, let new = body.newSize {
            text += ", " + TerminalText.bytes(old) + (old == new ? "" : " → " + TerminalText.bytes(new))
        }
        line(name, text, isDifferent: !body.isSame)
        for difference in body.differences { Output.paragraph(difference.text, indent: "  ") }
        let rest = body.count - body.differences.count
        if rest > 0 { print("  … and \(Figures.grouped(rest)) more") }
        for note in body.notes { Output.paragraph(note, indent: "  ") }
    }

    private func line(_ name: String, _ text: String, isDifferent: Bool) {
        let mark = isDifferent ? "✗" : " "
        let label = TerminalText.fit(name, to: 16)
        for (index, part) in Output.wrap(text, to: Output.width - 18).enumerated() {
            let start = index == 0 ? "\(mark) \(label)" : String(repeating: " ", count: 18)
            print(start + Output.colour(String(part), isDifferent ? .yellow : nil))
        }
    }

    private func times() {
        guard !comparison.times.isEmpty else { return }
        var table = TextTable([
            .init(title: "TIME"), .init(title: titles.old, isRight: true), .init(title: titles.new, isRight: true),
        ])
        for time in comparison.times {
            table.add([.init(time.name), .init(time.old?.short ?? "-"), .init(time.new?.short ?? "-")])
        }
        print("")
        for line in table.lines() { print("  " + line) }
    }
}
#endif
