#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show counts and durations of calls, and counts of jobs, grouped by operation or otherwise.",
        discussion: """
            Computed from hourly totals, which outlive the calls; percentiles are within 5 %. With a filter or \
            --exact, computed from the entries themselves. FAILED counts calls and jobs that failed or were \
            rejected; JOBS appears if there are any. Entries that were cut off aren't counted.
            """)

    enum Grouping: String, ExpressibleByArgument, CaseIterable {
        case operation, host, hour, run, all
    }

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(help: "How to group the calls.") var by = Grouping.operation
    @Option(help: "Only hours since this time: 2026-01-31T12:00:00Z, or 90s, 15m, 2h, 3d before now.") var since:
        Moment?
    @Option(help: "Only hours until this time.") var until: Moment?
    @Flag(help: "Rank all stored calls.") var exact = false

    func run() async throws {
        store.page()
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        let (operations, runs) = try await StoreArguments.read(file) { reader in
            let figures = try await reader.statistics(
                by: grouping, matching: filter, since: since?.date, until: until?.date, exact: exact)
            return (figures, try await reader.runs(limit: 1_000_000))
        }
        for line in table(of: operations).lines() { print(line) }
        let (count, jobs) = operations.reduce((0, 0)) { ($0.0 + $1.calls, $0.1 + $1.jobs) }
        let dropped = runs.reduce(0) { $0 + $1.statistics.dropped.total }
        let failed = runs.reduce(0) { $0 + $1.statistics.failed }
        let known = runs.reduce(0) { $0 + $1.statistics.alreadyStored }
        print("")
        Output.paragraph(
            "\(count) calls\(Figures.jobs(jobs)); of all events \(dropped) were dropped by a full queue, "
                + "\(failed) could not be stored\(known > 0 ? ", \(known) were already stored" : "").")
        if count + jobs == 0 { throw ExitCode.nothing }
    }

    private var grouping: StoredStatistics.Grouping {
        switch by {
        case .operation: .operation
        case .host: .host
        case .hour: .hour
        case .run: .run
        case .all: .all
        }
    }

    private func table(of operations: [StoredStatistics]) -> TextTable {
        let hasJobs = operations.contains { $0.jobs > 0 }
        var columns: [TextTable.Column] = [
            .init(title: by == .all ? "CALLS OF" : by.rawValue.uppercased(), least: 9),
            .init(title: "CALLS", isRight: true),
        ]
        if hasJobs { columns.append(.init(title: "JOBS", isRight: true)) }
        columns += [
            .init(title: "FAILED", isRight: true), .init(title: "TRIES", isRight: true, rank: 3),
            .init(title: "P50", isRight: true, rank: 5), .init(title: "P95", isRight: true, rank: 6),
            .init(title: "P99", isRight: true, rank: 4), .init(title: "SENT", isRight: true, rank: 1),
            .init(title: "RECEIVED", isRight: true, rank: 2),
        ]
        var table = TextTable(columns)
        for one in operations {
            let failures = one.rejected + one.failed
            var row: [TextTable.Cell] = [
                .init(one.group ?? (by == .all ? "all" : "(none)")), .init("\(one.calls)"),
            ]
            if hasJobs { row.append(.init("\(one.jobs)")) }
            row += [
                .init("\(failures)", failures > 0 ? .red : nil),
                .init("\(one.attempts)"), .init(one.p50?.short ?? "-"), .init(one.p95?.short ?? "-"),
                .init(one.p99?.short ?? "-"), .init(TerminalText.bytes(one.requestBytes)),
                .init(TerminalText.bytes(one.responseBytes)),
            ]
            table.add(row)
        }
        return table
    }
}
#endif
