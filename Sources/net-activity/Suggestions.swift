#if Tools
internal import ArgumentParser
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Completions for the word being typed: hosts, operations and IDs of the file, and filter terms.
///
/// Names in the file that a shell could interpret as more than a word are omitted.
struct Suggestions {
    /// The words of the command line without quotes.
    let words: [String]
    /// The index of the word being completed.
    let index: Int
    /// The requesting shell; nil if it isn't known.
    let shell: CompletionShell?

    init(words: [String], index: Int, shell: CompletionShell?) {
        self.words = words.map { CommandLineWord($0).text }
        self.index = index
        self.shell = shell
    }

    private static let terms = [
        "~d", "~u", "~m", "~c", "~h", "~hq", "~hs", "~b", "~bq", "~bs", "~t", "~e", "~q", "~s", "~marked", "~comment",
        "~websocket", "~op", "~tag", "~slower", "~faster", "~larger", "~since", "~until", "~error", "~cache",
        "~retried",
        "~reused", "~job", "~log", "~run", "~all",
    ]
    /// The maximum number of completions.
    private static let most = 200

    /// Returns completions for the words of a filter, and for the file before them. A quoted filter is one word of
    /// several terms, of which the last is completed.
    func filter() async -> [String] {
        guard words.indices.contains(index), let space = words[index].lastIndex(of: " ") else {
            let before = words.indices.contains(index - 1) ? words[index - 1] : ""
            return offered(await values(after: before[...]) ?? Self.terms + files())
        }
        let beginning = words[index][...space]
        guard CommandLineWord.isHarmless(beginning) else { return [] }
        return offered((await values(after: beginning) ?? Self.terms).map { beginning + $0 })
    }

    /// Returns the possible values after the last term of the text; nil if it has no fixed choice of values.
    private func values(after text: Substring) async -> [String]? {
        switch text.split(whereSeparator: { " |&!()".contains($0) }).last {
        case "~d": return await groups(.host)
        case "~op": return await groups(.operation)
        case "~m": return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY"]
        case "~c": return ["2xx", "3xx", "4xx", "5xx"]
        case "~slower", "~faster": return ["100ms", "500ms", "1s", "5s"]
        case "~since", "~until": return ["5m", "15m", "1h", "1d"]
        case "~larger": return ["10KB", "100KB", "1MB"]
        case "~error": return ["cancelled", "connect", "connectionLost", "cutOff", "decoding", "dns", "timeout", "tls"]
        case "~cache": return ["hit", "miss", "stale", "revalidate", "bypass", "shared"]
        default: return nil
        }
    }

    /// Returns completions for an entry's ID: the end of the ID, as shown in lists.
    func entries() async -> [String] {
        let items = await read { reader in
            try await reader.itemsUnderWay(limit: 50) + (try await reader.items(matching: !.log, limit: Self.most))
        }
        return offered((items ?? []).map(\.shortID) + files())
    }

    private func groups(_ grouping: StoredStatistics.Grouping) async -> [String] {
        let found = await read { reader in try await reader.statistics(by: grouping) }
        return (found ?? []).sorted { $0.calls > $1.calls }.compactMap(\.group).filter(CommandLineWord.isPlain)
            .prefix(Self.most).map { $0 }
    }

    /// Returns the completions in the shell's format: in zsh, a colon would begin a description.
    private func offered(_ candidates: [String]) -> [String] {
        shell == .zsh ? candidates.map { $0.replacing(":", with: "\\:") } : candidates
    }

    /// Returns the databases in the folder that the word names.
    private func files() -> [String] {
        let word = words.indices.contains(index) ? words[index] : ""
        let end = word.lastIndex(of: "/").map(word.index(after:)) ?? word.startIndex
        let folder = String(word[..<end])
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : Self.path(folder))) ?? []
        return names.filter { name in [".sqlite", ".sqlite3", ".db"].contains(where: name.hasSuffix) }.map {
            folder + $0
        }.filter(CommandLineWord.isPlain)
    }

    /// Returns the path with the home folder in place of a tilde, which only the shell would expand.
    private static func path(_ word: String) -> String {
        guard word.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else { return word }
        return home + word.dropFirst()
    }

    /// Reads the file that the command line names; nil if it can't be read.
    private func read<Value>(_ body: (ActivityReader) async throws -> Value) async -> Value? {
        guard let file = file() else { return nil }
        return try? await StoreArguments.read(file, body)
    }

    private func file() -> String? {
        if let option = words.firstIndex(where: { $0 == "--file" || $0 == "-f" }), words.indices.contains(option + 1) {
            return Self.path(words[option + 1])
        }
        // Skips the program and the command.
        let named = words.enumerated().first { place, word in
            place > 1 && place != index && !word.hasPrefix("-")
                && FileManager.default.fileExists(atPath: Self.path(word))
        }
        return named.map { Self.path($0.element) } ?? (try? ActivityStore.defaultPath(makesFolder: false))
    }
}

extension CompletionKind {
    /// Completes a file and a filter.
    static let fileAndFilter = CompletionKind.custom { (words: [String], index: Int, _: String) async -> [String] in
        await Suggestions(words: words, index: index, shell: .requesting).filter()
    }

    /// Completes a file and the ID of an entry.
    static let entries = CompletionKind.custom { (words: [String], index: Int, _: String) async -> [String] in
        await Suggestions(words: words, index: index, shell: .requesting).entries()
    }
}
#endif
