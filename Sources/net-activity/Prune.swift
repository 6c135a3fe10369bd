#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete old entries, and free their space.",
        discussion: """
            Pinned entries and hourly totals are kept. The program that writes the file may keep running. Without \
            options, the default limits of a store apply: 14 days, a million entries, 512 MiB.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: "The activity file.", completion: .file()) var words: [String] = []
    @Option(help: "Delete entries that ended longer ago than this: 90s, 15m, 2h, 30d.") var age: Age?
    @Option(help: "Keep at most this many entries, the newest.") var entries: Int?
    @Option(help: "Keep at most this many bytes of the file in use: 100MB, 1GiB.") var bytes: Size?

    func validate() throws {
        guard entries.map({ $0 >= 0 }) ?? true else { throw ValidationError("--entries must not be negative.") }
    }

    func run() async throws {
        let (file, rest) = try store.split(words)
        guard rest.isEmpty else {
            throw ValidationError("\"\(TerminalText.clean(rest[0]))\" isn't a file, and prune doesn't accept a filter.")
        }
        // Opened first, because reading never creates a file: a mistyped name must not create an empty store.
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

/// A duration on the command line, as in a filter.
struct Age: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        guard let microseconds = FilterValueReader.duration(argument) else { return nil }
        duration = .microseconds(microseconds)
    }
}

/// A size on the command line, as in a filter.
struct Size: ExpressibleByArgument, CustomStringConvertible {
    let bytes: Int64

    init(_ bytes: Int64) { self.bytes = bytes }

    var description: String { TerminalText.bytes(bytes) }

    init?(argument: String) {
        guard let bytes = FilterValueReader.size(argument) else { return nil }
        self.bytes = bytes
    }
}
#endif
