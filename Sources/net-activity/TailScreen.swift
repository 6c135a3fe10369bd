#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The output of a tail: ended entries, one per line, and on a terminal the entries under way below them.
///
/// The cursor stays at the beginning of the lines under way: however a new terminal width wraps them, everything from
/// there on belongs to them.
actor TailScreen {
    /// The maximum number of lines for entries under way.
    private static let mostLive = 5
    private static let refresh = Duration.milliseconds(500)

    private let reader: ActivityReader
    private let filter: ActivityFilter
    private let isJSON: Bool
    /// The entries under way, as of the last update.
    private var live: [StoredItem] = []
    private var isDrawn = false

    init(reader: ActivityReader, filter: ActivityFilter, isJSON: Bool) {
        self.reader = reader
        self.filter = filter
        self.isJSON = isJSON
    }

    func show(_ item: StoredItem) throws {
        live.removeAll { $0.uid == item.uid && $0.kind == item.kind }
        line(isJSON ? try ItemLine(item).json() : ItemTable.line(item, width: Output.size.columns))
    }

    func show(gap count: Int) {
        line(isJSON ? "{\"gap\":\(count)}" : "… \(count) entries were deleted before they could be shown")
    }

    /// Updates the entries under way until the task is cancelled.
    func keepLive() async throws {
        while true {
            // Skips entries left by a dead process.
            live = try await reader.itemsUnderWay(matching: filter).filter { $0.outcome == nil }
            draw()
            try await NetClock.system.sleep(for: Self.refresh)
        }
    }

    /// Handles a signal: redraws the lines for a new width, or clears them and passes the signal on.
    func received(_ signal: Int32) {
        guard signal != SIGWINCH else { return draw() }
        erase()
        fflush(nil)
        TerminalSignals.pass(signal)
    }

    /// Removes the lines of entries under way, which are outdated.
    func end() {
        erase()
        fflush(nil)
    }

    private func line(_ text: String) {
        erase()
        print(text)
        // Flushes, so that a pipe receives each entry immediately.
        fflush(nil)
    }

    /// Overwrites the existing lines: some terminals keep erased lines if the whole screen is erased.
    private func draw() {
        let lines = liveLines()
        guard !lines.isEmpty else { return end() }
        let up = lines.count > 1 ? "\u{1b}[\(lines.count - 1)A\r" : "\r"
        print("\r" + lines.joined(separator: "\u{1b}[K\n") + "\u{1b}[J" + up, terminator: "")
        fflush(nil)
        isDrawn = true
    }

    private func liveLines() -> [String] {
        // Leaves the last column empty: writing to it, a terminal would erase the character there.
        let (columns, rows) = (Output.size.columns - 1, Output.size.rows)
        let most = min(Self.mostLive, max(1, rows - 1))
        let now = NetClock.system.date()
        var lines = live.prefix(most).reversed().map { item in
            let time = Duration.seconds(max(0, now.timeIntervalSince(item.startedAt))).short
            return ItemTable.line(
                ["▸", time, item.method ?? "\(item.kind)"], item.url ?? item.subject, item.shortID, width: columns)
        }
        if live.count > most {
            lines[0] = TerminalText.cut("▸ and \(live.count - most + 1) more: net-activity list", to: columns)
        }
        return lines
    }

    private func erase() {
        guard isDrawn else { return }
        print("\r\u{1b}[J", terminator: "")
        isDrawn = false
    }
}
#endif
