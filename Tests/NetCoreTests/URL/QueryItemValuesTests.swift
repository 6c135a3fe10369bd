import Foundation
import NetCore
import Testing

@Suite struct QueryItemValuesTests {
    @Test func absentValuesSendNothing() {
        @QueryBuilder var query: QueryItems {
            QueryItem.optional("page", nil as Int?)
            QueryItem.optional("size", 10)
            QueryItem.flag("off", isEnabled: false)
            QueryItem.flag("on", isEnabled: true)
            QueryItem.flag("yes", isEnabled: true, value: "1")
            QueryItem.flag("bare", isEnabled: true, value: nil)
            QueryItem.joined("none", [String]())
            QueryItem.items("tag", ["a", "b c"])
            QueryItem.bool("draft", false)
        }
        #expect(query.encodedQuery == "size=10&on=true&yes=1&bare&tag=a&tag=b%20c&draft=false")
    }

    @Test func separatorsStayAndThoseWithinAValueAreEscaped() throws {
        #expect(try QueryItems([#require(QueryItem.joined("ids", [1, 2, 3]))]).encodedQuery == "ids=1,2,3")
        #expect(
            try QueryItems([#require(QueryItem.joined("n", ["a,b", "c|d"], separator: "|"))]).encodedQuery
                == "n=a%2Cb%7Cc%7Cd")
        #expect(
            try QueryItems([#require(QueryItem.joined("n", ["a", "b"], separator: "&"))]).encodedQuery == "n=a%26b")
        #expect(
            try QueryItems([#require(QueryItem.joined("n", ["a", "b"], separator: "+#"))]).encodedQuery == "n=a%2B%23b")
    }

    @Test func datesAreWrittenInThreeStyles() {
        let date = Date(timeIntervalSince1970: 1.5004)
        #expect(QueryItem.date("d", Date(timeIntervalSince1970: 0)).value == "1970-01-01T00:00:00Z")
        #expect(QueryItem.date("d", date, .secondsSince1970).value == "1")
        #expect(QueryItem.date("d", Date(timeIntervalSince1970: -0.5), .secondsSince1970).value == "-1")
        #expect(QueryItem.date("d", date, .millisecondsSince1970).value == "1500")
    }

    @Test(
        "A date that cannot be written is refused",
        arguments: [QueryDateStyle.iso8601, .secondsSince1970, .millisecondsSince1970])
    func farDates(style: QueryDateStyle) {
        for seconds in [1e30, -1e30, .infinity, .nan] {
            #expect(QueryItem.date("d", Date(timeIntervalSince1970: seconds), style).problem != nil)
        }
    }
}
