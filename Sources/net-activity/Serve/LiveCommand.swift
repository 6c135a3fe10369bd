#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

struct LiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Show a store live in a browser, until interrupted.",
        discussion: """
            The report page, updated as entries are stored, with entries under way. It is served on 127.0.0.1 to \
            anyone who has the printed link, read-only. Requires the package trait Server.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(help: "The port; 0 picks a free one.") var port = 0
    @Option(help: "The maximum number of stored entries to start with, the newest.") var limit = 10_000

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535, not \(port).") }
    }

    func run() async throws {
        #if Server
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        var random = SystemRandomNumberGenerator()
        let token = LiveGate.makeToken(&random)
        try await StoreArguments.read(file) { reader in
            let feed = LiveFeed(
                reader: reader, filter: filter, words: rest.isEmpty ? nil : rest.joined(separator: " "),
                title: URL(fileURLWithPath: file).lastPathComponent, limit: limit)
            let server = try await LiveServer(feed: feed, port: port, token: token)
            print(server.gate.link)
            print("It shows \(TerminalText.clean(file)) live until Ctrl-C. Anyone who has the link can read it.")
            // Flushes, so that a pipe receives the line immediately.
            fflush(nil)
            try await server.run()
        }
        #else
        throw Failure(
            code: .usage,
            description: "serve needs the package trait Server: swift run --traits Tools,Server net-activity serve")
        #endif
    }
}
#endif
