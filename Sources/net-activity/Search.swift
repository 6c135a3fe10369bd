#if Tools
internal import ArgumentParser
internal import NetStore

struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find entries by words of their URL or message, newest first.",
        discussion: """
            All words must be present; of the last one, its beginning is enough. An index makes a million entries as \
            fast as a thousand. To search parts of words or bodies, use `net-activity list` with a filter.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: "The activity file, if the first word names one; the rest are words.") var words: [String]
    @Option(help: "The maximum number of entries.") var limit = 50
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
    }

    func run() async throws {
        store.page()
        let (file, rest) = try store.split(words)
        guard !rest.isEmpty else { throw ValidationError("There are no words to search for.") }
        let items = try await StoreArguments.read(file) { reader in
            try await reader.search(words: rest.joined(separator: " "), limit: limit)
        }
        try ItemTable.show(items, asJSON: json, ifEmpty: "Nothing matches.")
    }
}
#endif
