#if Tools
internal import ArgumentParser
internal import NetStore

struct Tail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show entries as any program stores them, until interrupted.",
        discussion: """
            In a terminal, entries under way are shown below them. Entries that were deleted before they could be \
            shown are reported as a gap.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(help: "Show this many stored entries first.") var last = 10
    @Option(help: "End after this many entries.") var count: Int?
    @Flag(help: "Print one JSON object per line; a gap is {\"gap\":3}.") var json = false

    func validate() throws {
        guard last >= 0 else { throw ValidationError("--last must not be negative, not \(last).") }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be positive.") }
    }

    func run() async throws {
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        try await StoreArguments.read(file) { reader in
            let screen = TailScreen(reader: reader, filter: filter, isJSON: json)
            // On a terminal, entries under way are shown too, so that a hanging call is visible.
            if json || !Output.isTerminal { return try await show(reader, filter, on: screen) }
            let signals = TerminalSignals()
            let numbers = signals.numbers
            defer { signals.cancel() }
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await screen.keepLive() }
                    group.addTask { try await show(reader, filter, on: screen) }
                    group.addTask { for await number in numbers { await screen.received(number) } }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            } catch {
                await screen.end()
                throw error
            }
            await screen.end()
        }
    }

    private func show(_ reader: ActivityReader, _ filter: ActivityFilter, on screen: TailScreen) async throws {
        // Entries committed after this are read by the tail.
        let newest = try await reader.items(limit: 1).first?.id ?? 0
        var shown = 0
        let before = try await reader.items(matching: filter, limit: last, before: newest + 1)
        for item in before.reversed() where shown < count ?? .max {
            try await screen.show(item)
            shown += 1
        }
        guard shown < count ?? .max else { return }
        for try await element in reader.tail(matching: filter, after: newest) {
            switch element {
            case .gap(let count): await screen.show(gap: count)
            case .item(let item):
                try await screen.show(item)
                shown += 1
                if shown >= count ?? .max { return }
            }
        }
    }
}
#endif
