#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

/// Prints entries as a table, or as JSON lines.
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
        .init(title: isNarrow(Output.width) ? "UTC" : "TIME (UTC)"), .init(title: "RESULT", least: 9),
        .init(title: "METHOD", least: 6, rank: 3), .init(title: "TOOK", isRight: true, rank: 4),
        .init(title: "TRIES", isRight: true, rank: 1), .init(title: "OPERATION", least: 9, rank: 2),
        .init(title: "PATH", least: 9), .init(title: "ID"),
    ]

    /// Returns true if there is only room for the time of day.
    static func isNarrow(_ width: Int) -> Bool { width < 80 }

    /// Returns the time when the entry began.
    static func time(_ item: StoredItem, in width: Int = Output.width) -> String {
        isNarrow(width) ? String(item.startedAt.table.dropFirst(11).prefix(8)) : item.startedAt.table
    }

    private static func row(_ item: StoredItem) -> [TextTable.Cell] {
        [
            .init(time(item)), item.result, .init(item.method ?? "\(item.kind)"),
            .init(item.duration?.short ?? ""), .init("\(item.attempts)"), .init(item.operation ?? "-"),
            .init(item.subject), .init(item.shortID),
        ]
    }

    /// Returns an entry as a single line, for a list that grows.
    static func line(_ item: StoredItem, width: Int) -> String {
        let result = item.result
        let time = time(item, in: width)
        let rest = [item.method ?? "\(item.kind)", item.duration?.short, item.operation].compactMap(\.self)
        let plain = line([time, result.text] + rest, item.subject, item.shortID, width: width)
        // Colors are added last: their codes take no columns.
        let beginning = "\(time)  \(result.text)"
        guard plain.hasPrefix(beginning) else { return plain }
        return "\(time)  " + Output.colour(result.text, result.colour) + plain.dropFirst(beginning.count)
    }

    /// Returns words, the subject and an ID on one line; the subject is shortened first.
    static func line(_ words: [String], _ subject: String, _ id: String, width: Int) -> String {
        let before = words.map(TerminalText.clean).filter { !$0.isEmpty }
        let taken = before.reduce(0) { $0 + TerminalText.columns($1) + 2 } + id.count + 2
        let shown = TerminalText.clean(String(subject.unicodeScalars.prefix(width)))
        let cut = TerminalText.cut(shown, to: max(0, width - taken))
        return TerminalText.cut((before + [cut, id]).filter { !$0.isEmpty }.joined(separator: "  "), to: width)
    }
}
#endif
