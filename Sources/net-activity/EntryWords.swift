#if Tools
internal import ArgumentParser
internal import NetStore

/// The arguments of a command about one entry: an optional file, and the entry.
enum EntryWords {
    static func check(_ words: [String], of command: String) throws {
        guard let name = words.last, !name.isEmpty, words.count <= 2 else {
            throw ValidationError(
                "\(command) takes a file and one entry: an ID, or a filter in quotes. `net-activity list` shows IDs.")
        }
    }

    static func split(_ words: [String], _ store: StoreArguments) throws -> (file: String, name: String) {
        let file = try words.count == 2 ? words[0] : store.file ?? ActivityStore.defaultPath(makesFolder: false)
        return (file, words.last ?? "")
    }
}

extension ArgumentHelp {
    /// The help of those arguments.
    static let fileAndEntry = ArgumentHelp(
        "The activity file (optional), then the entry: its ID, or the beginning or end of its ID, or a filter in "
            + "quotes, which takes the newest match.", valueName: "file-and-entry")
}
#endif
