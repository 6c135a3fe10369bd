#if Tools
internal import ArgumentParser
internal import NetStore

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List entries under way, then stored entries, newest first.",
        discussion: "ID is the end of the entry's ID; `net-activity show` accepts it.")

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(help: "The maximum number of entries.") var limit = 50
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
    }

    func run() async throws {
        store.page()
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        let items = try await StoreArguments.read(file) { reader in
            let running = try await reader.itemsUnderWay(matching: filter, limit: limit)
            let finished = try await reader.items(matching: filter, limit: limit - running.count)
            return running + finished.filter { !running.isAgainUnderWay($0) }
        }
        try ItemTable.show(items, asJSON: json, ifEmpty: rest.isEmpty ? "Nothing is stored." : "Nothing matches.")
    }
}
#endif
