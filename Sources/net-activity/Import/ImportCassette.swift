#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetCore
internal import NetRecord

/// `net-activity import cassette`.
struct ImportCassette: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cassette",
        abstract: "Convert cassettes of vcrpy, Betamax or Ruby VCR, which ReplayTransport and .cassette replay.",
        discussion: """
            Reads YAML and JSON. The exchanges of all files become one cassette, in their order. Bodies are decoded and \
            secrets are hidden, as in recordings. An existing cassette is replaced.
            """)

    @Argument(help: "The cassettes.", completion: .file(extensions: ["yaml", "yml", "json"])) var files: [String]
    @Option(name: .shortAndLong, help: "The cassette to write, such as Cassettes/users.json.", completion: .file())
    var output: String

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("--output is empty.") }
    }

    func run() async throws {
        var exchanges: [CapturedExchange] = []
        var damaged: [String] = []
        for file in files {
            let cassette = try ForeignCassette(path: file)
            exchanges += cassette.exchanges
            damaged += cassette.damaged.map { "\(file), \($0)" }
        }
        guard !exchanges.isEmpty else { throw Failure(description: "there is no exchange in the files") }
        try Cassette(exchanges).write(to: output)
        if !damaged.isEmpty {
            let places = damaged.prefix(10).map { "  \(TerminalText.clean($0))\n" }.joined()
            let text = """
                \(Figures.counted(damaged.count, "response")) lost bytes when it was recorded, and can't be replayed (record with \
                preserve_exact_body_bytes):
                \(places)
                """
            FileHandle.standardError.write(Data(text.utf8))
        }
        print("\(Figures.counted(exchanges.count, "exchange")): \(TerminalText.clean(output))")
    }
}
#endif
