#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what differs between two calls, two runs or two files.",
        discussion: """
            Two IDs compare two calls. --runs and --files compare calls by endpoint: what got slower or faster, what \
            broke, what is new or gone. Differences that can be due to chance aren't shown; docs/diff.md explains how \
            that is decided.

            EXIT CODES
              0   something differs
              1   nothing differs, or there is no such call
              2   the command line or its filter is wrong
              3   a file can't be read
            """)

    @OptionGroup var store: StoreArguments
    @Argument(
        help: ArgumentHelp(
            "The activity file, and then two IDs, or a filter for --runs; with --files, a filter.",
            valueName: "file-ids-filter"),
        completion: .entries)
    var words: [String] = []
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The numbers of two runs, the older one first.", valueName: "run run"))
    var runs: [Int64] = []
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Two activity files, the older one first.", valueName: "file file"), completion: .file())
    var files: [String] = []
    @Flag(help: "Compare endpoints regardless of their host, such as a test server with the real one.") var anyHost =
        false
    @Option(help: "The maximum number of entries of each, the newest.") var limit = 10_000
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
        guard runs.isEmpty || files.isEmpty else { throw ValidationError("Give --runs or --files, not both.") }
        guard [0, 2].contains(runs.count) else { throw ValidationError("--runs takes two numbers, after the filter.") }
        guard [0, 2].contains(files.count) else { throw ValidationError("--files takes two files, after the filter.") }
        guard !runs.isEmpty || !files.isEmpty || (2...3).contains(words.count) else {
            throw ValidationError("diff takes a file and two IDs, or --runs, or --files.")
        }
    }

    func run() async throws {
        store.page()
        if runs.isEmpty, files.isEmpty { return try await compareCalls() }
        let groups: (before: DiffGroup, after: DiffGroup)
        if files.isEmpty {
            let (file, rest) = try store.split(words)
            let filter = try ActivityFilter(words: rest)
            let both = runs.map { run in
                DiffGroup(
                    file: file, filter: rest.isEmpty ? .run(run) : filter & .run(run), name: "run \(run)")
            }
            groups = (both[0], both[1])
        } else {
            let filter = try ActivityFilter(words: words)
            let both = files.map { DiffGroup(file: $0, filter: filter, name: $0) }
            groups = (both[0], both[1])
        }
        try await compare(groups)
    }

    private func compareCalls() async throws {
        let (file, ids) = try store.split(words)
        guard ids.count == 2 else { throw ValidationError("diff takes a file and two IDs, or --runs, or --files.") }
        let details = try await StoreArguments.read(file) { reader in
            var details: [StoredDetail] = []
            for id in ids { details.append(try await reader.find(id, preferring: .call).0) }
            return details
        }
        for detail in details where detail.item.kind != .call {
            throw Failure(description: "the entry \(detail.item.shortID) isn't a call")
        }
        let pair = PairComparison(details[0], details[1])
        if json { print(try pair.line.json()) } else { pair.show() }
        if !pair.comparison.differs { throw ExitCode.nothing }
    }

    private func compare(_ groups: (before: DiffGroup, after: DiffGroup)) async throws {
        var comparison = GroupComparison()
        comparison.isOfAnyHost = anyHost
        for (group, isAfter) in [(groups.before, false), (groups.after, true)] {
            try await GroupReading(file: group.file, filter: group.filter, limit: limit).read { item in
                comparison.add(item, isAfter: isAfter)
            }
        }
        let differences = comparison.differences()
        if json {
            for difference in differences {
                print(try GroupLine(difference, in: difference.isOfFirst ? groups.before : groups.after).json())
            }
        } else {
            GroupText(differences: differences, comparison: comparison, groups: groups).show()
        }
        if differences.isEmpty { throw ExitCode.nothing }
    }
}
#endif
