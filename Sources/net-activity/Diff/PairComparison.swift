#if Tools
internal import NetCore
internal import NetStore

/// The comparison of two stored calls, as text and as JSON.
struct PairComparison {
    let first, second: StoredItem
    let comparison: ExchangeComparison

    init(_ first: StoredDetail, _ second: StoredDetail) {
        (self.first, self.second) = (first.item, second.item)
        comparison = ExchangeComparison(
            ComparedCall(ReportEntry(first)), ComparedCall(ReportEntry(second)), hasRequests: true)
    }

    func show() {
        for (item, name) in [(first, "first"), (second, "second")] {
            let url = (item.url ?? "").bounded(to: 2000)
            Output.paragraph(
                "\(name): \(item.startedAt.table) UTC, \(item.method ?? "") \(url), \(item.result.text)"
            )
        }
        print("")
        let parts = comparison.differing.joined(separator: ", ")
        Output.paragraph(comparison.differs ? "The calls differ: \(parts)." : "The calls are the same.")
        ComparisonText(comparison: comparison, titles: (first.shortID, second.shortID)).show()
    }

    /// The comparison as one JSON object.
    struct Line: Encodable {
        let first, second: String
        let comparison: ComparisonLine
    }

    var line: Line {
        Line(
            first: first.uid.description, second: second.uid.description, comparison: ComparisonLine(comparison))
    }
}
#endif
