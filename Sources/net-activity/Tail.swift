#if Tools
internal import ArgumentParser
internal import NetStore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

struct Tail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show entries as they are stored, by whichever program, until it is interrupted.",
        discussion: "Entries that were deleted before they could be shown are told as a gap.")

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter) var words: [String] = []
    @Option(help: "Show so many stored entries first.") var last = 10
    @Option(help: "End after so many entries.") var count: Int?
    @Flag(help: "One JSON object a line; a gap is {\"gap\":3}.") var json = false

    func validate() throws {
        guard last >= 0 else { throw ValidationError("--last must not be negative, not \(last).") }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be positive.") }
    }

    func run() async throws {
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        try await StoreArguments.read(file) { reader in
            // What is committed between the two looks is the tail's.
            let newest = try await reader.items(limit: 1).first?.id ?? 0
            var shown = 0
            let before = try await reader.items(matching: filter, limit: last, before: newest + 1)
            for item in before.reversed() where shown < count ?? .max {
                try show(item)
                shown += 1
            }
            guard shown < count ?? .max else { return }
            for try await element in reader.tail(matching: filter, after: newest) {
                switch element {
                case .gap(let count): show(gap: count)
                case .item(let item):
                    try show(item)
                    shown += 1
                    if shown >= count ?? .max { return }
                }
            }
        }
    }

    private func show(_ item: StoredItem) throws {
        print(json ? try ItemLine(item).json() : ItemTable.line(item))
        // A pipe is read as the entries come.
        fflush(nil)
    }

    private func show(gap count: Int) {
        print(json ? "{\"gap\":\(count)}" : "… \(count) entries were deleted before they could be shown")
        fflush(nil)
    }
}
#endif
