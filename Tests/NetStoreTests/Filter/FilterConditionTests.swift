import Foundation
import Testing

@testable import NetStore

/// The conditions that SQLite evaluates with an index.
@Suite struct FilterConditionTests {
    private let folder: TemporaryFolder
    private let database: FilterDatabase

    init() throws {
        folder = try TemporaryFolder()
        database = try FilterDatabase(path: folder.file())
    }

    @Test(arguments: [
        ("~d api", "net_item_by_host"), ("~op getUser", "net_item_by_operation"), ("~c 5xx", "net_item_by_status"),
        ("~c 404", "net_item_by_status"), ("~e", "net_item_by_outcome"), ("~error timeout", "net_item_by_outcome"),
        ("~slower 500ms", "net_item_by_duration"), ("~since 15m", "net_item_by_time"),
        ("~marked", "INTEGER PRIMARY KEY"),
        ("~comment x", "INTEGER PRIMARY KEY"), ("~e | ~c 5xx", "MULTI-INDEX OR"), ("~c 5xx ~q", "net_item_by_status"),
        ("~b text ~d api", "net_item_by_host"), ("!(!~e | ~s)", "net_item_by_outcome"),
    ])
    func selectiveConditionsUseAnIndex(_ text: String, _ index: String) throws {
        let condition = FilterCondition(try ActivityFilter(text), now: FilterSamples.now)
        let plan = try database.plan("SELECT count(*) FROM net_item AS i WHERE \(condition.sql)", condition.values)
        let first = plan.split(separator: "\n").first { !$0.contains("SUBQUERY") } ?? ""
        #expect(first.contains(index), "\(plan)")
    }

    @Test func valuesAreParametersOnly() throws {
        let word = "x'; DROP TABLE net_item; --"
        let filter =
            ActivityFilter.text(word) | .body(word) | .header(word) | .comment(word) | .error(word) | .tag(word)
        let condition = FilterCondition(filter, now: FilterSamples.now)
        #expect(!condition.sql.contains("DROP"))
        #expect(condition.values.contains(.text(word)))
        #expect(try database.ids(filter, now: FilterSamples.now).isEmpty)
    }

    @Test func onlyTheConnectionItselfMayCallTheFunctions() throws {
        try database.connection.execute("CREATE VIEW trap AS SELECT net_matches(text, 'a') FROM net_name")
        #expect(throws: StoreError.self) { try database.integers("SELECT * FROM trap") }
        #expect(
            try database.integers(
                "SELECT net_matches(NULL, 'a') + net_matches('cat', NULL) * 2 + net_matches(12, '1') * 4") == [6])
    }
}
