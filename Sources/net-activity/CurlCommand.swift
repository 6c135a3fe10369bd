#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetStore

struct CurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl", abstract: "Print a call as a curl command for bash or zsh.",
        discussion: """
            Hidden values are variables named after their place, such as "$AUTHORIZATION": set them, then run the \
            command. Headers and body are included if they were captured; standard error names what is missing.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndEntry, completion: .entries) var words: [String]
    @Option(help: "The attempt. Default: the last one.") var attempt: Int?

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
            return Failure(description: "the entry \(id) isn't an HTTP request that can be repeated")
        }
        return Failure(description: "the entry \(id) has no attempt \(attempt); `net-activity show \(id)` lists them")
    }
}
#endif
