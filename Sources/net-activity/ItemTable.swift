#if Tools
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
    }

    private static let columns: [TextTable.Column] = [
        .init(title: "TIME (UTC)"), .init(title: "RESULT", least: 9), .init(title: "METHOD", least: 6),
        .init(title: "TOOK", isRight: true), .init(title: "TRIES", isRight: true),
        .init(title: "OPERATION", least: 9), .init(title: "PATH", least: 9), .init(title: "ID"),
    ]

    private static func row(_ item: StoredItem) -> [TextTable.Cell] {
        [
            .init(item.startedAt.table), item.result, .init(item.method ?? "\(item.kind)"),
            .init(item.duration?.short ?? ""), .init("\(item.attempts)"), .init(item.operation ?? "-"),
            .init(item.subject), .init(item.shortID),
        ]
    }

    /// One entry on a line of its own, for a list that grows.
    static func line(_ item: StoredItem) -> String {
        let result = item.result
        let parts = [
            item.startedAt.table, Output.colour(result.text, result.colour), item.method ?? "\(item.kind)",
            item.duration?.short, item.operation, TerminalText.clean(item.subject), item.shortID,
        ]
        return TerminalText.cut(
            parts.compactMap { $0 }.joined(separator: "  "), to: Output.isColoured ? .max : Output.width)
    }
}
#endif
