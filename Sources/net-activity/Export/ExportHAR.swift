#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetCore
internal import NetStore

struct ExportHAR: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har", abstract: "Write calls and WebSockets as HAR 1.2, for a browser or a proxy.",
        discussion: """
            Each attempt becomes an entry. Jobs, log lines and entries under way are omitted. Headers and bodies are \
            included if the program captured them. An existing file is replaced; only its owner can read it.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(name: .shortAndLong, help: "The HAR file, gzipped if its name ends in .gz; - for standard output.")
    var output = "activity.har"
    @Option(help: "The maximum number of calls and WebSockets, the newest.") var limit: Int?
    @Flag(help: "Print what was written as a JSON object.") var json = false

    func validate() throws { try ExportLine.validate(output: output, limit: limit) }

    func run() async throws {
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        let written = try await StoreArguments.read(file) { reader in
            guard output == "-" else { return try await reader.writeHAR(to: output, matching: filter, limit: limit) }
            return try await reader.exportHAR(matching: filter, limit: limit, isCompressed: false) {
                (piece) throws(StoreError) in
                do {
                    try FileHandle.standardOutput.write(contentsOf: piece.data)
                } catch {
                    throw StoreError(.inputOutput, message: "could not be written: \(error)", path: "standard output")
                }
            }
        }
        guard written.items > 0 else { throw Failure(description: ExportLine.nothing(rest)) }
        if output != "-" { try ExportLine(output, written).show(asJSON: json) }
    }
}

/// The result of an export, as a JSON line.
struct ExportLine: Encodable {
    let file: String
    let items, entries: Int
    let bytes: Int64

    init(_ file: String, _ written: ActivityExport) {
        self.file = file
        (items, entries, bytes) = (written.items, written.entries, written.bytes)
    }

    func show(asJSON: Bool) throws {
        if asJSON { return print(try json()) }
        let count = "\(entries) \(entries == 1 ? "entry" : "entries")"
        print("\(TerminalText.clean(file)): \(count), \(TerminalText.bytes(bytes))")
    }

    static func nothing(_ filter: [String]) -> String { filter.isEmpty ? "nothing is stored" : "nothing matches" }

    static func validate(output: String, limit: Int?) throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be positive, not \(limit ?? 0).") }
        guard !output.isEmpty else { throw ValidationError("--output is empty.") }
    }
}
#endif
