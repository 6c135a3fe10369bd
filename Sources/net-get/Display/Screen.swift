#if Tools
/// The bars at the bottom of a terminal, redrawn in place, while permanent lines scroll up above them.
struct Screen: Sendable {
    /// The widths of the lines on the screen that will be overwritten.
    private var shown: [Int] = []

    /// Returns the text that replaces the last bars with `bars`, below the permanent lines.
    ///
    /// A terminal that became narrower has wrapped the existing lines; they are counted in their current form.
    mutating func frame(staying: [Line] = [], bars: [Line], width: Int) -> String {
        let rows = shown.reduce(0) { $0 + max(1, ($1 + width - 1) / max(1, width)) }
        shown = bars.map(\.columns)
        guard rows > 0 || !staying.isEmpty || !bars.isEmpty else { return "" }
        let up = rows > 0 ? "\u{1b}[\(rows)A\r\u{1b}[J" : ""
        return up + (staying + bars).map { $0.text + "\n" }.joined()
    }
}
#endif
