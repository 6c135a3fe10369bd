#if Tools
internal import NetCore

/// A table that is never wider than ``Output/width``: the widest column that may shrink is shortened first. If that
/// isn't enough, columns are dropped, lowest rank first.
struct TextTable {
    struct Column {
        let title: String
        var isRight = false
        /// The minimum width that the column may be shortened to; nil if it's never shortened.
        var least: Int?
        /// The order of dropping, lowest first; nil for a column that is never dropped.
        var rank: Int?
    }

    struct Cell {
        let text: String
        var colour: Output.Colour?

        init(_ text: String, _ colour: Output.Colour? = nil) {
            // Ignores text beyond the maximum width of a line.
            self.text = TerminalText.clean(String(text.unicodeScalars.prefix(Output.width + 1)))
            self.colour = colour
        }
    }

    private static let gap = "  "
    let columns: [Column]
    private(set) var rows: [[Cell]] = []

    init(_ columns: [Column]) { self.columns = columns }

    mutating func add(_ row: [Cell]) { rows.append(row) }

    /// The title line and the rows.
    func lines() -> [String] {
        let table = narrowed()
        let widths = table.fittingWidths()
        let titles = table.columns.map { Cell($0.title, .bold) }
        return ([titles] + table.rows).map { table.line($0, widths) }
    }

    /// Returns the table without the columns that don't fit.
    private func narrowed() -> TextTable {
        let widths = naturalWidths
        let least = columns.indices.map { min(columns[$0].least ?? .max, widths[$0]) }
        var kept = Array(columns.indices)
        while kept.reduce(0, { $0 + least[$1] + Self.gap.count }) - Self.gap.count > Output.width {
            let lowest = kept.filter { columns[$0].rank != nil }.min { columns[$0].rank ?? 0 < columns[$1].rank ?? 0 }
            guard let lowest else { break }
            kept.removeAll { $0 == lowest }
        }
        guard kept.count < columns.count else { return self }
        var table = TextTable(kept.map { columns[$0] })
        for row in rows { table.add(kept.filter { $0 < row.count }.map { row[$0] }) }
        return table
    }

    private var naturalWidths: [Int] {
        columns.indices.map { index in
            rows.reduce(TerminalText.columns(columns[index].title)) {
                index < $1.count ? max($0, TerminalText.columns($1[index].text)) : $0
            }
        }
    }

    private func fittingWidths() -> [Int] {
        var widths = naturalWidths
        var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - Output.width
        while excess > 0 {
            let shrinking = columns.indices.filter { index in
                columns[index].least.map { widths[index] > $0 } ?? false
            }
            guard let widest = shrinking.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func line(_ cells: [Cell], _ widths: [Int]) -> String {
        var parts: [String] = []
        // Cells are shortened individually, since color codes take no columns.
        var room = Output.width
        for (index, cell) in cells.enumerated() where index < columns.count && room > 0 {
            let width = min(widths[index], room)
            let text = TerminalText.cut(cell.text, to: width)
            let padding = String(repeating: " ", count: max(0, width - TerminalText.columns(text)))
            let isLast = index == columns.count - 1
            let shown = Output.colour(text, cell.colour)
            parts.append(columns[index].isRight ? padding + shown : isLast ? shown : shown + padding)
            room -= width + Self.gap.count
        }
        return parts.joined(separator: Self.gap)
    }
}
#endif
