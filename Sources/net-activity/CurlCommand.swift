#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetStore

struct CurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl", abstract: "Print a call as a curl command for bash or zsh.",
        discussion: """
            What was hidden is a variable named after its place, such as "$AUTHORIZATION": set it, then run the command. \
            Headers and body are there if they were captured; what is missing is said on standard error.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndEntry, completion: .entries) var words: [String]
    @Option(help: "The attempt. Default: the last.") var attempt: Int?

    func validate() throws { try EntryWords.check(words, of: "curl") }

    func run() async throws {
        let (file, name) = try EntryWords.split(words, store)
        let (detail, _) = try await StoreArguments.read(file) { reader in
            try await reader.find(name, preferring: .call)
        }
        guard let command = CurlText(detail, attempt: attempt) else { throw failure(detail) }
        print(command.text)
        for text in command.missing { FileHandle.standardError.write(Data("Note: \(text)\n".utf8)) }
    }

    private func failure(_ detail: StoredDetail) -> Failure {
        let id = detail.item.shortID
        guard let attempt, CurlText(detail) != nil else {
            return Failure(description: "the entry \(id) is no HTTP request that could be repeated")
        }
        return Failure(description: "the entry \(id) has no attempt \(attempt); `net-activity show \(id)` lists them")
    }
}
#endif
