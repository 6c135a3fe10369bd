#if Tools
internal import ArgumentParser
internal import NetStore

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List calls, newest first.",
        discussion: "ID is the end of the call's id; `net-activity show` takes it.")

    @Argument(help: "The activity file.") var file: String
    @Option(help: "At most so many calls.") var limit = 50
    @Option(help: "Only calls of this operation.") var operation: String?
    @Option(help: "Only this status: 404, 5xx or 400-499.") var status: StatusRange?
    @Option(help: "Only calls that ended so.") var outcome: Ending?
    @Option(help: "Only calls since then: 2026-01-31T12:00:00Z, or 90s, 15m, 2h, 3d before now.") var since: Moment?
    @Flag(help: "One JSON object a line.") var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
    }

    func run() async throws {
        let reader = try ActivityReader(path: file)
        let filter = CallFilter(
            operation: operation, status: status?.range, outcome: outcome?.outcome, since: since?.date)
        let calls = try await reader.calls(matching: filter, limit: limit)
        await reader.close()
        if json {
            for call in calls { print(try CallLine(call).json()) }
        } else if calls.isEmpty {
            print("No calls match.")
        } else {
            for line in table(of: calls).lines() { print(line) }
        }
    }

    private func table(of calls: [CallRecord]) -> TextTable {
        var table = TextTable([
            .init(title: "TIME (UTC)"), .init(title: "RESULT", least: 9), .init(title: "METHOD", least: 6),
            .init(title: "TOOK", isRight: true), .init(title: "TRIES", isRight: true),
            .init(title: "OPERATION", least: 9), .init(title: "PATH", least: 9), .init(title: "ID"),
        ])
        for call in calls {
            table.add([
                .init(call.startedAt.table), call.result, .init(call.method), .init(call.duration?.short ?? ""),
                .init("\(call.attempts)"), .init(call.operation ?? "-"), .init(call.path), .init(call.shortID),
            ])
        }
        return table
    }
}
#endif
