#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore
internal import NetTesting

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `net-activity export contract`.
struct ExportContract: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "Write calls as a contract for ContractTransport and test servers.",
        discussion: """
            Every attempt that reached the network becomes an expectation, except WebSocket handshakes. Hidden \
            values may be anything.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var chosen: ChosenArguments
    @Option(name: .shortAndLong, help: "The contract, such as Contracts/users.json.", completion: .file())
    var output: String
    @Option(help: "The name of the contract. Default: the file's, without its ending.") var name: String?

    func run() async throws {
        let exchanges = ExportCassette.inOrder(try await chosen.calls(store))
        let name = self.name ?? URL(fileURLWithPath: output).deletingPathExtension().lastPathComponent
        let contract = try Contract(name, exchanges: exchanges, prefix: name, redaction: .safeDefault)
        try contract.write(to: output)
        print("\(contract.expectations.count) expectations: \(TerminalText.clean(output))")
    }
}
#endif
