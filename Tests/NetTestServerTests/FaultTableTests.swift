#if Server
import Foundation
import NetTesting
import Testing

@testable import NetTestServer

/// Every fault over real connections, compared with the page that documents its effect.
///
/// `NET_REWRITE_FAULTS=1` rewrites the page's table.
@Suite(.timeLimit(.minutes(1)))
struct FaultTableTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/faults.md").standardized
    private static let (begin, end) = ("<!-- faults:begin -->\n", "<!-- faults:end -->\n")

    @Test func thePageTellsWhatHappens() async throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let (head, rest) = try #require(Self.split(page, at: Self.begin))
        let (old, tail) = try #require(Self.split(rest, at: Self.end))
        let table = try await Self.table()
        if ProcessInfo.processInfo.environment["NET_REWRITE_FAULTS"] == "1" {
            try Data((head + Self.begin + table + Self.end + tail).utf8).write(to: Self.page)
            return
        }
        let (oldLines, lines) = (old.split(separator: "\n"), table.split(separator: "\n"))
        #expect(oldLines.count == lines.count)
        for (was, now) in zip(oldLines, lines) { #expect(was == now) }
    }

    /// Returns the rows in their order; a dozen cells run concurrently, because they mostly wait for timeouts.
    private static func table() async throws -> String {
        let cells = FaultRow.all.indices.flatMap { row in FaultLevel.allCases.map { (row, $0) } }
        let outcomes = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var outcomes: [Int: String] = [:]
            for (index, (row, level)) in cells.enumerated() {
                if index >= 12, let (done, text) = try await group.next() { outcomes[done] = text }
                group.addTask { (index, try await Self.cell(FaultRow.all[row], level)) }
            }
            for try await (done, text) in group { outcomes[done] = text }
            return outcomes
        }
        let levels = FaultLevel.allCases.map(\.rawValue).joined(separator: " | ")
        let width = FaultLevel.allCases.count
        var lines = ["| Fault | Right | \(levels) |", "| --- | --- |" + String(repeating: " --- |", count: width)]
        for (index, row) in FaultRow.all.enumerated() {
            let texts = (0..<width).map { outcomes[index * width + $0] ?? "" }
            let right = row.right.sorted().joined(separator: " or ")
            lines.append("| \(row.fault) | \(right) | \(texts.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cell(_ row: FaultRow, _ level: FaultLevel) async throws -> String {
        if row.missing.contains(level) { return "–" }
        let outcome = try await FaultLab(row: row, level: level).outcome()
        return row.right(at: level).contains(outcome) ? outcome : "**wrong:** \(outcome)"
    }

    private static func split(_ text: String, at mark: String) -> (String, String)? {
        text.range(of: mark).map { (String(text[..<$0.lowerBound]), String(text[$0.upperBound...])) }
    }
}
#endif
