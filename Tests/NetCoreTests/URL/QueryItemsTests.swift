import Foundation
import NetCore
import Testing

@Suite struct QueryItemsTests {
    private enum Sort: String { case byName = "name" }

    @Test func aDictionaryLiteralKeepsItsOrderAndTakesEveryText() {
        let limit = 9
        let items: QueryItems = ["limit": limit, "q": "a&b", "ratio": 0.5, "draft": true, "q": "again"]
        #expect(items.encodedQuery == "limit=9&q=a%26b&ratio=0.5&draft=true&q=again")
        let none: QueryItems = [:]
        #expect(none.isEmpty)
        #expect(none == [])
    }

    @Test func rawValuesAndUUIDsAreItems() {
        let id = UUID()
        let items: QueryItems = [QueryItem("sort", Sort.byName), QueryItem("id", id), .flag("all")]
        #expect(items.encodedQuery == "sort=name&id=\(id.uuidString)&all")
    }

    @Test func itIsACollection() {
        var items: QueryItems = ["a": 1]
        items.append(QueryItem("b", 2))
        items += ["c": 3] as QueryItems
        items[0].value = "9"
        items.removeAll { $0.name == "b" }
        #expect(items.encodedQuery == "a=9&c=3")
        #expect(QueryItems(items.map { $0 }) == items)
    }

    @Test func aBuilderTakesALiteral() {
        @QueryBuilder var query: QueryItems {
            ["page": 2, "size": 10]
            for tag in ["a", "b"] { QueryItem("tag", tag) }
        }
        #expect(query.encodedQuery == "page=2&size=10&tag=a&tag=b")
    }
}
