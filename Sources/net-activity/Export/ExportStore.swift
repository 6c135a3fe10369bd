#if Tools
internal import ArgumentParser
internal import NetStore

struct ExportStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Write entries into a store of their own, to pass on.",
        discussion: """
            With everything that belongs to them: attempts, headers, bodies, messages, notes, log lines, jobs. The new file \
            holds nothing of any other entry, and is readable by its owner only. What is under way is left out.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(name: .shortAndLong, help: "The new file; it must not exist.", completion: .file()) var output: String
    @Option(help: "At most so many entries, the newest; not counting what belongs to them.") var limit: Int?
    @Flag(help: "Say what was written as a JSON object.") var json = false

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
