#if Tools
internal import ArgumentParser
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The arguments that name the file and, after it, further words.
struct StoreArguments: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "The activity file. Default: \(Self.place).",
        completion: .file())
    var file: String?
    @Flag(help: "Don't use a pager, even in a terminal.") var noPager = false

    static let place = "$XDG_STATE_HOME/swift-net/activity.sqlite or ~/.local/state/swift-net/activity.sqlite"

    /// Separates the file from the words of a command: the first word is a file if it exists or has a database's
    /// extension.
    func split(_ words: [String]) throws -> (file: String, rest: [String]) {
        if let file { return (file, words) }
        if let first = words.first, Self.isFile(first) { return (first, Array(words.dropFirst())) }
        return (try ActivityStore.defaultPath(makesFolder: false), words)
    }

    /// Redirects further output to the pager, on a terminal.
    func page() {
        if !noPager { Pager.start() }
    }

    private static func isFile(_ word: String) -> Bool {
        if [".sqlite", ".sqlite3", ".db"].contains(where: word.hasSuffix) { return true }
        return FileManager.default.fileExists(atPath: word)
    }
}

extension ArgumentHelp {
    /// The help of the words of a command that takes a file and a filter.
    static let fileAndFilter = ArgumentHelp(
        "The activity file, if the first word names one; the rest is a filter: ~d HOST ~u URL ~c 5xx ~e ~slower 2s …",
        discussion:
            "docs/filter.md has all terms. Quote characters that are special to the shell: '~c 5xx | ~slower 2s'.",
        valueName: "file-and-filter")
}

extension ActivityFilter {
    /// Parses a filter from the words of a command line.
    init(words: [String]) throws(ActivityFilterError) { try self.init(words.joined(separator: " ")) }
}

extension StoreArguments {
    /// Opens the file, runs the body and closes the file. The entries of a HAR file or a cassette are read into a
    /// temporary store.
    static func read<Value>(
        _ file: String, _ body: (ActivityReader) async throws -> Value
    ) async throws -> Value {
        let recorded = try await RecordedStore(of: file)
        defer { recorded?.remove() }
        let reader = try ActivityReader(path: recorded?.path ?? file)
        do {
            let value = try await body(reader)
            await reader.close()
            return value
        } catch {
            await reader.close()
            throw error
        }
    }
}
#endif
