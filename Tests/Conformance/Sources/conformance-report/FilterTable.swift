import Foundation
import NetCore

@testable import NetStore

/// Expressions with the entries that each of them matches; invalid ones with their errors.
struct FilterTable: Encodable {
    struct Row: Encodable {
        let expression: String
        let ids: [String]
    }

    struct Problem: Encodable {
        let expression: String
        let column: Int
        let message: String
    }

    /// The time to which relative times refer, in microseconds since 1970.
    let now: Int64
    var rows: [Row] = []
    var problems: [Problem] = []

    /// Writes entries of every kind with random contents, and random expressions of all terms.
    static func samples(_ folder: String, _ name: String) throws {
        var samples = FilterSamples(seed: 60)
        let items = (1...60).map { samples.item($0) }
        let contents = items.map { samples.content(of: $0) }
        let expressions = (0..<400).map { _ in samples.expression(depth: 3) }
        try write(zip(items, contents).map { ($0, $1) }, expressions, folder, name)
    }

    /// Writes calls, and the expressions that mitmproxy evaluates as well.
    static func recorded(_ folder: String, _ name: String) throws {
        var numbers = SeededNumbers(60)
        let calls = (1...60).map { RecordedCall($0, &numbers) }
        var source = Expressions(seed: 200)
        try write(calls.map { ($0.item, $0.content) }, source.all(200), folder, name)
    }

    private static func write(
        _ entries: [(item: StoredItem, content: SampleContent)], _ expressions: [String], _ folder: String,
        _ name: String
    ) throws {
        let database = try FilterDatabase(path: "\(folder)/\(name).sqlite")
        // The mark of a store.
        try database.connection.execute(
            """
            CREATE TABLE net_schema (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;
            INSERT INTO net_schema VALUES (1, 'entries', '')
            """)
        for (item, content) in entries { try database.add(item, content) }
        var table = FilterTable(now: StoredTime.microseconds(of: FilterSamples.now))
        for expression in expressions {
            let filter = try ActivityFilter(expression)
            let found = entries.filter { filter.matches($0.item, content: $0.content.content, now: FilterSamples.now) }
            table.rows.append(Row(expression: expression, ids: found.map(\.item.uid.description)))
        }
        for expression in broken(expressions) {
            do throws(ActivityFilterError) {
                _ = try ActivityFilter(expression)
            } catch {
                table.problems.append(
                    Problem(
                        expression: expression, column: error.column,
                        message: "found \(error.found), expected \(error.expected)"))
            }
        }
        try JSONEncoder().encode(table).write(to: URL(fileURLWithPath: "\(folder)/\(name).json"))
    }

    /// Returns expressions with a character removed or added, and some typical mistakes.
    private static func broken(_ expressions: [String]) -> [String] {
        var numbers = SeededNumbers(7)
        let cut = expressions.map { expression in
            var characters = Array(expression)
            let place = Int.random(in: 0..<characters.count, using: &numbers)
            if numbers.once(in: 2) {
                characters.remove(at: place)
            } else {
                characters.insert(numbers.one(of: ["~", "(", ")", "\"", "|", "&", "\\", "x", "é", "👩‍👩‍👧"]), at: place)
            }
            return String(characters)
        }
        return cut + [
            "~c 5y", "~c 99", "~c 499-400", "~slower 5", "~slower 1.5.5s", "~slower 300y", "~larger 1TB",
            "~since yesterday",
            "~since 2026-02-30", "~run -1", "~run 99999999999999999999", "~x", "~", "~d", "~d ~e", "a|b", "a\"b", "(a",
            "a)", "()",
            "!", "a &", "| a", "\"a", "'a' b'c", "a\\", "~marked7", String(repeating: "(", count: 21) + "a",
            String(repeating: "a ", count: 2049), "👩‍👩‍👧 ~c x",
        ]
    }
}
