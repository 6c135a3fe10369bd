#if Tools
internal import ArgumentParser
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a shell offers for a word that is being written: hosts, operations and IDs of the file, and the filter's terms.
struct Suggestions {
    /// The words of the command line.
    let words: [String]
    /// Which of them is written.
    let index: Int

    private static let terms = [
        "~d", "~u", "~m", "~c", "~h", "~hq", "~hs", "~b", "~bq", "~bs", "~t", "~e", "~q", "~s", "~marked", "~comment",
        "~websocket", "~op", "~tag", "~slower", "~faster", "~larger", "~since", "~until", "~error", "~cache",
        "~retried",
        "~reused", "~job", "~log", "~run", "~all",
    ]
    /// So many are enough to choose from.
    private static let most = 200

    /// For the words of a filter, and the file before them.
    func filter() async -> [String] {
        let before = words.indices.contains(index - 1) ? words[index - 1] : ""
        switch before {
        case "~d": return await groups(.host)
        case "~op": return await groups(.operation)
        case "~m": return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY"]
        case "~c": return ["2xx", "3xx", "4xx", "5xx"]
        case "~slower", "~faster": return ["100ms", "500ms", "1s", "5s"]
        case "~since", "~until": return ["5m", "15m", "1h", "1d"]
        case "~larger": return ["10KB", "100KB", "1MB"]
        case "~error": return ["cancelled", "connect", "connectionLost", "cutOff", "decoding", "dns", "timeout", "tls"]
        case "~cache": return ["hit", "miss", "stale", "revalidate", "bypass", "shared"]
        default: return Self.terms + files()
        }
    }

    /// For an entry's ID: the end of it, as lists show it.
    func entries() async -> [String] {
        let items = await read { reader in
            try await reader.itemsUnderWay(limit: 50) + (try await reader.items(matching: !.log, limit: Self.most))
        }
        return (items ?? []).map(\.shortID) + files()
    }

    private func groups(_ grouping: StoredStatistics.Grouping) async -> [String] {
        let found = await read { reader in try await reader.statistics(by: grouping) }
        return (found ?? []).sorted { $0.calls > $1.calls }.compactMap(\.group).prefix(Self.most).map { $0 }
    }

    /// The databases of the folder that the word names.
    private func files() -> [String] {
        let word = words.indices.contains(index) ? words[index] : ""
        let end = word.lastIndex(of: "/").map(word.index(after:)) ?? word.startIndex
        let folder = String(word[..<end])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return names.filter { name in [".sqlite", ".sqlite3", ".db"].contains(where: name.hasSuffix) }.map {
            folder + $0
        }
    }

    /// Asks the file that the command line names; a completion that can't be is none.
    private func read<Value>(_ body: (ActivityReader) async throws -> Value) async -> Value? {
        guard let file = file() else { return nil }
        return try? await StoreArguments.read(file, body)
    }

    private func file() -> String? {
        if let option = words.firstIndex(where: { $0 == "--file" || $0 == "-f" }), words.indices.contains(option + 1) {
            return words[option + 1]
        }
        // The program, the command, and then what may be a file.
        let named = words.enumerated().first { place, word in
            place > 1 && place != index && !word.hasPrefix("-") && FileManager.default.fileExists(atPath: word)
        }
        return named?.element ?? (try? ActivityStore.defaultPath(makesFolder: false))
    }
}

extension CompletionKind {
    /// The file and a filter.
    static let fileAndFilter = CompletionKind.custom { (words: [String], index: Int, _: String) async -> [String] in
        await Suggestions(words: words, index: index).filter()
    }

    /// The file and the ID of an entry.
    static let entries = CompletionKind.custom { (words: [String], index: Int, _: String) async -> [String] in
        await Suggestions(words: words, index: index).entries()
    }
}
#endif
