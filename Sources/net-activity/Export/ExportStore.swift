#if Tools
internal import ArgumentParser
internal import NetStore

struct ExportStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Write entries to a new store, to share.",
        discussion: """
            Includes everything that belongs to them: attempts, headers, bodies, messages, notes, log lines, jobs. \
            The new file contains nothing of other entries, and only its owner can read it. Entries under way are \
            omitted.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(name: .shortAndLong, help: "The new file; it must not exist.", completion: .file()) var output: String
    @Option(help: "The maximum number of entries, the newest, not counting what belongs to them.") var limit: Int?
    @Flag(help: "Print what was written as a JSON object.") var json = false

    func validate() throws { try ExportLine.validate(output: output, limit: limit) }

    func run() async throws {
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        let written = try await StoreArguments.read(file) { reader in
            try await reader.writeSlice(to: output, matching: filter, limit: limit)
        }
        guard written.items > 0 else { throw Failure(description: ExportLine.nothing(rest)) }
        try ExportLine(output, written).show(asJSON: json)
    }
}
#endif
