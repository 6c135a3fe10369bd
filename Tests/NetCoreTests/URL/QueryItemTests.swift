import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@Suite struct QueryItemTests {
    @Test func everyByteIsReadBackByAPythonServer() async throws {
        // Two items for each scalar of Latin-1 and each hostile text: one as a value, one as a name.
        var items: QueryItems = []
        for byte in UInt8.min...UInt8.max {
            let text = String(Unicode.Scalar(byte))
            items += [QueryItem("v", "a\(text)b"), QueryItem("n\(text)m", "x")]
        }
        for text in Samples.hostile { items += [QueryItem("v", text), QueryItem("n\(text)m", "x")] }
        let random = SeededRandom(seed: 2)
        for _ in 0..<200 { items.append(QueryItem("r", Samples.text(random, length: 12))) }
        let expected = items.map { [$0.name, $0.value ?? ""] }

        let program = """
            import json, sys, urllib.parse
            texts = json.load(sys.stdin)
            json.dump([urllib.parse.parse_qsl(t, keep_blank_values=True, strict_parsing=True, errors='strict')
                       for t in texts], sys.stdout)
            """
        let read = try await Tool.python(program, [items.encodedQuery, items.formEncoded], as: [[[String]]].self)
        #expect(read == [expected, expected])
    }

    @Test func aFormIsWhatTheWHATWGSerializerWrites() async throws {
        // Python's quote_plus with the safe set of the standard is the exact reference.
        let program = """
            import json, sys, urllib.parse
            def escape(text): return urllib.parse.quote_plus(text, safe='*-._').replace('~', '%7E')
            json.dump([escape(t) for t in json.load(sys.stdin)], sys.stdout)
            """
        var texts = (UInt8.min...UInt8.max).map { String(Unicode.Scalar($0)) } + Samples.hostile
        texts += [" a", "a ", "  ", "~*~", "%2A", "a ~ b * c", " \u{301}", "~\u{301}", "*\u{301}"]
        let random = SeededRandom(seed: 3)
        for _ in 0..<300 { texts.append(Samples.text(random, length: 16)) }
        let expected = try await Tool.python(program, texts, as: [String].self)
        for (text, encoded) in zip(texts, expected) {
            #expect(QueryItems([QueryItem("k", text)]).formEncoded == "k=" + encoded)
            #expect(QueryItems([QueryItem(text, "")]).formEncoded == encoded + "=")
        }
    }

    @Test func orderAndRepetitionAreKept() {
        let items: QueryItems = [
            QueryItem("tag", "b"), QueryItem("tag", "a"), QueryItem.flag("on"), QueryItem("tag", "b"),
        ]
        #expect(items.encodedQuery == "tag=b&tag=a&on&tag=b")
        #expect(items.formEncoded == "tag=b&tag=a&on=&tag=b")
        #expect(QueryItems().encodedQuery.isEmpty)
        #expect(QueryItems().formEncoded.isEmpty)
    }

    @Test func numbersAndTruthValuesAreWrittenAsThemselves() {
        #expect(
            QueryItems([QueryItem("n", 2), QueryItem("d", 1.5), QueryItem("b", true)]).encodedQuery
                == "n=2&d=1.5&b=true")
        #expect(QueryItems([QueryItem("n", "")]).encodedQuery == "n=")
    }

    @Test func anEncodedValueIsNotEncodedAgain() {
        let item = QueryItem("ids", "a%2Cb,c", isEncoded: true)
        #expect(QueryItems([item]).encodedQuery == "ids=a%2Cb,c")
        #expect(QueryItems([item]).formEncoded == "ids=a%2Cb,c")
    }

    @Test func reservedCharactersCanBeLeftAloneButNotThoseThatEndTheQuery() {
        let item = QueryItem("next", "/a?b=c:d@e!$'()*,;%41 100%", allowsReserved: true)
        #expect(QueryItems([item]).encodedQuery == "next=/a?b=c:d@e!$'()*,;%41%20100%25")
        #expect(QueryItems([QueryItem("next", "a#b[0]", allowsReserved: true)]).encodedQuery == "next=a%23b%5B0%5D")
    }
}

@Suite struct QueryBuilderTests {
    private struct Listing: APIRequest {
        typealias Response = Void
        var onlyOpen: Bool
        var tags: [String]
        var limit: Int?
        var path: Path { "items" }
        var query: QueryItems {
            QueryItem("page", 2)
            if onlyOpen { QueryItem("state", "open") } else { QueryItem.flag("all") }
            for tag in tags { QueryItem("tag", tag) }
            limit.map { QueryItem("limit", $0) }
            [QueryItem("x", "1"), nil]
        }
    }

    @Test func conditionsLoopsAndOptionalsBuildAQuery() {
        let open = Listing(onlyOpen: true, tags: ["b", "a"], limit: 5)
        #expect(open.query.encodedQuery == "page=2&state=open&tag=b&tag=a&limit=5&x=1")
        #expect(Listing(onlyOpen: false, tags: [], limit: nil).query.encodedQuery == "page=2&all&x=1")
    }
}
