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
actor TailScreen {
    /// The most lines for what is under way.
    private static let mostLive = 5
    private static let refresh = Duration.milliseconds(500)

    private let reader: ActivityReader
    private let filter: ActivityFilter
    private let isJSON: Bool
    /// How many lines stand below the last entry.
    private var liveLines = 0

    init(reader: ActivityReader, filter: ActivityFilter, isJSON: Bool) {
        self.reader = reader
        self.filter = filter
        self.isJSON = isJSON
    }

    func show(_ item: StoredItem) throws { line(isJSON ? try ItemLine(item).json() : ItemTable.line(item)) }

    func show(gap count: Int) {
        line(isJSON ? "{\"gap\":\(count)}" : "… \(count) entries were deleted before they could be shown")
    }

    /// Shows what is under way, again and again, until it is cancelled.
    func keepLive() async throws {
        while true {
            let items = try await reader.itemsUnderWay(matching: filter, limit: Self.mostLive + 1)
            let now = NetClock.system.date()
            erase()
            for item in items.prefix(Self.mostLive).reversed() where item.outcome == nil {
                let time = Duration.seconds(max(0, now.timeIntervalSince(item.startedAt)))
                let text =
                    "▸ \(time.short)  \(item.method ?? "\(item.kind)")  \(item.url ?? item.subject)  \(item.shortID)"
                print(TerminalText.cut(TerminalText.clean(text), to: Output.width))
                liveLines += 1
            }
            if items.count > Self.mostLive {
                print("▸ and more: net-activity list")
                liveLines += 1
            }
            fflush(nil)
            try await NetClock.system.sleep(for: Self.refresh)
        }
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

    private func erase() {
        guard liveLines > 0 else { return }
        print("\u{1b}[\(liveLines)A\u{1b}[J", terminator: "")
        liveLines = 0
    }
}
#endif
