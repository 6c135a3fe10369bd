#if Tools
internal import ArgumentParser
internal import NetStore

struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find entries by words of their URL or message, newest first.",
        discussion: """
            All words must be there, of the last one the beginning. An index knows them, so that a million entries take no \
            longer than a thousand. For parts of words and for bodies there is `net-activity list` with a filter.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: "The activity file, if the first word names one; the rest are words.") var words: [String]
    @Option(help: "At most so many entries.") var limit = 50
    @Flag(help: "One JSON object a line.") var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
    }

    func run() async throws {
        store.page()
        let (file, rest) = try store.split(words)
        guard !rest.isEmpty else { throw ValidationError("There is no word to look for.") }
        let items = try await StoreArguments.read(file) { reader in
            try await reader.search(words: rest.joined(separator: " "), limit: limit)
        }
        try ItemTable.show(items, asJSON: json, ifEmpty: "Nothing matches.")
    }
}
#endif
