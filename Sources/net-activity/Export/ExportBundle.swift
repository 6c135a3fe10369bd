#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetCore
internal import NetStore

/// `net-activity export bundle`.
struct ExportBundle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Write one call as a page of Markdown: request, trace, response, recording, contract.",
        discussion: "For a ticket or a pull request. Values hidden in the store stay hidden.")

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndEntry, completion: .entries) var words: [String]
    @Option(name: .shortAndLong, help: "The file. Default: standard output.", completion: .file()) var output: String?
    @Option(help: "Check the call against this contract, and add the report.", completion: .file())
    var contract: String?
    @Flag(help: "Also save the page in the store, as an artifact of the call.") var save = false

    func validate() throws { try EntryWords.check(words, of: "export bundle") }

    func run() async throws {
        let (file, name) = try EntryWords.split(words, store)
        let bundle = try await StoreArguments.read(file) { reader in
            let (detail, _) = try await reader.find(name, preferring: .call)
            guard detail.item.kind == .call, var bundle = try await reader.proofBundle(of: detail.item.uid) else {
                throw Failure(code: .usage, description: "\(detail.item.shortID) isn't a call")
            }
            bundle.messages = bundle.socket == nil ? [] : try await reader.allMessages(of: detail.item.uid)
            return bundle
        }
        var whole = bundle
        if let contract { whole.contractReport = try await ContractProof(bundle, contract: contract).text }
        try write(whole)
        guard save else { return }
        let writer = try ActivityStore(path: file)
        do {
            let artifact = try await writer.save(whole)
            try await writer.close()
            FileHandle.standardError.write(Data("Saved as artifact \(artifact.id).\n".utf8))
        } catch {
            try? await writer.close()
            throw error
        }
    }

    private func write(_ bundle: ProofBundle) throws {
        guard let output else { return print(bundle.markdown, terminator: "") }
        try Data(bundle.markdown.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        print(TerminalText.clean(output))
    }
}
#endif
