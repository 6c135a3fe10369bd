#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetCore
internal import NetStore

/// The arguments that choose the calls to export.
struct ChosenArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The activity file, if the first word names one; then IDs, or a filter: ~d HOST ~op NAME ~slower 2s …",
            discussion:
                "docs/filter.md has all terms. Quote characters that are special to the shell: '~c 5xx | ~slower 2s'.",
            valueName: "file-and-calls"),
        completion: .fileAndFilter)
    var words: [String] = []
    @Option(help: "The maximum number of calls; more are an error.") var limit = ChosenCalls.defaultLimit

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive.") }
    }

    /// Reads the calls, oldest first.
    func calls(_ store: StoreArguments) async throws -> [ChosenCall] {
        let (file, rest) = try store.split(words)
        let chosen = try await StoreArguments.read(file) { reader in
            try await ChosenCalls(rest, in: reader, limit: limit)
        }
        for text in chosen.skipped {
            FileHandle.standardError.write(Data("Note: skipped: \(TerminalText.clean(text))\n".utf8))
        }
        return chosen.calls
    }
}
#endif
