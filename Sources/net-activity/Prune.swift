#if Tools
internal import ArgumentParser
internal import NetStore

struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete old entries, and give their room back.",
        discussion: """
            Pinned entries are spared, figures of hours stay. The program that writes the file may go on meanwhile. Without \
            an option, the limits are those of a store by default: 14 days, a million entries, 512 MiB.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: "The activity file.") var words: [String] = []
    @Option(help: "Delete what has ended before: 90s, 15m, 2h, 30d.") var age: Age?
    @Option(help: "Keep at most so many entries, the newest.") var entries: Int?
    @Option(help: "Keep at most so many bytes of the file in use: 100MB, 1GiB.") var bytes: Size?

    func validate() throws {
        guard entries.map({ $0 >= 0 }) ?? true else { throw ValidationError("--entries must not be negative.") }
    }

    func run() async throws {
        let (file, rest) = try store.split(words)
        guard rest.isEmpty else {
            throw ValidationError("\"\(Output.clean(rest[0]))\" is no file, and prune takes no filter.")
        }
        // Never makes a file: a name that is mistyped must not become an empty store.
        try await StoreArguments.read(file) { _ in }
        var configuration = ActivityStore.Configuration()
        if age != nil || entries != nil || bytes != nil {
            configuration.retention = .init(age: age?.duration, entries: entries, bytes: bytes?.bytes)
        }
        let writer = try ActivityStore(path: file, configuration: configuration)
        do {
            let count = try await writer.prune()
            try await writer.close()
            print("\(count) entries were deleted.")
        } catch {
            try? await writer.close()
            throw error
        }
    }
}

/// A duration on the command line.
struct Age: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()), count >= 0,
            case (let seconds, let isTooLarge) = count.multipliedReportingOverflow(by: unit), !isTooLarge
        else { return nil }
        duration = .seconds(seconds)
    }
}

/// A size on the command line.
struct Size: ExpressibleByArgument {
    let bytes: Int64

    init?(argument: String) {
        let units: [(String, Int64)] = [
            ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("KB", 1000), ("MB", 1_000_000),
            ("GB", 1_000_000_000),
            ("B", 1), ("", 1),
        ]
        guard let (unit, factor) = units.first(where: { argument.lowercased().hasSuffix($0.0.lowercased()) }),
            let count = Int64(argument.dropLast(unit.count)), count >= 0,
            case (let bytes, let isTooLarge) = count.multipliedReportingOverflow(by: factor), !isTooLarge
        else { return nil }
        self.bytes = bytes
    }
}
#endif
