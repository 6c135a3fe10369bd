#if Tools
internal import ArgumentParser
internal import NetStore

struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show counts and durations of each operation.",
        discussion: "A percentile is a duration that occurred: the smallest that so many calls did not exceed.")

    @Argument(help: "The activity file.") var file: String
    @Option(help: "Only calls since then: 2026-01-31T12:00:00Z, or 90s, 15m, 2h, 3d before now.") var since: Moment?

    func run() async throws {
        let reader = try ActivityReader(path: file)
        let filter = CallFilter(since: since?.date)
        let operations = try await reader.operationStatistics(matching: filter)
        let count = try await reader.count(matching: filter)
        let sessions = try await reader.sessions(limit: 1_000_000)
        await reader.close()
        for line in table(of: operations).lines() { print(line) }
        let dropped = sessions.reduce(0) { $0 + $1.dropped }
        let failed = sessions.reduce(0) { $0 + $1.failed }
        print("")
        print("\(count) calls; of all events \(dropped) were dropped by a full queue, \(failed) could not be stored.")
    }

    private func table(of operations: [OperationStatistics]) -> TextTable {
        var table = TextTable([
            .init(title: "OPERATION", least: 9), .init(title: "CALLS", isRight: true),
            .init(title: "FAILED", isRight: true), .init(title: "TRIES", isRight: true),
            .init(title: "P50", isRight: true), .init(title: "P95", isRight: true), .init(title: "P99", isRight: true),
            .init(title: "SENT", isRight: true), .init(title: "RECEIVED", isRight: true),
        ])
        for one in operations {
            table.add([
                .init(one.operation ?? "(none)"), .init("\(one.count)"),
                .init("\(one.failures)", one.failures > 0 ? .red : nil), .init("\(one.attempts)"),
                .init(one.p50?.short ?? "-"), .init(one.p95?.short ?? "-"), .init(one.p99?.short ?? "-"),
                .init(bytes(one.requestBytes)), .init(bytes(one.responseBytes)),
            ])
        }
        return table
    }
}
#endif
