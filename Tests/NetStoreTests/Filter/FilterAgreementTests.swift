import Foundation
import NetCore
import Testing

@testable import NetStore

/// A filter means the same by value and in SQL.
struct FilterAgreementTests {
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
        // Otherwise the expressions would say nothing.
        #expect(seen.count > 150)
    }

    @Test func valueAndSQLFindTheSameEntriesUnderWay() throws {
        var samples = FilterSamples(seed: 61)
        let items = (1...60).map { samples.openItem($0) }
        let contents = items.map { samples.content(of: $0) }
        for (item, content) in zip(items, contents) { try database.addOpen(item, content) }
        for _ in 0..<600 {
            let text = samples.expression(depth: 3)
            let filter = try ActivityFilter(text)
            let found = zip(items, contents).filter { filter.matches($0, content: $1.content, now: FilterSamples.now) }
                .map(\.0.run)
            #expect(try database.openRuns(filter, now: FilterSamples.now) == found, "\(text)")
        }
    }

    @Test func theDeepestExpressionIsWithinTheLimitsOfSQLite() throws {
        var samples = FilterSamples(seed: 62)
        let items = (1...20).map { samples.item($0) }
        for item in items { try database.add(item) }
        let levels = (0..<FilterParser.maximumDepth).map { $0.isMultiple(of: 2) ? "~s & !(~e | " : "~q | (~d a & " }
        let opening = levels.joined().replacingOccurrences(of: "(", with: "(")
        let depth = opening.count { $0 == "(" }
        #expect(depth == FilterParser.maximumDepth)
        let long = (0..<400).map { "a\($0)" }.joined(separator: " | ")
        for text in [opening + "~c 5xx" + String(repeating: ")", count: depth), long, "!(\(long))"] {
            let filter = try ActivityFilter(text)
            let found = items.filter { filter.matches($0, now: FilterSamples.now) }.map(\.id)
            #expect(try database.ids(filter, now: FilterSamples.now) == found)
        }
    }
}
