import Foundation
import Testing

@testable import NetStore

/// docs/store-schema.md documents each table, view and column, in their order.
@Suite struct SchemaPageTests {
    private struct Column: Hashable, CustomStringConvertible {
        let table, name, type: String
        var description: String { "\(table).\(name) \(type)" }
    }

    /// Returns the columns on the page: a heading names a table, and the first two cells of each row a column and its
    /// type.
    private func documented() throws -> [Column] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/store-schema.md")
        var table = ""
        var columns: [Column] = []
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("## ") { table = String(line.dropFirst(3)) }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            columns.append(
                Column(table: table, name: cells[1].trimmingCharacters(in: ["`"]), type: cells[2]))
        }
        return columns
    }

    @Test func thePageTellsOfEachColumn() async throws {
        let folder = try TemporaryFolder()
        try await ActivityStore(at: folder.file()).close()
        // The tables in which an index stores its words are internal to SQLite.
        let sql = """
            SELECT m.name, c.name, CASE m.type WHEN 'table' THEN c.type ELSE '' END FROM sqlite_schema AS m
            JOIN pragma_table_info(m.name) AS c
            WHERE m.type IN ('table', 'view') AND m.name LIKE 'net%' AND m.name NOT LIKE 'net_search_%'
            ORDER BY m.name, c.cid
            """
        let stored = try Command.sqlite(folder.file(), sql).split(separator: "\n").map { line in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return Column(table: parts[0], name: parts[1], type: parts[2])
        }
        let documented = try documented()
        let tables = { (columns: [Column]) in Dictionary(grouping: columns, by: \.table) }
        #expect(Set(tables(documented).keys) == Set(tables(stored).keys))
        for (table, columns) in tables(stored) { #expect(tables(documented)[table] == columns) }
    }
}
