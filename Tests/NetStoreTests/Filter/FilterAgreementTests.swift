import Foundation
import NetCore
import Testing

@testable import NetStore

/// A filter has the same meaning in memory and in SQL.
@Suite struct FilterAgreementTests {
    private let folder: TemporaryFolder
    private let database: FilterDatabase

    init() throws {
        folder = try TemporaryFolder()
        database = try FilterDatabase(path: folder.file())
    }

    @Test func valueAndSQLFindTheSameEntries() throws {
        var samples = FilterSamples(seed: 60)
        let items = (1...60).map { samples.item($0) }
        let contents = items.map { samples.content(of: $0) }
        for (item, content) in zip(items, contents) { try database.add(item, content) }
        var seen: Set<Set<Int64>> = []
        for _ in 0..<600 {
            let text = samples.expression(depth: 3)
            let filter = try ActivityFilter(text)
            let found = zip(items, contents).filter { filter.matches($0, content: $1.content, now: FilterSamples.now) }
                .map(\.0.id)
            #expect(try database.ids(filter, now: FilterSamples.now) == found, "\(text)")
            #expect(try ActivityFilter(filter.description) == filter, "\(text)")
            if !filter.needsContent {
                #expect(items.filter { filter.matches($0, now: FilterSamples.now) }.map(\.id) == found, "\(text)")
            }
            seen.insert(Set(found))
        }
        // Otherwise the expressions would be too similar to prove anything.
        #expect(seen.count > 150)
    }

    @Test func theDeepestExpressionIsWithinTheLimitsOfSQLite() throws {
        var samples = FilterSamples(seed: 62)
        let items = (1...20).map { samples.item($0) }
        for item in items { try database.add(item) }
        let levels = (0..<FilterParser.maximumDepth).map { $0.isMultiple(of: 2) ? "~s & !(~e | " : "~q | (~d a & " }
        let opening = levels.joined()
        let depth = opening.count { $0 == "(" }
        #expect(depth == FilterParser.maximumDepth)
        let long = "~d a" + String(repeating: "|~d 8", count: 800)
        let wide = String(repeating: "e ", count: 2000)
        for text in [opening + "~b x" + String(repeating: ")", count: depth), long, "!(\(long))", wide] {
            let filter = try ActivityFilter(text)
            let found = items.filter { filter.matches($0, now: FilterSamples.now) }.map(\.id)
            #expect(try database.ids(filter, now: FilterSamples.now) == found)
            // As a part of another statement.
            let condition = FilterCondition(filter, now: FilterSamples.now)
            let inner = "SELECT id FROM (SELECT i.id FROM net_item AS i WHERE i.id > ? AND (\(condition.sql)) LIMIT 50)"
            let sql = "SELECT j.id FROM net_item AS j WHERE j.id IN (\(inner)) ORDER BY j.id"
            #expect(try database.integers(sql, [.integer(0)] + condition.values) == found)
        }
    }
}
