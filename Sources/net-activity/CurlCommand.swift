#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetStore

struct CurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl", abstract: "Print a call as a curl command for bash or zsh.",
        discussion: """
            Hidden values are variables named after their place, such as "$AUTHORIZATION": set them, then run the \
            command. Headers and body are included if they were captured; standard error names what is missing. \
            Without the whole body, the command does nothing until the variable BODY names a file with it.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndEntry, completion: .entries) var words: [String]
    @Option(help: "The attempt. Default: the last one.") var attempt: Int?
    @Option(help: "Take the body from this file. Default: the captured one.", completion: .file()) var body: String?

    func validate() throws {
        try EntryWords.check(words, of: "curl")
        if let body, body.isEmpty || !FileManager.default.isReadableFile(atPath: body) {
            throw ValidationError("--body: the file \"\(body)\" doesn't exist or can't be read.")
        }
    }

    func run() async throws {
        let (file, name) = try EntryWords.split(words, store)
        let (detail, _) = try await StoreArguments.read(file) { reader in
            try await reader.find(name, preferring: .call)
        }
        guard let command = CurlText(detail, attempt: attempt, body: body, isThere: Self.isThere) else {
            throw failure(detail)
        }
        print(command.text)
        for text in command.missing { FileHandle.standardError.write(Data("Note: \(text)\n".utf8)) }
    }

    private static func isThere(_ path: String, _ size: Int64?) -> Bool {
        guard let values = try? FileManager.default.attributesOfItem(atPath: path),
            let found = (values[.size] as? NSNumber)?.int64Value
        else { return false }
        return size == nil || size == found
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
