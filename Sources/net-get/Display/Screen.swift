#if Tools
/// The bars at the bottom of a terminal, drawn over themselves, while lines that stay scroll away above them.
struct Screen: Sendable {
    /// The columns of the lines that stand there and will be drawn over.
    private var shown: [Int] = []

    /// Returns what to write so that `bars` stand where the last ones did, below the lines that stay.
    ///
    /// A terminal that became narrower has broken the lines that stand there; they are counted as it shows them now.
    mutating func frame(staying: [Line] = [], bars: [Line], width: Int) -> String {
        let rows = shown.reduce(0) { $0 + max(1, ($1 + width - 1) / max(1, width)) }
        shown = bars.map(\.columns)
        guard rows > 0 || !staying.isEmpty || !bars.isEmpty else { return "" }
        let up = rows > 0 ? "\u{1b}[\(rows)A\r\u{1b}[J" : ""
        return up + (staying + bars).map { $0.text + "\n" }.joined()
    }
}
#endif
