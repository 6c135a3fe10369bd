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

/// What a tail shows: entries that have ended, one below the other, and in a terminal below them those that are under way.
///
/// The cursor rests where the lines of those that are under way begin: whatever a new width of the terminal makes of them,
/// all from there on is theirs.
actor TailScreen {
    /// The most lines for what is under way.
    private static let mostLive = 5
    private static let refresh = Duration.milliseconds(500)

    private let reader: ActivityReader
    private let filter: ActivityFilter
    private let isJSON: Bool
    /// What is under way, as of the last look.
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

    /// Shows what is under way, again and again, until it is cancelled.
    func keepLive() async throws {
        while true {
            // What a dead process has left isn't under way.
            live = try await reader.itemsUnderWay(matching: filter).filter { $0.outcome == nil }
            draw()
            try await NetClock.system.sleep(for: Self.refresh)
        }
    }

    /// Does what a signal asks for: fits the lines into a new width, or leaves the terminal clean and passes the signal on.
    func received(_ signal: Int32) {
        guard signal != SIGWINCH else { return draw() }
        erase()
        fflush(nil)
        TerminalSignals.pass(signal)
    }

    /// Takes the lines away that mean nothing any more.
    func end() {
        erase()
        fflush(nil)
    }

    private func line(_ text: String) {
        erase()
        print(text)
        // A pipe is read as the entries come.
        fflush(nil)
    }

    /// Writes over the lines that are there, since a terminal may keep what is erased of a whole screen.
    private func draw() {
        let lines = liveLines()
        guard !lines.isEmpty else { return end() }
        let up = lines.count > 1 ? "\u{1b}[\(lines.count - 1)A\r" : "\r"
        print("\r" + lines.joined(separator: "\u{1b}[K\n") + "\u{1b}[J" + up, terminator: "")
        fflush(nil)
        isDrawn = true
    }

    private func liveLines() -> [String] {
        // In the last column, a terminal would erase the character that stands there.
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
