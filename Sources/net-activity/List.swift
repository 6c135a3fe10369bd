#if Tools
internal import ArgumentParser
internal import NetStore

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List entries, newest first; what is under way comes before.",
        discussion: "ID is the end of the entry's ID; `net-activity show` takes it.")

    @Argument(help: "The activity file.") var file: String
    @Option(help: "At most so many entries.") var limit = 50
    @Flag(help: "One JSON object a line.") var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
    }

    func run() async throws {
        let reader = try ActivityReader(path: file)
        let running = try await reader.itemsUnderWay(limit: limit)
        let items = running + (try await reader.items(limit: limit - running.count))
        await reader.close()
        if json {
            for item in items { print(try ItemLine(item).json()) }
        } else if items.isEmpty {
            print("Nothing is stored.")
        } else {
            for line in table(of: items).lines() { print(line) }
        }
    }

    private func table(of items: [StoredItem]) -> TextTable {
        var table = TextTable([
            .init(title: "TIME (UTC)"), .init(title: "RESULT", least: 9), .init(title: "METHOD", least: 6),
            .init(title: "TOOK", isRight: true), .init(title: "TRIES", isRight: true),
            .init(title: "OPERATION", least: 9), .init(title: "PATH", least: 9), .init(title: "ID"),
        ])
        for item in items {
            table.add([
                .init(item.startedAt.table), item.result, .init(item.method ?? "\(item.kind)"),
                .init(item.duration?.short ?? ""), .init("\(item.attempts)"), .init(item.operation ?? "-"),
                .init(item.subject), .init(item.shortID),
            ])
        }
        return table
    }
}
#endif
