#if Tools && Server
internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetStore
internal import NetTestServer

/// The contents of the store after a run, compared with the program's own counts.
struct Report {
    let lab: Lab

    /// Prints everything. Returns true if the counts are equal.
    func print() async throws -> Bool {
        try await lab.store.flush()
        try await printSlowest()
        try await printOperations()
        try printCommand()
        let agrees = try await printCounts()
        printCommands()
        return agrees
    }

    private func heading(_ text: String) {
        Terminal.print("")
        Terminal.print(Terminal.bold(text))
    }

    /// Prints the slowest calls, with the phases of their last attempt.
    private func printSlowest() async throws {
        heading("Slowest calls (milliseconds)")
        var table = Table(columns: [
            .left("operation", 18), .left("outcome", 10), .right("total", 9), .right("lookup", 7), .right("connect", 8),
            .right("waiting", 11), .right("download", 9), .right("attempts", 9),
        ])
        let calls = try await lab.store.items(limit: 10_000).filter { $0.kind == .call }
        for call in calls.sorted(by: { ($0.duration ?? .zero) > ($1.duration ?? .zero) }).prefix(8) {
            let phases = try await lab.store.item(id: call.id)?.attempts.last?.phases
            table.add([
                call.operation ?? call.url ?? "", call.outcome.map { "\($0)" } ?? "running",
                Text.milliseconds(call.duration), Text.milliseconds(phases?.lookup),
                Text.milliseconds(phases?.connect), Text.milliseconds(phases?.waiting),
                Text.milliseconds(phases?.download), "\(call.attempts)",
            ])
        }
        table.print()
    }

    private func printOperations() async throws {
        heading("Operations (milliseconds)")
        var table = Table(columns: [
            .left("operation", 20), .right("calls", 6), .right("ok", 5), .right("rejected", 9), .right("failed", 7),
            .right("cancelled", 10), .right("p50", 9), .right("p95", 9), .right("p99", 9),
        ])
        for row in try await lab.store.statistics(exact: true) {
            table.add([
                row.group ?? Tally.unnamed, "\(row.calls)", "\(row.completed)", "\(row.rejected)", "\(row.failed)",
                "\(row.cancelled)", Text.milliseconds(row.p50), Text.milliseconds(row.p95), Text.milliseconds(row.p99),
            ])
        }
        table.print()
    }

    /// Prints one request as a cURL command.
    private func printCommand() throws {
        heading("One call as cURL")
        let review = NewReview(stars: 5, text: "Salt on every page", recommend: true)
        let request = try lab.client.prepare(AddReviewRequest(bookID: Shelf.id(1), payload: review))
        for line in request.curl().split(separator: "\n") { Terminal.print("  \(line)") }
    }

    /// Prints commands for further inspection.
    private func printCommands() {
        heading("Look further")
        let path = Self.quoted(lab.store.path)
        let folder =
            CommandLine.arguments.first.map { $0.split(separator: "/", omittingEmptySubsequences: false) } ?? []
        let viewer = (folder.dropLast() + ["net-activity"]).joined(separator: "/")
        let here = FileManager.default.currentDirectoryPath + "/"
        let command = viewer.hasPrefix(here) ? String(viewer.dropFirst(here.count)) : viewer
        Terminal.print("  \(command) list \(path)")
        Terminal.print("  \(command) report \(path)")
        Terminal.print("  sqlite3 \(path) 'SELECT operation, count(*) FROM net_list GROUP BY 1'")
    }

    /// Compares the counted with the stored numbers: calls by operation and outcome, WebSockets, attempts.
    private func printCounts() async throws -> Bool {
        heading("The store compared with the program")
        var stored: [String: StoredStatistics] = [:]
        for row in try await lab.store.statistics() { stored[row.group ?? Tally.unnamed] = row }
        let attempts = stored.values.reduce(0) { $0 + $1.attempts }
        let (arrived, elsewhere) = (lab.peer.arrived, lab.tally.attemptsElsewhere)
        let (calls, sockets) = (lab.tally.total, lab.tally.sockets)
        let total = try await lab.store.count()
        let statistics = lab.store.statistics

        var differences = differences(of: stored)
        for running in try await lab.store.itemsUnderWay() {
            differences.append("\(running.operation ?? Tally.unnamed) has no end")
        }
        if attempts != arrived + elsewhere {
            differences.append("\(attempts) attempts stored, \(arrived) requests arrived, \(elsewhere) went elsewhere")
        }
        if total != calls + sockets {
            differences.append("\(calls) calls and \(sockets) WebSockets counted, \(total) entries stored")
        }
        if statistics.dropped.total + statistics.failed > 0 {
            differences.append(
                "\(statistics.dropped.total) events were dropped, \(statistics.failed) could not be written")
        }
        for difference in differences { Terminal.print("  \(Terminal.red("differs")) \(Text.cut(difference, to: 88))") }
        let verdict = differences.isEmpty ? Terminal.green("same") : Terminal.red("DIFFERENT")
        Terminal.print(
            "  \(verdict): \(calls) calls and \(sockets) WebSockets counted, \(total) entries stored, in "
                + "\(statistics.written) events")
        Terminal.print(
            "  \(verdict): \(attempts) attempts stored, \(arrived) requests arrived, \(elsewhere) went elsewhere")
        return differences.isEmpty
    }

    /// Returns the operations whose stored counts differ from those of the program.
    private func differences(of stored: [String: StoredStatistics]) -> [String] {
        var differences: [String] = []
        let counted = lab.tally.all
        for name in Set(counted.keys).union(stored.keys).sorted() {
            let want = counted[name] ?? [:]
            let pairs: [(StoredItem.Outcome, Int)] = [
                (.completed, stored[name]?.completed ?? 0), (.rejected, stored[name]?.rejected ?? 0),
                (.failed, stored[name]?.failed ?? 0), (.cancelled, stored[name]?.cancelled ?? 0),
            ]
            for (outcome, have) in pairs where have != want[outcome] ?? 0 {
                differences.append("\(name): \(want[outcome] ?? 0) \(outcome) counted, \(have) stored")
            }
        }
        return differences
    }

    private static func quoted(_ path: String) -> String {
        path.contains(where: { " '\"\\$".contains($0) }) ? "'" + path.replacing("'", with: "'\\''") + "'" : path
    }
}
#endif
