#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetRecord
internal import NetStore

/// `net-activity export cassette`.
struct ExportCassette: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cassette", abstract: "Write calls as a cassette, which ReplayTransport and .cassette replay.",
        discussion: """
            Every attempt that reached the network becomes an exchange, in the order of sending. Hidden values are \
            written as <redacted>, as in recordings. An existing cassette is replaced.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var chosen: ChosenArguments
    @Option(name: .shortAndLong, help: "The cassette, such as Cassettes/users.json.", completion: .file())
    var output: String

    func run() async throws {
        let exchanges = Self.inOrder(try await chosen.calls(store))
        try Cassette(exchanges).write(to: output)
        print("\(exchanges.count) exchanges: \(TerminalText.clean(output))")
    }

    /// Returns the exchanges of all calls in the order of their requests.
    static func inOrder(_ calls: [ChosenCall]) -> [CapturedExchange] {
        let exchanges = calls.flatMap { call in call.exchanges.map(\.exchange) }
        let order = exchanges.indices.sorted {
            (exchanges[$0].recordedAt, $0) < (exchanges[$1].recordedAt, $1)
        }
        return order.map { exchanges[$0] }
    }
}
#endif
