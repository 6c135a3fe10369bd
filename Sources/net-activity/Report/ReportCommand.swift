#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Write entries to one HTML file, to view in a browser and to share.",
        discussion: """
            Works on a store, a HAR file (.har), a cassette, or a contract's report in JSON. A cassette is replayed \
            once, without a network. The HTML file loads nothing from elsewhere. Only its owner can read it, like the \
            store.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(name: .shortAndLong, help: "The HTML file; an existing one is replaced.") var output = "report.html"
    @Option(help: "The maximum number of entries, the newest.") var limit = 10_000

    @Option(help: "The maximum total size of the bodies, those of the newest entries.") var bodies = Size(32 << 20)

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
        guard !output.isEmpty else { throw ValidationError("--output is empty.") }
    }

    func run() async throws {
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        var builder = ReportBuilder(
            title: URL(fileURLWithPath: file).lastPathComponent, now: NetClock.system.date(),
            maximumBodies: bodies.bytes)
        builder.list.filter = rest.isEmpty ? nil : rest.joined(separator: " ")
        let kind = try InputFile(of: file)
        switch kind {
        case .store:
            builder = try await StoreArguments.read(file) { [builder] reader in
                var builder = builder
                try await ReportReading(reader: reader, filter: filter, limit: limit).read(into: &builder)
                return builder
            }
        case .har, .cassette:
            let recorded = try RecordedEntries(path: file, kind)
            RemarksText(recorded.remarks).show()
            builder.add(recorded.entries, matching: filter, limit: limit)
            if kind == .cassette { builder.replay = try await ReplayCheck(path: file).findings }
        case .contract:
            let contract = try ContractEntries(path: file)
            builder.list.findings = contract.findings
            builder.add(contract.entries, matching: filter, limit: limit)
        }
        let html = builder.html()
        try PrivateFile.replace(output, with: Bytes(html))
        let entries = "\(builder.count) \(builder.count == 1 ? "entry" : "entries")"
        print("\(TerminalText.clean(output)): \(entries), \(TerminalText.bytes(Int64(html.count)))")
    }
}
#endif
