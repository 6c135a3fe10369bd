#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show one entry with its attempts, its captured data and related entries.")

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndEntry, completion: .entries) var words: [String]
    @Flag(help: "Show texts, headers, bodies and messages in full instead of 20 lines of each.") var all = false

    func validate() throws { try EntryWords.check(words, of: "show") }

    func run() async throws {
        store.page()
        let (file, name) = try EntryWords.split(words, store)
        let (detail, messages) = try await StoreArguments.read(file) { reader in try await reader.find(name) }
        facts(of: detail)
        attempts(of: detail)
        Captured(maximumLines: maximumLines).show(detail.exchanges, messages)
        owned(by: detail)
    }

    /// The maximum number of lines shown of each text; nil for no limit.
    private var maximumLines: Int? { all ? nil : 20 }

    private func facts(of detail: StoredDetail) {
        let item = detail.item
        fact("id", item.uid.description)
        if let url = item.url { fact("request", [item.method, url].compactMap { $0 }.joined(separator: " ")) }
        if let message = item.message { fact("message", message) }
        if let operation = item.operation { fact("operation", operation) }
        if let name = item.name { fact("name", name) }
        if !item.tags.isEmpty { fact("tags", item.tags.joined(separator: ", ")) }
        fact("started", item.startedAt.table + " UTC")
        let result = item.result
        fact("result", item.ending == result.text ? result.text : "\(item.ending), \(result.text)", result.colour)
        if let duration = item.duration { fact("took", duration.short) }
        if let spent = TimeSpent(detail).text { fact("spent", spent) }
        if let cache = item.cache { fact("cache", "\(cache) (\(item.cacheReason ?? "unknown"))") }
        if let failure = item.failure { fact("error", failure.text) }
        if item.kind != .log {
            fact("sent", item.requestBytes.map(TerminalText.bytes) ?? "unknown")
            fact("received", item.responseBytes.map(TerminalText.bytes) ?? "unknown")
        }
        if let detail = item.detail { fact("detail", detail) }
        if let comment = item.comment { fact("comment", comment) }
    }

    private func fact(_ name: String, _ value: String, _ colour: Output.Colour? = nil) {
        let label = (name + ":").padded(to: 11)
        let excerpt = Excerpt(value, width: Output.width - 11, maximumLines: maximumLines)
        for (index, line) in excerpt.lines.enumerated() {
            print((index == 0 ? label : "".padded(to: 11)) + Output.colour(line, colour))
        }
        if let rest = excerpt.rest { print("".padded(to: 11) + rest) }
    }

    /// The attempts of a job: its calls, by the processes that made them.
    private func jobAttempts(of detail: StoredDetail) {
        guard !detail.attempts.isEmpty else { return }
        var table = TextTable([
            .init(title: "TRY", isRight: true), .init(title: "RUN", isRight: true),
            .init(title: ItemTable.isNarrow(Output.width) ? "UTC" : "STARTED (UTC)"),
            .init(title: "TOOK", isRight: true), .init(title: "RESULT", least: 9),
        ])
        for attempt in detail.attempts {
            var item = detail.item
            item.startedAt = item.startedAt.addingTimeInterval((attempt.start ?? .zero).inSeconds)
            let isLast = attempt.number == detail.attempts.last?.number
            let ended = isLast ? detail.item.ending : "ended"
            let result = attempt.failure?.code ?? (attempt.duration == nil ? "no end" : ended)
            table.add([
                .init("\(attempt.number)"), .init(attempt.run.map(String.init) ?? "-"), .init(ItemTable.time(item)),
                .init(attempt.duration?.short ?? "-"), .init(result),
            ])
        }
        print("")
        for line in table.lines() { print(line) }
    }

    private func attempts(of detail: StoredDetail) {
        if detail.item.kind == .job { return jobAttempts(of: detail) }
        guard !detail.attempts.isEmpty else { return }
        var table = TextTable([
            .init(title: "TRY", isRight: true), .init(title: "RESULT", least: 9),
            .init(title: "LOOKUP", isRight: true, rank: 3), .init(title: "CONNECT", isRight: true, rank: 4),
            .init(title: "TLS", isRight: true, rank: 5), .init(title: "SENDING", isRight: true, rank: 6),
            .init(title: "WAITING", isRight: true, rank: 8), .init(title: "DOWNLOAD", isRight: true, rank: 7),
            .init(title: "TOTAL", isRight: true),
            .init(title: "HTTP", rank: 1), .init(title: "CONNECTION", least: 4, rank: 2),
        ])
        for attempt in detail.attempts {
            let phases = attempt.phases
            let times = [
                phases.lookup, phases.connect, phases.secure, phases.sending, phases.waiting, phases.download,
                attempt.duration,
            ]
            let result = attempt.failure?.code ?? attempt.status.map(String.init) ?? "no response"
            let connection = [attempt.isReused.map { $0 ? "used" : "new" }, attempt.remoteAddress]
            table.add(
                [.init("\(attempt.number)"), .init(result)] + times.map { .init($0?.short ?? "-") } + [
                    .init(attempt.version ?? "-"), .init(connection.compactMap { $0 }.joined(separator: " ")),
                ])
        }
        print("")
        for line in table.lines() { print(line) }
    }

    private func owned(by detail: StoredDetail) {
        guard !detail.owned.isEmpty else { return }
        var table = TextTable([
            .init(title: ItemTable.isNarrow(Output.width) ? "UTC" : "TIME (UTC)"), .init(title: "RESULT", least: 9),
            .init(title: "WHAT", least: 9),
        ])
        for item in detail.owned { table.add([.init(ItemTable.time(item)), item.result, .init(item.subject)]) }
        print("")
        for line in table.lines() { print(line) }
    }
}

extension String {
    /// Returns the text padded with spaces to the given number of columns.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - TerminalText.columns(self)))
    }
}
#endif
