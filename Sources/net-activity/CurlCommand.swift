#if Tools
internal import ArgumentParser
internal import NetStore

struct CurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl", abstract: "Print a call as a curl command for bash or zsh.",
        discussion: """
            What was hidden is a variable named after its place, such as "$AUTHORIZATION": set it, then run the command. \
            Headers and body are there if they were captured.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(
        help: "The activity file, if two words are given; the call's ID, of which the beginning or the end is enough.",
        completion: .entries)
    var words: [String]
    @Option(help: "The attempt. Default: the last.") var attempt: Int?

    func validate() throws {
        guard let id = words.last, !id.isEmpty, words.count <= 2 else {
            throw ValidationError("curl takes a file and one ID. `net-activity list` shows IDs.")
        }
    }

    func run() async throws {
        let file = try words.count == 2 ? words[0] : store.file ?? ActivityStore.defaultPath(makesFolder: false)
        let id = words.last ?? ""
        let (detail, _) = try await StoreArguments.read(file) { reader in try await reader.find(id) }
        guard let command = CurlText(detail, attempt: attempt) else {
            throw Failure(description: "the entry \(detail.item.shortID) has no request to repeat")
        }
        print(command.text)
    }
}
#endif
