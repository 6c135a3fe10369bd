#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

/// Entries as a table, or as lines of JSON.
enum ItemTable {
    static func show(_ items: [StoredItem], asJSON isJSON: Bool, ifEmpty text: String) throws {
        if isJSON {
            for item in items { print(try ItemLine(item).json()) }
        } else if items.isEmpty {
            print(text)
        } else {
            var table = TextTable(columns)
            for item in items { table.add(row(item)) }
            for line in table.lines() { print(line) }
        }
        if items.isEmpty { throw ExitCode.nothing }
    }

    private static let columns: [TextTable.Column] = [
        .init(title: isNarrow ? "UTC" : "TIME (UTC)"), .init(title: "RESULT", least: 9),
        .init(title: "METHOD", least: 6, rank: 3), .init(title: "TOOK", isRight: true, rank: 4),
        .init(title: "TRIES", isRight: true, rank: 1), .init(title: "OPERATION", least: 9, rank: 2),
        .init(title: "PATH", least: 9), .init(title: "ID"),
    ]

    /// Whether there is room for the time of day only.
    private static var isNarrow: Bool { Output.width < 80 }

    private static func time(_ item: StoredItem) -> String {
        isNarrow ? String(item.startedAt.table.dropFirst(11).prefix(8)) : item.startedAt.table
    }

    private static func row(_ item: StoredItem) -> [TextTable.Cell] {
        [
            .init(time(item)), item.result, .init(item.method ?? "\(item.kind)"),
            .init(item.duration?.short ?? ""), .init("\(item.attempts)"), .init(item.operation ?? "-"),
            .init(item.subject), .init(item.shortID),
        ]
    }

    /// One entry on a line of its own, for a list that grows.
    static func line(_ item: StoredItem) -> String {
        let result = item.result
        let before = [time(item), result.text, item.method ?? "\(item.kind)", item.duration?.short, item.operation]
            .compactMap { $0 }
        let taken = before.reduce(0) { $0 + TerminalText.columns($1) + 2 } + item.shortID.count + 2
        let subject = TerminalText.cut(TerminalText.clean(item.subject), to: max(0, Output.width - taken))
        let plain = TerminalText.cut(
            (before + [subject, item.shortID]).filter { !$0.isEmpty }.joined(separator: "  "), to: Output.width)
        // The colour comes last: its codes take no column.
        guard let range = plain.firstRange(of: result.text) else { return plain }
        return plain[..<range.lowerBound] + Output.colour(result.text, result.colour) + plain[range.upperBound...]
    }
}
#endif
