#if Tools
internal import NetCore
internal import NetHTTP

/// A line for the terminal, and its width in columns without color codes.
struct Line: Sendable, Hashable {
    var text: String
    var columns: Int
}

/// Renders downloads as lines with bars that fit into a width.
///
/// On narrow terminals, less important parts are dropped: first the amount and the remaining time, then the bar, and
/// finally the speed.
struct BarRenderer: Sendable {
    enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case dim = "2"
    }

    /// The width of the terminal in columns.
    var width: Int
    /// The maximum number of terminal lines for bars.
    var height = 20
    /// True to use colors (https://no-color.org).
    var isColoured = true
    /// True to draw bars only with ASCII characters.
    var isASCII = false

    /// Returns the lines: running downloads, then waiting ones, then the total.
    func lines(_ rows: [Row]) -> [Line] {
        let open = rows.filter { !$0.state.isFinal }
        guard !open.isEmpty else { return [] }
        let running = open.filter(\.state.isRunning)
        let others = open.filter { !$0.state.isRunning }
        let room = max(1, height - 2)
        var shown = Array((running + others).prefix(room))
        // The line with the number of hidden downloads replaces the last one.
        if running.count + others.count > room { shown.removeLast() }
        let hidden = open.count - shown.count
        let nameWidth = shown.reduce(0) { max($0, TerminalText.columns($1.name)) }
        var lines = shown.map { line($0, nameWidth: nameWidth) }
        if hidden > 0 { lines.append(plain("and \(hidden) more", .dim)) }
        if rows.count > 1 { lines.append(plain(summary(rows), nil)) }
        return lines
    }

    /// Returns the permanent line of a download that has ended.
    func ended(_ row: Row, path: String?, took: Duration?) -> Line {
        let name = path.map(TerminalText.clean) ?? row.name
        switch row.state {
        case .completed:
            let time = took.map { " in \(Row.clock($0))" } ?? ""
            return marked(isASCII ? "+" : "✓", .green, "\(name)  \(row.amount)\(time)")
        case .failed: return marked(isASCII ? "!" : "✗", .red, "\(row.name)  \(row.remark ?? "failed")")
        default: return marked("-", .yellow, "\(row.name)  \(row.state.rawValue)")
        }
    }

    /// Returns a summary such as `2 of 5 files, 12.3 MB, 3.4 MB/s, 0:42 left`.
    func summary(_ rows: [Row]) -> String {
        let done = rows.filter { $0.state == .completed }.count
        let failed = rows.filter { $0.state == .failed }.count
        let bytes = rows.reduce(Int64(0)) { $0 + $1.bytes }
        var parts = ["\(done) of \(rows.count) files", TerminalText.bytes(bytes)]
        let speed = rows.reduce(0.0) { $0 + ($1.state.isRunning ? $1.speed ?? 0 : 0) }
        if speed > 0 {
            parts.append("\(TerminalText.bytes(Int64(speed)))/s")
            let totals = rows.filter { !$0.state.isFinal }.map(\.total)
            if !totals.contains(nil) {
                let rest = rows.reduce(Int64(0)) { $0 + ($1.state.isFinal ? 0 : max(0, ($1.total ?? 0) - $1.bytes)) }
                parts.append("\(Row.clock(.nearest(seconds: Double(rest) / speed))) left")
            }
        }
        if failed > 0 { parts.append("\(failed) failed") }
        return parts.joined(separator: ", ")
    }

    // MARK: One line

    private func line(_ row: Row, nameWidth: Int) -> Line {
        guard row.state.isRunning else {
            let percent = row.percent.isEmpty ? "" : " at \(row.percent)"
            let remark = row.remark.map { ": \($0)" } ?? ""
            let name = TerminalText.fit(row.name, to: min(nameWidth, max(8, width * 2 / 5)))
            let colour: Colour = row.state == .paused ? .yellow : .dim
            return plain("\(name)  \(row.state.rawValue)\(percent)\(remark)", colour)
        }
        var fields = [Self.right(row.percent, 5)]
        if width >= 30 { fields.append(Self.right(row.rate, 10)) }
        if width >= 100 { fields.insert(Self.right(row.amount, 20), at: 1) }
        if width >= 70 { fields.append(Self.right(row.countdown, 7)) }
        let tail = fields.joined(separator: " ")
        let rest = max(0, width - TerminalText.columns(tail) - 1)
        let barWidth = width >= 50 ? max(10, rest - min(nameWidth, rest * 2 / 5) - 1) : 0
        let name = TerminalText.fit(row.name, to: barWidth > 0 ? rest - barWidth - 1 : min(rest, max(nameWidth, rest)))
        guard barWidth > 0 else { return Line(text: "\(name) \(tail)", columns: rest + 1 + TerminalText.columns(tail)) }
        return Line(
            text: "\(name) \(bar(row, barWidth)) \(tail)", columns: rest + 1 + TerminalText.columns(tail))
    }

    /// Returns a bar of exactly the given width. If the size isn't known, a block moves with the received bytes.
    private func bar(_ row: Row, _ width: Int) -> String {
        let (full, empty) = isASCII ? ("#", "-") : ("━", "─")
        if let fraction = row.fraction {
            let count = min(width, Int(fraction * Double(width)))
            return colour(String(repeating: full, count: count), .cyan)
                + colour(String(repeating: empty, count: width - count), .dim)
        }
        let block = max(1, width / 5)
        let place = Int(row.bytes / (256 << 10) % Int64(max(1, width - block + 1)))
        return colour(String(repeating: empty, count: place), .dim)
            + colour(String(repeating: full, count: block), .cyan)
            + colour(String(repeating: empty, count: width - block - place), .dim)
    }

    private func plain(_ text: String, _ hue: Colour?) -> Line {
        let shown = TerminalText.cut(text, to: width)
        return Line(text: hue.map { colour(shown, $0) } ?? shown, columns: TerminalText.columns(shown))
    }

    /// Returns a permanent line; it may be wider than the terminal.
    private func marked(_ mark: String, _ hue: Colour, _ text: String) -> Line {
        Line(text: "\(colour(mark, hue)) \(text)", columns: 2 + TerminalText.columns(text))
    }

    private func colour(_ text: String, _ colour: Colour) -> String {
        isColoured && !text.isEmpty ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - TerminalText.columns(text))) + text
    }
}
#endif
