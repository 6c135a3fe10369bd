#if Tools
internal import NetCore
internal import NetStore

/// The differences between two groups as text for people.
struct GroupText {
    let differences: [EndpointDifference]
    let comparison: GroupComparison
    let groups: (before: DiffGroup, after: DiffGroup)

    func show() {
        let (before, after) = (comparison.counts.before, comparison.counts.after)
        let looked = """
            Compared \(Figures.counted(before, "call")) of \(groups.before.name) with \
            \(Figures.counted(after, "call")) of \(groups.after.name), \
            \(Figures.counted(comparison.endpoints, "endpoint"))
            """
        guard !differences.isEmpty else {
            return Output.paragraph("\(looked): no significant difference.")
        }
        Output.paragraph("\(looked): \(Figures.counted(differences.count, "difference")).")
        print("")
        for line in table.lines() { print(line) }
        print("")
        for (index, difference) in differences.enumerated() {
            // Commands stay on one line, so that they can be copied.
            let number = String(repeating: " ", count: max(0, 3 - "\(index + 1)".count)) + "\(index + 1)"
            let group = difference.isOfFirst ? groups.before : groups.after
            print("\(number)  net-activity list \(group.command(difference))")
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .init(title: "  #", isRight: true), .init(title: "WHAT"), .init(title: "ENDPOINT", least: 30),
            .init(title: "BEFORE", isRight: true), .init(title: "AFTER", isRight: true),
            .init(title: "QUARTILES", rank: 1), .init(title: "CALLS", isRight: true, rank: 2),
        ])
        for (index, difference) in differences.enumerated() {
            let severity = difference.change.severity
            table.add([
                .init("\(index + 1)"), .init("\(severity.mark) \(difference.change.title)", severity.colour),
                .init(difference.endpoint.name), .init(difference.before ?? "-"), .init(difference.after ?? "-"),
                .init(difference.spreads.map { "\($0.before) → \($0.after)" } ?? ""),
                .init("\(Figures.grouped(difference.calls.before)) → \(Figures.grouped(difference.calls.after))"),
            ])
        }
        return table
    }
}

/// One of the two groups: a file, and a filter for its entries.
struct DiffGroup {
    let file: String
    let filter: ActivityFilter
    /// The name in a sentence: `run 3`, `a.sqlite`.
    let name: String

    /// Returns a filter for the entries that show a difference.
    func filter(_ difference: EndpointDifference) -> ActivityFilter {
        let endpoint = difference.endpoint.filter
        return filter == .all ? endpoint : filter & endpoint
    }

    /// Returns the file and that filter as words of a command line.
    func command(_ difference: EndpointDifference) -> String {
        "\(Output.shellWord(file)) \(Output.shellWord(filter(difference).description))"
    }
}
#endif
